// Package migrations holds the database schema as goose SQL files, embedded
// so that the one binary can bring any database up to date.
//
// Files are applied in the order of their numbers and never edited once
// released. Tables live in the schema audit and may change with any version;
// the views in audit_api are the stable interface for dashboards.
package migrations

import "embed"

// FS holds the SQL files at its root.
//
//go:embed *.sql
var FS embed.FS
