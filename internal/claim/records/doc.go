// Package records reads evidence that others published: files of one record a
// line, as JSON objects or as CSV with a header, parsed on all cores and handed
// over in order. It knows lines and fields; what they mean is its callers'.
//
// # Forms
//
// A file whose first byte that is no space is { holds JSON lines, any other CSV.
//
//	{"round":1,"hash":"a243…","outcome":"3.05"}      round,hash,outcome
//	                                                  1,a243…,3.05
//
// Both say the same: an empty field of CSV, unless it is quoted, and a null of
// JSON are what was not given. A list is a JSON array, or in CSV numbers between spaces, commas or
// semicolons. In CSV a field may be quoted, with "" for a quote in it, but a
// record is one line: a line break in quotes is an error of both its lines.
// Blank lines are passed over and counted as lines; a byte order mark at the
// beginning is passed over too.
//
// # What is refused
//
// A field that is not known or is given twice: a misspelt one must not be taken
// for one that was left out. Such columns of CSV refuse the file, as no line of
// it could be read; in JSON they make a bad line. Names that a caller ignores
// are passed over in either.
//
// A line that cannot be read is handed over with its error, and the next one is
// read. A line is at most [MaxLine] bytes, and what is on its way a few chunks,
// whatever the size of the files.
package records
