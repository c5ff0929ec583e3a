package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// migrating is the number of the advisory lock of a process that makes tables: "pavage".
const migrating = 0x706176616765

// connections is the smallest limit of a pool's connections. River listens on one of
// them.
const connections = 8

// rarePoll says how many polls River waits between two looks of its own. NOTIFY tells
// it about new wakes, but not twice within a millisecond. So River may miss one wake of
// a burst, and must also look. With 1, an idle process took 1.4 % of a core.
const rarePoll = 3

// post is a database of Postgres.
type post struct {
	pool  *pgxpool.Pool
	wakes *wakes[pgx.Tx]
}

// OpenPostgres opens the queue in a database of Postgres, such as
// postgres://user:password@host/database. If a newer version of Pavage has written it,
// the error wraps ErrDatabase. No error contains the password.
func OpenPostgres(ctx context.Context, url string, o Options) (*Queue, error) {
	o = o.withDefaults()
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
	p := &post{pool: pool}
	if err := p.prepare(ctx, o); err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", name, line{err})
	}
	return newQueue(ctx, p, o), nil
}

// line is an error whose text is one line. Those of pgx may be several.
type line struct{ error }

func (l line) Error() string { return strings.Join(strings.Fields(l.error.Error()), " ") }
func (l line) Unwrap() error { return l.error }

// prepare makes the tables, while other processes wait.
func (p *post) prepare(ctx context.Context, o Options) (err error) {
	if p.wakes, err = newWakes(riverpgxv5.New(p.pool), rarePoll*o.Poll, o.Report); err != nil {
		return err
	}
	holder, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer holder.Release()
	if _, err := holder.Exec(ctx, "SELECT pg_advisory_lock($1)", migrating); err != nil {
		return err
	}
	defer holder.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrating)
	db := stdlib.OpenDBFromPool(p.pool)
	defer db.Close()
	if err := tooNew(ctx, db, "postgres", "SELECT to_regclass($1) IS NOT NULL"); err != nil {
		return fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	if err := migrate(ctx, db, "postgres"); err != nil {
		return err
	}
	return p.wakes.migrate(ctx)
}

func (p *post) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := p.pool.Query(ctx, inPostgres.Replace(text), args...)
	return connected(readPost(rows, err, each))
}

// connected returns the error of an access to the database. It wraps ErrDatabase if the
// connection was lost: pgx has no type for these errors.
func connected(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) {
		return fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	return err
}

func readPost(rows pgx.Rows, err error, each func(scanner) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (p *post) write(ctx context.Context, do func(transaction) error) error {
	return connected(pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error { return do(&postTransaction{p: p, tx: tx}) }))
}

type postTransaction struct {
	p  *post
	tx pgx.Tx
}

func (t *postTransaction) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := t.tx.Query(ctx, inPostgres.Replace(text), args...)
	return readPost(rows, err, each)
}

func (t *postTransaction) alone(ctx context.Context, name string) error {
	_, err := t.tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
	return err
}

func (t *postTransaction) wake(ctx context.Context, id string, l Lane) (int64, error) {
	return t.p.wakes.add(ctx, t.tx, id, l)
}

// changed always says yes: Postgres has no version number for all its tables.
func (p *post) changed(context.Context) (bool, error) { return true, nil }

func (p *post) listen(ctx context.Context, slots map[Lane]int, take func(string)) (func() error, error) {
	return p.wakes.listen(ctx, slots, take)
}

// nudge does nothing: Postgres tells River (LISTEN, NOTIFY).
func (p *post) nudge(Lane) {}

func (p *post) close() error {
	p.pool.Close()
	return nil
}
