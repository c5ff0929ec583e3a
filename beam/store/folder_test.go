package store_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/beam/store"
)

// stagesIn names the store in which a process of TestDies stages a file.
const stagesIn = "PAVAGE_TEST_STAGES_IN"

func TestMain(m *testing.M) {
	if where := os.Getenv(stagesIn); where != "" {
		stageAndHang(where)
	}
	os.Exit(m.Run())
}

// stageAndHang writes half a file, prints a line, and waits to be killed.
func stageAndHang(where string) {
	ctx := context.Background()
	s, err := store.Open(ctx, where)
	if err == nil {
		var f store.Staged
		if f, err = s.Stage(ctx); err == nil {
			_, err = f.Write([]byte("half"))
		}
	}
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString("half\n")
	select {}
}

// TestDies: a process that is killed between stage and commit leaves no visible file, and its
// staged file is removed when it is old; the staged file of a living process is not.
func TestDies(t *testing.T) {
	where := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), stagesIn+"="+where)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said, _ := bufio.NewReader(out).ReadString('\n')
	if said != "half\n" {
		t.Errorf("%q", said)
	}
	lives := staged(t, where)
	old(t, lives)
	stage(t, where)
	if got := staged(t, where); len(got) != 1 || got[0] != lives[0] {
		t.Errorf("a file of a living process was removed: %q, before %q", got, lives)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	s := open(t, where)
	if got, err := s.List(t.Context(), ""); err != nil || len(got) > 0 {
		t.Errorf("%q, %v", got, err)
	}
	if got := staged(t, where); len(got) != 1 {
		t.Errorf("%q is left, want a file", got)
	}
	stage(t, where)
	if got := staged(t, where); len(got) != 0 {
		t.Errorf("%q is left", got)
	}
}

// TestYoungStays: a file that was written to a moment ago is not removed, locked or not: its
// process may be about to commit.
func TestYoungStays(t *testing.T) {
	where := t.TempDir()
	stage(t, where)
	for _, name := range []string{"file.01234567.tmp", "file.89abcdef.tmp", "of-another-program"} {
		if err := os.WriteFile(filepath.Join(where, ".staged", name), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all := staged(t, where)
	old(t, all[1:])
	stage(t, where)
	if got := staged(t, where); len(got) != 2 || got[0] != all[0] || got[1] != all[2] {
		t.Errorf("left are %q of %q", got, all)
	}
}

// stage stages a file and discards it, like a new process.
func stage(t *testing.T, where string) {
	t.Helper()
	f, err := open(t, where).Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()
}

// staged lists the unfinished files.
func staged(t *testing.T, where string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(where, ".staged", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func old(t *testing.T, paths []string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoStore: a place that cannot be a store is an error in one line with the reason.
func TestNoStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	amazon(t)
	google(t)
	for _, test := range []struct{ where, says string }{
		{"", "empty"},
		{file, "is not a folder"},
		{filepath.Join(file, "under"), "not a directory"},
		{"ftp://host/folder", `"ftp" not registered`},
		{"panics://a", "no settings, no system"},
		{"s3://", "a bucket"},
		{"gs:///folder", "a bucket"},
		{"s3://bucket/../other", "a bucket"},
		{"s3://bucket/fold*", "a bucket"},
		{"s3://other/folder", "bucket does not exist"},
		{"gs://other/folder", "404"},
	} {
		_, err := store.Open(t.Context(), test.where)
		if !errors.Is(err, store.ErrPlace) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", test.where, err, test.says)
		}
	}
}

// TestNoCredentials: missing credentials are an error at once.
func TestNoCredentials(t *testing.T) {
	amazon(t)
	for _, key := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "STORAGE_EMULATOR_HOST"} {
		t.Setenv(key, "")
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "missing.json"))
	for _, where := range []string{"s3://bucket/folder", "gs://bucket/folder"} {
		_, err := store.Open(t.Context(), where)
		if !errors.Is(err, store.ErrPlace) || !strings.Contains(err.Error(), "there are no credentials") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", where, err)
		}
	}
}

// TestNotWritable: a folder that cannot be written to is an error when a file is staged.
func TestNotWritable(t *testing.T) {
	where := t.TempDir()
	if err := os.WriteFile(filepath.Join(where, ".staged"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := store.Write(t.Context(), open(t, where), "a", nil); !errors.Is(err, store.ErrPlace) || !strings.Contains(err.Error(), "cannot be written to") {
		t.Errorf("%v", err)
	}
}
