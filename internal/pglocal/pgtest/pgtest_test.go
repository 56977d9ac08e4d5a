package pgtest_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func exec(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		t.Fatal(err)
	}
}

func TestEachDatabaseIsEmpty(t *testing.T) {
	for range 3 {
		exec(t, pgtest.URL(t), `create table only_once (n int)`)
	}
}

func TestDatabaseIsDroppedWithConnectionsOpen(t *testing.T) {
	var url string
	t.Run("user", func(t *testing.T) {
		url = pgtest.URL(t)
		// Never closed: the drop has to cut it off.
		if _, err := pgx.Connect(context.Background(), url); err != nil {
			t.Fatal(err)
		}
	})
	if conn, err := pgx.Connect(context.Background(), url); err == nil {
		conn.Close(context.Background())
		t.Fatal("the database outlived its test")
	}
}
