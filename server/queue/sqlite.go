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

	"modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const application = 0x70617667 // "pavg": application_id in the header of our databases

const (
	readers     = 4       // connections that do not wait for a writer
	busyTimeout = "20000" // milliseconds that a writer waits for writers of other processes
)

var inSQLite = strings.NewReplacer("$", "?", "{now}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)")

// lite has one connection for writes, some for reads, which see committed rows only, and one,
// watched, that is asked whether the file has changed.
type lite struct {
	file                   string
	opened                 os.FileInfo // of file when it was opened
	writes, reads, watched *sql.DB
	version                int64 // of file, as watched has seen it
}

// OpenSQLite opens the queue in a file, or makes it. The error wraps ErrDatabase if the database is
// damaged, another program's, or of a newer version; then the file stays as it is.
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
	if owner != application { // a new database gets our mark in its header
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
		panic(err) // the driver is not linked in
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db
}

// checked detects a removed file: SQLite goes on reading and writing it, and its commits are lost.
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

// A transaction begins as the writer (BEGIN IMMEDIATE), so that its commit cannot fail.
func (l *lite) alone(context.Context, *sql.Tx, string) error { return nil }

// Commits change the file's version. For a context that ends the driver would start a goroutine.
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
