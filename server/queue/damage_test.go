package queue

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// filled returns the bytes of a database with some jobs.
func filled(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pavage.db")
	q, err := OpenSQLite(t.Context(), file, brisk())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		j := example()
		j.Request = fmt.Appendf(nil, `{"kind":"count","puzzle":{"title":"%d %s"}}`, i, strings.Repeat("x", i*37%900))
		add(t, q, j)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		t.Error("the log is left after Close")
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// refusal opens a file with these bytes. If there is an error, it must be clear, and the bytes must not
// change.
func refusal(t *testing.T, content []byte) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pavage.db")
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	q, err := OpenSQLite(t.Context(), file, brisk())
	if err == nil {
		_, _, err := q.List(t.Context(), Filter{})
		return errors.Join(err, q.Close())
	}
	if !errors.Is(err, ErrDatabase) || !strings.HasPrefix(err.Error(), file) {
		t.Errorf("error %q, want one that names the file", err)
	}
	if strings.ContainsRune(err.Error(), '\n') {
		t.Errorf("an error of several lines: %q", err)
	}
	after, err2 := os.ReadFile(file)
	if err2 != nil || !bytes.Equal(after, content) {
		t.Errorf("the file was changed (%v) although it was refused: %v", err2, err)
	}
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Stat(file + beside); err == nil {
			t.Errorf("there is a file %s beside it", beside)
		}
	}
	return err
}

// TestDamage: a database that was cut off or is damaged in a tree of SQLite is refused, and does not
// change.
func TestDamage(t *testing.T) {
	whole := filled(t)
	if err := refusal(t, whole); err != nil {
		t.Fatalf("a whole one: %v", err)
	}
	const page = 4096
	if len(whole) < 20*page {
		t.Fatalf("%d bytes", len(whole))
	}
	for _, n := range []int{1, 15, 16, 50, 99, 100, 512, page - 1, page, page + 1, len(whole) / 2, len(whole) - page, len(whole) - 1} {
		if err := refusal(t, whole[:n]); err == nil {
			t.Errorf("cut off after %d bytes: opened", n)
		}
	}
	step := testkit.Size(7, 1) * page
	for at := 0; at < len(whole); at += step {
		hurt := bytes.Clone(whole)
		for i := range 64 { // the header of a page, and the begin of its table of cells
			hurt[min(at+i, len(hurt)-1)] ^= 0xa5
		}
		if err := refusal(t, hurt); err == nil {
			t.Errorf("damage at byte %d: opened", at)
		}
	}
	for at := 100; at < len(whole); at += step/2 + 61 { // at any place, where damage may have no effect
		hurt := bytes.Clone(whole)
		hurt[at] ^= 0xff
		refusal(t, hurt)
	}
}

