//go:build !js

package queue

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// database is SQLite or Postgres. In its SQL, the arguments are $1, $2, …, and {now} is the time in
// microseconds, which all processes read from the same clock.
type database struct {
	dialect
	words         *strings.Replacer // replaces {now}
	reads, writes *sql.DB           // on Postgres, both are the same pool
}

type dialect interface {
	// alone waits until no other open transaction has called alone with this name.
	alone(ctx context.Context, tx *sql.Tx, name string) error
	// changed reports whether another process may have written since the last call.
	changed() (bool, error)
	checked(error) error // adds a cause that the driver does not report, such as a removed file
	close() error
}

type asker interface {
	ask(ctx context.Context, each func(scanner) error, text string, args ...any) error
}

func (d *database) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := d.reads.QueryContext(ctx, d.words.Replace(text), args...)
	return d.failed(ctx, readRows(rows, err, each))
}

func readRows(rows *sql.Rows, err error, each func(scanner) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

type transaction struct {
	db *database
	tx *sql.Tx
}

func (t transaction) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := t.tx.QueryContext(ctx, t.db.words.Replace(text), args...)
	return readRows(rows, err, each)
}

func (t transaction) do(ctx context.Context, text string, args ...any) error {
	_, err := t.tx.ExecContext(ctx, t.db.words.Replace(text), args...)
	return err
}

func (d *database) write(ctx context.Context, do func(transaction) error) error {
	tx, err := d.writes.BeginTx(ctx, nil)
	if err != nil {
		return d.failed(ctx, err)
	}
	if err := do(transaction{d, tx}); err != nil {
		tx.Rollback()
		return d.failed(ctx, err)
	}
	return d.failed(ctx, tx.Commit())
}

func (d *database) change(ctx context.Context, read func(scanner) error, sql string, args ...any) error {
	return d.write(ctx, func(tx transaction) error { return askOne(ctx, tx, read, sql, args...) })
}

func (d *database) changeRow(ctx context.Context, sql string, args ...any) (r row, err error) {
	err = d.change(ctx, func(s scanner) error { r, err = scanRow(s); return err }, sql, args...)
	return r, err
}

// If ctx has ended, failed returns context.Cause(ctx) in place of err, the error of a driver.
func (d *database) failed(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return d.checked(err)
}

var errNone = errors.New("no row")

func askOne(ctx context.Context, a asker, read func(scanner) error, sql string, args ...any) error {
	found := false
	err := a.ask(ctx, func(s scanner) error { found = true; return read(s) }, sql, args...)
	if err == nil && !found {
		err = errNone
	}
	return err
}

func askRow(ctx context.Context, a asker, sql string, args ...any) (r row, err error) {
	err = askOne(ctx, a, func(s scanner) error { r, err = scanRow(s); return err }, sql, args...)
	return r, err
}

func into(to ...any) func(scanner) error {
	return func(s scanner) error { return s.Scan(to...) }
}
