package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// both are the two ways to write; all that is tested here holds for both.
var both = map[string]func(string, func(io.Writer) error) error{"Write": Write, "WriteDurable": WriteDurable}

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// names are the files of a folder.
func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWhole: a new file and one in the place of an old one; nothing else is left.
func TestWhole(t *testing.T) {
	for name, write := range both {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		for _, want := range []string{"first", "", strings.Repeat("second ", 100_000)} {
			if err := write(path, text(want)); err != nil {
				t.Fatal(name, err)
			}
			if got := content(t, path); got != want {
				t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
			}
		}
		if got := names(t, dir); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s leaves %q", name, got)
		}
	}
}

// TestFailingWriter: where the writer fails, or panics, no unfinished file is left, and an old file
// stays unchanged.
func TestFailingWriter(t *testing.T) {
	broken := errors.New("broken")
	for name, write := range both {
		dir := t.TempDir()
		old := filepath.Join(dir, "old")
		if err := os.WriteFile(old, []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{old, filepath.Join(dir, "new")} {
			err := write(path, func(w io.Writer) error {
				if _, err := io.WriteString(w, strings.Repeat("half ", 100_000)); err != nil {
					t.Error(err)
				}
				return broken
			})
			if !errors.Is(err, broken) {
				t.Errorf("%s: %v", name, err)
			}
			func() {
				defer func() { _ = recover() }()
				_ = write(path, func(io.Writer) error { panic("bug") })
			}()
		}
		if got := names(t, dir); !slices.Equal(got, []string{"old"}) || content(t, old) != "precious" {
			t.Errorf("%s leaves %q", name, got)
		}
	}
}

// TestUnseen: while the writer writes, the name has the old file.
func TestUnseen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := Write(path, text("old")); err != nil {
		t.Fatal(err)
	}
	err := Write(path, func(w io.Writer) error {
		err := text(strings.Repeat("new", 100_000))(w)
		if got := content(t, path); got != "old" {
			t.Errorf("seen too early: %.10q", got)
		}
		files := names(t, filepath.Dir(path))
		if ok, _ := filepath.Match(Leftovers("?"), files[len(files)-1]); len(files) != 2 || !ok {
			t.Errorf("a killed process would leave %q, which is not matched", files)
		}
		return err
	})
	if err != nil || len(content(t, path)) != 300_000 {
		t.Error(err)
	}
}

// TestPermissions: a new version of a file has the permissions of the old one, and a new file the
// usual ones.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no such permissions")
	}
	dir := t.TempDir()
	usual := filepath.Join(dir, "usual")
	if err := os.WriteFile(usual, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, write := range both {
		path := filepath.Join(dir, name)
		mode := func() fs.FileMode {
			if err := write(path, text(name)); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			return info.Mode()
		}
		want, err := os.Stat(usual)
		if err != nil || mode() != want.Mode() {
			t.Errorf("%s: a new file has %v, want %v (%v)", name, mode(), want.Mode(), err)
		}
		for _, m := range []fs.FileMode{0o600, 0o640, 0o777} {
			if err := os.Chmod(path, m); err != nil {
				t.Fatal(err)
			}
			if got := mode(); got != m {
				t.Errorf("%s: a file with %v has %v then", name, m, got)
			}
		}
	}
}

// TestLinks: the file that a link points to is replaced, the link stays.
func TestLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	file, link := filepath.Join(elsewhere, "file"), filepath.Join(dir, "link")
	if err := Write(file, text("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	if err := WriteDurable(link, text("new")); err != nil || content(t, file) != "new" {
		t.Errorf("%v, the file has %q", err, content(t, file))
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 || len(names(t, dir)) != 1 || len(names(t, elsewhere)) != 1 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestDevice: a path that is not a regular file is written to directly and not replaced.
func TestDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	if err := WriteDurable(os.DevNull, text("all")); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("%v, was %v; %v", after.Mode(), before.Mode(), err)
	}
	if err := Write(t.TempDir(), text("all")); err == nil {
		t.Error("a folder was written to")
	}
}

// TestErrorsNameTheFile: errors have the name that the caller gave, not the temporary one.
func TestErrorsNameTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "a")
	err := Write(path, text("all"))
	var p *fs.PathError
	if !errors.As(err, &p) || p.Path != path || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	other := &fs.PathError{Op: "read", Path: "elsewhere", Err: fs.ErrInvalid}
	if err := Write(filepath.Join(t.TempDir(), "a"), func(io.Writer) error { return other }); !errors.Is(err, other) {
		t.Errorf("%v", err)
	}
}

// TestFile: a file has its name when it is given it, and is gone if it is closed before.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, keep := range []bool{false, true} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(text("all")(f), f.Sync()); err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); len(got) != 1 || got[0] != filepath.Base(f.Temp().Name()) {
			t.Errorf("%q", got)
		}
		if keep {
			err = f.Commit()
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(err)
		}
		if got := names(t, dir); keep != slices.Equal(got, []string{"a"}) || !keep && len(got) > 0 {
			t.Errorf("kept %v: %q", keep, got)
		}
	}
	if got := content(t, path); got != "all" {
		t.Errorf("%q", got)
	}
	if _, err := Create(dir); err == nil {
		t.Error("a folder is to be replaced")
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	f.path = filepath.Join(dir, "in the way")
	if err := f.Commit(); err == nil {
		t.Error("a folder was replaced")
	}
	if err := f.Close(); err != nil || len(names(t, dir)) != 2 {
		t.Errorf("%v, left %q", err, names(t, dir))
	}
}

func TestSyncFolder(t *testing.T) {
	if err := SyncFolder(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := SyncFolder(filepath.Join(t.TempDir(), "missing")); err == nil && runtime.GOOS == "linux" {
		t.Error("a folder that is missing was synced")
	}
}

// TestKilled: the file of a killed writer is removed by the next writer of the same name, and the file
// of a live writer is not.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	live, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	foreign := []string{"a.tmp", "a.00000009.tmp.txt", "b.00000000.tmp"}
	for _, name := range append(slices.Clone(foreign), "a.00000001.tmp", "a.00000002.tmp") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(path, text("second")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != len(foreign)+2 || !slices.Contains(got, "a.00000000.tmp") {
		t.Errorf("%q is left", got)
	}
	if err := errors.Join(live.Commit(), live.Close()); err != nil || len(names(t, dir)) != len(foreign)+1 {
		t.Errorf("%v, %q is left", err, names(t, dir))
	}
}

// TestManyWriters: writers of one name at the same time all finish, and the last file stays.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if err := Write(path, text("all")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := names(t, dir); !slices.Equal(got, []string{"a"}) || content(t, path) != "all" {
		t.Errorf("%q is left", got)
	}
}

// TestReplaced: a writer does not give its name to the unfinished file of another writer.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := filepath.Join(dir, "other")
	if err := errors.Join(os.WriteFile(other, []byte("half"), 0o666), os.Rename(other, f.Temp().Name())); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil || slices.Contains(names(t, dir), "a") {
		t.Errorf("%v, %q is left, want an error and no file a", err, names(t, dir))
	}
}
