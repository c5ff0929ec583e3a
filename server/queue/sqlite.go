//go:build !js

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
	"strings"
	"syscall"

	"modernc.org/sqlite" // registers the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const application = 0x70617667 // "pavg" as a number; the application_id in the header of a database of Pavage

const (
	readers     = 4       // connections that do not wait for a writer
	busyTimeout = "20000" // milliseconds for which a writer waits for writers of other processes
)

var inSQLite = strings.NewReplacer("$", "?", "{now}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)")

// lite is a database of SQLite. The pool writes has one connection. The pool reads has several,
// which see only committed rows. The pool watched has one connection, which detects commits.
type lite struct {
	file                   string
	opened                 os.FileInfo // information about the file when it was opened
	writes, reads, watched *sql.DB
	version                int64 // value of data_version in the last call of the method changed
}

// OpenSQLite opens or makes the queue in a file. If the database is damaged, or was written by
// another program or a newer version, the error wraps ErrDatabase, and the file is not changed.
func OpenSQLite(ctx context.Context, file string, o Options) (*Queue, error) {
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
		writes: connect(file, 1, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous(FULL)", "_pragma", "foreign_keys(1)"),
		reads:  connect(file, readers, "_pragma", "query_only(1)"),

		watched: connect(file, 1, "_pragma", "query_only(1)"),
	}
	if err := l.prepare(ctx); err != nil {
		return nil, refused(file, errors.Join(err, l.close()))
	}
	return newQueue(ctx, &database{dialect: l, words: inSQLite, reads: l.reads, writes: l.writes}, o), nil
}

func (l *lite) prepare(ctx context.Context) (err error) {
	var owner int64
	if err := l.writes.QueryRowContext(ctx, "PRAGMA application_id").Scan(&owner); err != nil {
		return err
	}
	if owner != application { // the header of a new database gets the id of this program
		if _, err := l.writes.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", application)); err != nil {
			return err
		}
	}
	if err := migrate(ctx, l.writes, "sqlite"); err != nil {
		return err
	}
	l.opened, err = os.Stat(l.file)
	return err
}

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
		panic(err) // the driver is missing in the program
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db
}

// checked detects a removed file. SQLite would continue to use it, and all commits would be lost.
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

// alone has nothing to do, since BEGIN IMMEDIATE has waited for all other transactions that write.
func (l *lite) alone(context.Context, *sql.Tx, string) error { return nil }

// changed reads data_version, which every commit of another connection changes. It uses a
// context that never ends, since for other contexts the driver starts a goroutine.
func (l *lite) changed() (bool, error) {
	var version int64
	err := l.watched.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&version)
	was := l.version
	l.version = version
	return version != was, err
}

func (l *lite) close() error {
	return errors.Join(l.watched.Close(), l.reads.Close(), l.writes.Close())
}
