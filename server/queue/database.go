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
	// write does one transaction. It is committed if do returns nil, and write does too.
	write(ctx context.Context, do func(transaction) error) error
	// changed says whether anybody may have written since it was last asked.
	changed(ctx context.Context) (bool, error)
	// listen takes the wakes of the lanes, so many at once, until stop is called, which
	// waits for those that were taken.
	listen(ctx context.Context, slots map[Lane]int, take func(id string)) (stop func() error, err error)
	// nudge says that there may be wakes in the lane.
	nudge(Lane)
	close() error
}

// asker can be asked. It calls each for every row of the answer.
type asker interface {
	ask(ctx context.Context, each func(scanner) error, sql string, args ...any) error
}

// transaction is one that is open.
type transaction interface {
	asker
	// alone waits until no other transaction is open that was alone with this name.
	alone(ctx context.Context, name string) error
	// wake makes a wake: once the transaction is committed, some process takes it.
	wake(ctx context.Context, id string, l Lane) (wake int64, err error)
}

// errNone says that there was no row where there could be one.
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

// askRow asks for one whole row; errNone says that there is none.
func askRow(ctx context.Context, a asker, sql string, args ...any) (r row, err error) {
	err = askOne(ctx, a, func(s scanner) error { r, err = scanRow(s); return err }, sql, args...)
	return r, err
}

// into is a reader of a row into some variables.
func into(to ...any) func(scanner) error {
	return func(s scanner) error { return s.Scan(to...) }
}

// dialects are how the two databases write what differs.
var (
	inSQLite   = strings.NewReplacer("$", "?", "{now}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)")
	inPostgres = strings.NewReplacer("{now}", "(extract(epoch FROM now()) * 1000000)::bigint")
)
