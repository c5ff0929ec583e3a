//go:build !js

package queue

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

const migrating = 0x706176616765 // "pavage" as a number; key of the advisory lock for making tables

// OpenPostgres needs two connections. With more, leases can be renewed while other queries wait.
const connections = 8

var inPostgres = strings.NewReplacer("{now}", "(extract(epoch FROM now()) * 1000000)::bigint")

type post struct {
	pool *pgxpool.Pool
	db   *sql.DB
}

// OpenPostgres opens a queue at postgres://user:password@host/database. The error wraps ErrDatabase
// if a newer version of Pavage has written the database. No error contains the password.
func OpenPostgres(ctx context.Context, url string, o Options) (*Queue, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, line{err}
	}
	name := fmt.Sprintf("database %q at %s:%d", config.ConnConfig.Database, config.ConnConfig.Host, config.ConnConfig.Port)
	config.MaxConns = max(config.MaxConns, connections)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, line{err})
	}
	p := &post{pool: pool, db: stdlib.OpenDBFromPool(pool)}
	if err := p.prepare(ctx); err != nil {
		p.close()
		return nil, fmt.Errorf("%s: %w", name, line{err})
	}
	return newQueue(ctx, &database{dialect: p, words: inPostgres, reads: p.db, writes: p.db}, o), nil
}

type line struct{ error }

func (l line) Error() string { return strings.Join(strings.Fields(l.error.Error()), " ") }
func (l line) Unwrap() error { return l.error }

func (p *post) prepare(ctx context.Context) error {
	holder, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer holder.Rollback()
	if _, err := holder.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", migrating); err != nil {
		return err
	}
	if err := tooNew(ctx, p.db, "postgres", "SELECT to_regclass($1) IS NOT NULL"); err != nil {
		return fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	return migrate(ctx, p.db, "postgres")
}

func (p *post) alone(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
	return err
}

func (p *post) changed() (bool, error) { return true, nil }

// checked wraps ErrDatabase if the connection is lost. The driver pgx has several errors for this.
func (p *post) checked(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || pgconn.SafeToRetry(err) {
		return fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	return err
}

func (p *post) close() error {
	err := p.db.Close()
	p.pool.Close()
	return err
}
