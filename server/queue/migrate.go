//go:build !js

package queue

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

const versions = "pavage_version"

// migrate makes the table of jobs. The caller holds the lock.
func migrate(ctx context.Context, db *sql.DB, dialect string) error {
	folder, err := fs.Sub(migrations, "migrations/"+dialect)
	if err != nil {
		return err
	}
	dialects := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}
	p, err := goose.NewProvider(dialects[dialect], db, folder, goose.WithTableName(versions), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// tooNew refuses a database of a newer program. The argument there is an SQL query that
// reports whether a table exists.
func tooNew(ctx context.Context, db *sql.DB, dialect, there string) error {
	known, err := fs.ReadDir(migrations, "migrations/"+dialect)
	if err != nil {
		return err
	}
	found, newest := false, 0
	err = db.QueryRowContext(ctx, there, versions).Scan(&found)
	if err == nil && found {
		err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versions).Scan(&newest)
	}
	switch {
	case err != nil && dialect == "sqlite":
		return damaged(err.Error())
	case err != nil:
		return err
	case newest > len(known):
		return fmt.Errorf("a newer version of Pavage has written the database (%s is %d, but this program knows versions up to %d); use the newer program, or name another database", versions, newest, len(known))
	}
	return nil
}
