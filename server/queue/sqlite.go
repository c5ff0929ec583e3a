package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivershared/baseservice"
	"github.com/riverqueue/river/rivershared/riverpilot"
	"github.com/riverqueue/river/rivertype"
	"modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// application is the application_id in the header of our databases: "pavg".
const application = 0x70617667

// How SQLite is used.
const (
	// readers are the connections that only read: they do not wait for a writer.
	readers = 4
	// busyTimeout is how long, in milliseconds, a writer waits for writers of other
	// processes.
	busyTimeout = "20000"
	// slowPoll says how many polls River waits between two looks of its own. We tell River
	// when something has changed. A look takes 0.6 ms, mostly to parse River's SQL again.
	//
	// An idle process takes 0.7 % of a core if its Work has two lanes. Without Work it takes
	// 0.2 %, for the hub's ticker. This was measured on a machine three times overloaded,
	// where it costs much to wake a goroutine. With slowPoll = 1 there would be 20 looks a
	// second: 1.1 % more.
	slowPoll = 100
)

// lite is a database in a file.
//
//	writes    one connection, also River's: SQLite has one writer at a time
//	reads     some connections that see what is committed
//	watched   one of them, which is asked whether the file has changed
type lite struct {
	file          string
	opened        os.FileInfo // of the file
	writes, reads *sql.DB
	watched       *sql.Conn
	look          *sql.Stmt // of watched
	version       int64     // of the file, as watched has seen it
	wakes         *wakes[*sql.Tx]
	pilot         *pilot
	told          atomic.Pointer[nudger] // nil: nobody takes wakes yet
}

// OpenSQLite opens the queue in a file, and makes the file if there is none. The error
// wraps ErrDatabase if the database is damaged, belongs to another program, or was
// written by a newer version of Pavage. Then the file stays as it is.
func OpenSQLite(ctx context.Context, file string, o Options) (*Queue, error) {
	o = o.withDefaults()
	unlock, err := lockFile(ctx, file)
	if err != nil {
		return nil, refused(file, err)
	}
	defer unlock()
	if err := inspect(ctx, file); err != nil {
		return nil, refused(file, err)
	}
	l := &lite{
		file:   file,
		writes: connect(file, readers, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous(FULL)", "_pragma", "foreign_keys(1)"),
		reads:  connect(file, readers, "_pragma", "query_only(1)"),
	}
	l.writes.SetMaxOpenConns(1)
	if err := l.prepare(ctx, o); err != nil {
		return nil, refused(file, errors.Join(err, l.close()))
	}
	return newQueue(ctx, l, o), nil
}

// prepare makes the tables and the statement that looks for changes.
func (l *lite) prepare(ctx context.Context, o Options) (err error) {
	l.pilot = &pilot{}
	driver := &liteDriver{Driver: riversqlite.New(l.writes), pilot: l.pilot}
	if l.wakes, err = newWakes(driver, slowPoll*o.Poll, o.Report); err != nil {
		return err
	}
	var owner int64
	if err := l.writes.QueryRowContext(ctx, "PRAGMA application_id").Scan(&owner); err != nil {
		return err
	}
	if owner != application { // a new database gets our mark in its header
		if _, err := l.writes.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", application)); err != nil {
			return err
		}
	}
	if err := migrate(ctx, l.writes, "sqlite"); err != nil {
		return err
	}
	if err := l.wakes.migrate(ctx); err != nil {
		return err
	}
	if l.opened, err = os.Stat(l.file); err != nil {
		return err
	}
	if l.watched, err = l.reads.Conn(ctx); err != nil {
		return err
	}
	l.look, err = l.watched.PrepareContext(ctx, "PRAGMA data_version")
	return err
}

// connect makes a pool of connections to a file. Settings are pairs.
func connect(file string, most int, settings ...string) *sql.DB {
	query := url.Values{"_pragma": {"busy_timeout(" + busyTimeout + ")"}}
	for pair := range slices.Chunk(settings, 2) {
		query.Add(pair[0], pair[1])
	}
	path := filepath.ToSlash(file)
	if filepath.VolumeName(file) != "" {
		path = "/" + path
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		panic(err) // there is no such driver
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db
}

func (l *lite) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := l.reads.QueryContext(ctx, inSQLite.Replace(text), args...)
	return l.checked(readRows(rows, err, each))
}

