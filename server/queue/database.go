package queue

import (
	"context"
	"errors"
	"strings"
)

// database is what a queue needs of SQLite or Postgres. The SQL is the same for both:
// arguments are $1, $2, …, and {now} is the time in microseconds, by the clock that all
// processes share.
type database interface {
	asker
	// write does one transaction. If do returns nil, write commits, and returns nil if
	// that succeeds.
	write(ctx context.Context, do func(transaction) error) error
	// changed reports whether anybody may have written since the last call.
	changed(ctx context.Context) (bool, error)
	// listen takes wakes, at most slots of each lane at once, until stop is called. stop
	// waits for those that were taken.
	listen(ctx context.Context, slots map[Lane]int, take func(id string)) (stop func() error, err error)
	// nudge says that there may be wakes in the lane.
	nudge(Lane)
	close() error
}

// asker can be asked for rows. It calls each for every row of the answer.
type asker interface {
	ask(ctx context.Context, each func(scanner) error, sql string, args ...any) error
}

// transaction is an open transaction.
type transaction interface {
	asker
	// alone waits until no other open transaction has called alone with this name.
	alone(ctx context.Context, name string) error
	// wake adds a wake. Once the transaction is committed, some process takes it.
	wake(ctx context.Context, id string, l Lane) (wake int64, err error)
}

// errNone says that the answer has no row.
var errNone = errors.New("no row")

// askOne asks for one row; errNone says that there is none.
func askOne(ctx context.Context, a asker, read func(scanner) error, sql string, args ...any) error {
	found := false
	err := a.ask(ctx, func(s scanner) error { found = true; return read(s) }, sql, args...)
	if err == nil && !found {
		err = errNone
	}
	return err
}

// askRow asks for one job with all its columns; errNone says that there is none.
func askRow(ctx context.Context, a asker, sql string, args ...any) (r row, err error) {
	err = askOne(ctx, a, func(s scanner) error { r, err = scanRow(s); return err }, sql, args...)
	return r, err
}

// into returns a function that reads a row into these variables.
func into(to ...any) func(scanner) error {
	return func(s scanner) error { return s.Scan(to...) }
}

// dialects are the parts of the SQL that differ between the two databases.
var (
	inSQLite   = strings.NewReplacer("$", "?", "{now}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)")
	inPostgres = strings.NewReplacer("{now}", "(extract(epoch FROM now()) * 1000000)::bigint")
)