// TestForeign: a file that is no database, or of another program or a newer version, is refused.
func TestForeign(t *testing.T) {
	altered := func(text string) []byte {
		t.Helper()
		file := filepath.Join(t.TempDir(), "pavage.db")
		if err := os.WriteFile(file, filled(t), 0o666); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	for name, tc := range map[string]struct {
		content []byte
		says    string
	}{
		"text":     {[]byte("board: 8x8\n" + strings.Repeat("# \n", 100)), "not a database of SQLite"},
		"other":    {altered("PRAGMA application_id = 17"), "another program"},
		"unsigned": {altered("PRAGMA application_id = 0"), "another program"},
		"newer":    {altered("INSERT INTO pavage_version (version_id, is_applied) VALUES (99, 1)"), "newer version of Pavage"},
	} {
		if err := refusal(t, tc.content); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, tc.says)
		}
	}
	if err := refusal(t, nil); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	file := filepath.Join(t.TempDir(), "none", "pavage.db")
	if _, err := OpenSQLite(t.Context(), file, brisk()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestDamageWithLog: a database whose process was killed has a log. It is only read, and a damaged file
// and its log do not change.
func TestDamageWithLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pavage.db")
	q, err := OpenSQLite(t.Context(), file, brisk())
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		add(t, q, example())
	}
	if _, err := q.db.writes.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	j := add(t, q, example())
	var dead string
	var content [2][]byte
	copied := func(hurt bool) { // into a new folder: a connection of the last queue may not be closed yet
		dead = filepath.Join(t.TempDir(), "pavage.db")
		for i, part := range []string{"", "-wal"} {
			if content[i], err = os.ReadFile(file + part); err != nil {
				t.Fatal(err)
			}
			if hurt && i == 0 {
				content[i] = content[i][:len(content[i])/2]
			}
			if err := os.WriteFile(dead+part, content[i], 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	copied(false)
	again, err := OpenSQLite(t.Context(), dead, brisk())
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, again, j.ID); got.ID != j.ID {
		t.Errorf("%+v", got)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	copied(true)
	if _, err := OpenSQLite(t.Context(), dead, brisk()); err == nil {
		t.Error("opened")
	}
	for i, part := range []string{"", "-wal"} {
		if after, err := os.ReadFile(dead + part); err != nil || !bytes.Equal(after, content[i]) {
			t.Errorf("pavage.db%s was changed (%v)", part, err)
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestInspectInUse: a database that another process has open is not read as immutable, even if its log is
// empty.
func TestInspectInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pavage.db")
	if how := readOnly(file); how[0] != "immutable" {
		t.Errorf("nobody has it open: %q", how)
	}
	q, err := OpenSQLite(t.Context(), file, brisk())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.db.writes.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if how := readOnly(file); how[0] != "mode" {
		t.Errorf("it is open: %q", how)
	}
	if err := inspect(t.Context(), file); err != nil {
		t.Error(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	// A process that was killed may leave an empty log.
	if err := os.WriteFile(file+"-wal", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if q, err = OpenSQLite(t.Context(), file, brisk()); err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestDamageLater: calls that find new damage return an error.
func TestDamageLater(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		change(t, q, "ALTER TABLE pavage_job RENAME TO gone")
		if _, err := q.Add(t.Context(), example(), 0); err == nil {
			t.Error("added without a table")
		}
		if err := q.Ping(t.Context()); err == nil {
			t.Error("Ping found a table")
		}
		change(t, q, "ALTER TABLE gone RENAME TO pavage_job")
		get(t, q, j.ID)
		add(t, q, example())
	})
}

// TestNewerPostgres: a database of a newer version is refused, and the error does not have the password.
func TestNewerPostgres(t *testing.T) {
	url := queuetest.Postgres(t)
	q, err := OpenPostgres(t.Context(), url, brisk())
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, err := c.Exec(t.Context(), "INSERT INTO pavage_version (version_id, is_applied) VALUES (99, true)"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPostgres(t.Context(), url, brisk()); !errors.Is(err, ErrDatabase) || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("error %v", err)
	}
	for _, url := range []string{"postgres://ada:s3cret@localhost:1/x", "postgres://ada:s3cret@[x", "host=localhost port=1 password=s3cret"} {
		if _, err := OpenPostgres(t.Context(), url, brisk()); err == nil || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", url, err)
		}
	}
}

// TestOpenAtOnce: several processes may start at once without a database.
func TestOpenAtOnce(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				q, err := openAt(t.Context(), o.name, o.at, brisk())
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := q.Add(t.Context(), example(), 0); err != nil {
					t.Error(err)
				}
				if err := q.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if jobs, _, err := o.open(brisk()).List(t.Context(), Filter{}); err != nil || len(jobs) != 4 {
			t.Errorf("%d jobs, %v", len(jobs), err)
		}
	})
}

// TestFull: a database without room for a job reports that, and has room again later.
func TestFull(t *testing.T) {
	o := &opener{t: t, name: "sqlite", at: filepath.Join(t.TempDir(), "pavage.db")}
	q := o.open(brisk())
	limit := func(pages string) {
		t.Helper()
		if _, err := q.db.writes.ExecContext(t.Context(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // SQLite takes the present number
	large := example()
	large.Request = []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	if _, err := q.Add(t.Context(), large, 0); !errors.Is(err, syscall.ENOSPC) || IsAway(err) {
		t.Errorf("without room: %v", err)
	}
	limit("100000")
	add(t, q, large)
}

// TestRemoved: no job is accepted into a file that was removed or replaced.
func TestRemoved(t *testing.T) {
	for what, change := range map[string]func(file string) error{
		"removed": os.Remove,
		"replaced": func(file string) error {
			return errors.Join(os.Rename(file, file+".old"), os.WriteFile(file, nil, 0o600))
		},
	} {
		o := &opener{t: t, name: "sqlite", at: filepath.Join(t.TempDir(), "pavage.db")}
		q := o.open(brisk())
		j := add(t, q, example())
		if err := change(o.at); err != nil {
			t.Fatal(err)
		}
		_, added := q.Add(t.Context(), example(), 0)
		_, got := q.Get(t.Context(), j.ID, "")
		if !IsAway(added) || !IsAway(got) {
			t.Errorf("%s: Add %v, Get %v", what, added, got)
		}
	}
}
