package queue

import (
	"database/sql"
	"fmt"
	"io/fs"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/pavage/pavage/client"
)

// TestUpgrade: a job that an earlier version has queued is done.
func TestUpgrade(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		driver, dialect := "sqlite", goose.DialectSQLite3
		if o.name == "postgres" {
			driver, dialect = "pgx", goose.DialectPostgres
		}
		db, err := sql.Open(driver, o.at)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := fs.Sub(migrations, "migrations/"+o.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := goose.NewProvider(dialect, db, folder, goose.WithTableName(versions), goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.UpTo(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
		id := NewID()
		request := map[string]string{"sqlite": "x'7b7d'", "postgres": "'{}'"}[o.name]
		statements := []string{
			`INSERT INTO pavage_job (id, owner, kind, request, memory, threads, timeout, lane, bytes, seconds, key, state, version, attempts,
				created, started, ended, canceling, epoch, worker, lease, wake)
			VALUES ('` + id + `', 'ada', 'count', ` + request + `, 0, 0, 0, 'long', 0, 0, '', 'queued', 1, 0, 1, 0, 0, 0, 3, 'x', 9000000000000000, 7)`,
			`CREATE TABLE river_job (id int)`,
		}
		if o.name == "sqlite" {
			statements = append(statements, fmt.Sprintf("PRAGMA application_id = %d", application))
		}
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		q := o.open(brisk())
		if err := q.db.ask(t.Context(), func(scanner) error { return nil }, "SELECT id FROM river_job"); (err == nil) != (o.name == "postgres") {
			t.Errorf("the table of River, which other programs may use on Postgres: %v", err)
		}
		do, made := claims()
		o.work(q, do)
		c := <-made
		if j := c.Job(); j.ID != id || j.Attempts != 1 {
			t.Errorf("%+v", j)
		}
		if err := c.Done(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		c.leave()
		await(t, q, id, client.Done)
	})
}
