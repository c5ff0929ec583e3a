package queue

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations
var migrations embed.FS

// ourVersions is the table where goose writes which of our migrations were done.
const ourVersions = "pavage_version"

// versionColumn are the tables of versions, ours and River's, and their columns.
var versionColumn = map[string]string{ourVersions: "version_id", "river_migration": "version"}

// migrate makes our tables. The caller makes sure that nobody else does this at the
// same time.
func migrate(ctx context.Context, db *sql.DB, dialect string) error {
	folder, err := fs.Sub(migrations, "migrations/"+dialect)
	if err != nil {
		return err
	}
	dialects := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}
	p, err := goose.NewProvider(dialects[dialect], db, folder, goose.WithTableName(ourVersions), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

func riverVersions[T any](driver riverdriver.Driver[T]) (int, error) {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return 0, err
	}
	return len(m.AllVersions()), nil
}

// tooNew is the error about a database that a newer program has written. there is the query for
// whether a table exists.
func tooNew(ctx context.Context, db *sql.DB, dialect, there string) error {
	ours, err := fs.ReadDir(migrations, "migrations/"+dialect)
	if err != nil {
		return err
	}
	rivers := 0
	if dialect == "sqlite" {
		rivers, err = riverVersions(riversqlite.New(nil))
	} else {
		rivers, err = riverVersions(riverpgxv5.New(nil))
	}
	if err != nil {
		return err
	}
	for table, most := range map[string]int64{ourVersions: int64(len(ours)), "river_migration": int64(rivers)} {
		var found bool
		if err := db.QueryRowContext(ctx, there, table).Scan(&found); err != nil {
			return damaged(err.Error())
		}
		if !found {
			continue
		}
		var n int64
		if err := db.QueryRowContext(ctx, "SELECT coalesce(max("+versionColumn[table]+"), 0) FROM "+table).Scan(&n); err != nil {
			return damaged(err.Error())
		}
		if n > most {
			return fmt.Errorf("a newer version of Pavage has written it (%s is %d, this program knows %d); use the newer program, or name another database", table, n, most)
		}
	}
	return nil
}
