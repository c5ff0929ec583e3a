//go:build !js

package queue

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

var magic = []byte("SQLite format 3\x00")

func refused(name string, err error) error {
	return fmt.Errorf("%s: %w: %w", name, ErrDatabase, err)
}

// lockFile locks an empty file with SQLite. On every system, the lock ends with the process.
func lockFile(ctx context.Context, file string) (unlock func(), err error) {
	db := connect(file+".lock", 1, "_txlock", "exclusive")
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("%s.lock: %w", file, err)
	}
	return func() { tx.Rollback(); db.Close() }, nil
}

func inspect(ctx context.Context, file string) error {
	begin, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	head := make([]byte, len(magic))
	n, err := io.ReadFull(begin, head)
	// A file that ends in the middle of a page is refused, since SQLite would read the missing
	// bytes as zeros. The file is accepted if there is a log (WAL), which has the missing bytes.
	info, e := begin.Stat()
	whole := e != nil || info.Size()%leastPage == 0
	begin.Close()
	switch {
	case err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case !bytes.Equal(head[:n], magic):
		return errors.New("the file is not a database of SQLite, expected a database that Pavage has made; name another folder, or move the file away")
	case !whole && !hasLog(file):
		return damaged("its last page is cut off")
	}
	db := connect(file, 1, readOnly(file)...)
	defer db.Close()
	return inspectTables(ctx, db)
}

const leastPage = 512

func hasLog(file string) bool {
	_, err := os.Stat(file + "-wal")
	return !errors.Is(err, fs.ErrNotExist)
}

// readOnly returns settings of a connection that only reads. If there is no log, no process has the
// file open, and the file cannot change. If there is a log, SQLite must expect changes.
func readOnly(file string) []string {
	if !hasLog(file) {
		return []string{"immutable", "1"}
	}
	return []string{"mode", "ro"}
}

func inspectTables(ctx context.Context, db *sql.DB) error {
	var owner int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&owner); err != nil {
		return damaged(err.Error())
	}
	empty := false // whether there is no table, because the process that made the file died too early
	if err := db.QueryRowContext(ctx, "SELECT count(*) = 0 FROM sqlite_master").Scan(&empty); err != nil {
		return damaged(err.Error())
	}
	if owner != application && !empty {
		return fmt.Errorf("the file is the database of another program (application_id %#x, expected %#x); name another folder, or move the file away", owner, application)
	}
	// Unlike quick_check, integrity_check compares tables with indices. It takes 3 s for 100 MB.
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return damaged(err.Error())
	}
	if verdict != "ok" {
		return damaged(verdict)
	}
	return tooNew(ctx, db, "sqlite", "SELECT count(*) FROM sqlite_master WHERE name = ?")
}

func damaged(how string) error {
	return fmt.Errorf("the database is damaged (%s); restore a copy, or move the database and the files beside it away, which loses all jobs", strings.Join(strings.Fields(how), " "))
}