// checked returns the error of an access to the database. SQLite itself goes on reading
// and writing a file that was removed, and its commits there are lost.
func (l *lite) checked(err error) error {
	var of *sqlite.Error
	if errors.As(err, &of) && of.Code()&0xff == sqlite3.SQLITE_FULL {
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	if now, gone := os.Stat(l.file); gone != nil || !os.SameFile(now, l.opened) {
		return fmt.Errorf("%s: %w: the file was removed or replaced while it was open",
			l.file, ErrDatabase)
	}
	return err
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

// write begins its transaction as a writer (BEGIN IMMEDIATE). So the commit cannot fail
// because another process has written meanwhile.
func (l *lite) write(ctx context.Context, do func(transaction) error) error {
	tx, err := l.writes.BeginTx(ctx, nil)
	if err != nil {
		return l.checked(err)
	}
	t := &liteTransaction{l: l, tx: tx}
	if err := do(t); err != nil {
		tx.Rollback()
		return l.checked(err)
	}
	if err := l.checked(tx.Commit()); err != nil {
		return err
	}
	for _, lane := range t.woken {
		l.nudge(lane)
	}
	return nil
}

type liteTransaction struct {
	l     *lite
	tx    *sql.Tx
	woken []Lane
}

func (t *liteTransaction) ask(ctx context.Context, each func(scanner) error, text string, args ...any) error {
	rows, err := t.tx.QueryContext(ctx, inSQLite.Replace(text), args...)
	return readRows(rows, err, each)
}

// alone has nothing to do: there is one writer at a time.
func (t *liteTransaction) alone(context.Context, string) error { return nil }

func (t *liteTransaction) wake(ctx context.Context, id string, lane Lane) (int64, error) {
	t.woken = append(t.woken, lane)
	return t.l.wakes.add(ctx, t.tx, id, lane)
}

// changed asks for the version of the file, which any other connection's commit
// changes. That takes 3 µs: no table is read. The query gets a context that never ends:
// for any other the driver would start a goroutine.
func (l *lite) changed(context.Context) (bool, error) {
	var version int64
	err := l.look.QueryRowContext(context.Background()).Scan(&version)
	was := l.version
	l.version = version
	return version != was, err
}

func (l *lite) listen(ctx context.Context, slots map[Lane]int, take func(string)) (func() error, error) {
	stop, err := l.wakes.listen(ctx, slots, take)
	if err != nil {
		return nil, err
	}
	tell := l.pilot.tell
	l.told.Store(&tell) // not earlier: Start writes fields that a nudge reads
	return stop, nil
}

func (l *lite) nudge(lane Lane) {
	if tell := l.told.Load(); tell != nil {
		(*tell)(context.Background(), []*rivertype.JobInsertResult{{Job: &rivertype.JobRow{Queue: string(lane)}}})
	}
}

func (l *lite) close() error {
	var err error
	if l.look != nil {
		err = l.look.Close()
	}
	if l.watched != nil {
		err = errors.Join(err, l.watched.Close())
	}
	return errors.Join(err, l.reads.Close(), l.writes.Close())
}

// liteDriver is River's driver with a pilot of ours. River asks its driver for a pilot,
// and gives the pilot a function that says that there are wakes. River calls this
// function itself after an insert in a transaction of its own, but our inserts are part
// of a larger transaction. See doc/adr/0006-jobs.md.
type liteDriver struct {
	*riversqlite.Driver
	pilot *pilot
}

func (d *liteDriver) PluginInit(*baseservice.Archetype) {}
func (d *liteDriver) PluginPilot() riverpilot.Pilot     { return d.pilot }

// pilot is River's own pilot. It also keeps the function that nudges the last client
// that was made, which is the client that takes wakes.
type pilot struct {
	riverpilot.StandardPilot
	tell nudger
}

type nudger func(context.Context, []*rivertype.JobInsertResult)

func (p *pilot) PilotInit(a *baseservice.Archetype, with *riverpilot.PilotInitParams) {
	p.StandardPilot.PilotInit(a, with)
	p.tell = with.NotifyNonTxJobInsert
}
