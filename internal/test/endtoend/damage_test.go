package endtoend

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// hurt are ways to damage a file.
var hurt = map[string]func([]byte) []byte{
	"damaged": func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)/2] ^= 1
		return b
	},
	"truncated": func(b []byte) []byte { return b[:len(b)/2] },
	"empty":     func([]byte) []byte { return nil },
}

// TestDamagedDatabase: a service does not start on a database that is damaged. It reports the
// reason in one line, and leaves the file unchanged.
func TestDamagedDatabase(t *testing.T) {
	s := fresh(t, "")
	v := s.serve(t)
	v.done(&job.Count{Puzzle: board})
	v.stop()
	file := filepath.Join(s.data, "pavage.db")
	whole := read(t, file)
	for name, how := range map[string]func([]byte) []byte{
		"truncated": hurt["truncated"],
		"header":    func(b []byte) []byte { return append([]byte("SQLite format 9"), b[15:]...) },
		"nonsense":  func([]byte) []byte { return bytes.Repeat([]byte("nonsense "), 10_000) },
	} {
		bad := how(bytes.Clone(whole))
		write(t, file, bad)
		said, err := pavage(s.args("serve")...).CombinedOutput()
		var exit *exec.ExitError
		line := string(bytes.TrimSpace(said))
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(line, "pavage.db") || strings.Contains(line, "\n") {
			t.Errorf("%s: %v, it says %q", name, err, line)
		}
		if !bytes.Equal(read(t, file), bad) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	write(t, file, whole)
	v = s.serve(t)
	for j, err := range v.client().List(t.Context(), client.Filter{}) {
		if err != nil || j.State != client.Done {
			t.Errorf("%+v, %v", j, err)
		}
	}
	v.stop()
}

// TestDamagedAnswer: a request for a damaged answer is an error. The file stays as it is, the rest
// is served, and the same count asked again is computed again.
func TestDamagedAnswer(t *testing.T) {
	for name, how := range hurt {
		t.Run(name, func(t *testing.T) {
			v := fresh(t, "").serve(t)
			c, ctx := v.client(), t.Context()
			good := v.done(&job.Count{Puzzle: small})
			sound := v.files("answer")
			bad := v.done(&job.Count{Puzzle: board})
			file := v.newFile("answer", sound)
			hurtBytes := how(read(t, file))
			write(t, file, hurtBytes)

			var p *client.Problem
			if j, err := c.Get(ctx, bad.ID); !errors.As(err, &p) || p.Status != 500 || !strings.Contains(p.Detail, "damaged") {
				t.Errorf("%+v, %v", j, err)
			}
			if !bytes.Equal(read(t, file), hurtBytes) {
				t.Error("a look has changed the file")
			}
			if j := must(c.Get(ctx, good.ID))(t); as[job.Counted](t, j.Answer).Count != "3" {
				t.Errorf("%+v", j)
			}
			v.checkStore(file)
			if a := must(c.Count(ctx, &job.Count{Puzzle: board}))(t); a.Count != "12988816" {
				t.Errorf("%+v", a)
			}
			if !v.keeps(hurtBytes) {
				t.Error("the damaged bytes are gone")
			}
			v.stop()
		})
	}
}

// TestDamagedDiagram: tilings are drawn all the same, the same ones, where the diagram that
// they were drawn from is damaged.
func TestDamagedDiagram(t *testing.T) {
	for name, how := range hurt {
		t.Run(name, func(t *testing.T) {
			s := fresh(t, "")
			v := s.serve(t)
			const path = "/v1/samples?board=8x8&piece=domino=any&n=5&seed=7"
			want := v.get(path)
			testkit.Until(t, "a diagram in the store", func() bool { return len(v.files("diagram")) == 1 })
			v.stop() // or it would be in memory
			file := v.newFile("diagram", nil)
			hurtBytes := how(read(t, file))
			write(t, file, hurtBytes)
			v = s.serve(t)
			if got := v.get(path); got != want || want == "" {
				t.Errorf("%q, want %q", got, want)
			}
			v.until(`a diagram of the store cannot be used`)
			v.stop()
			if !v.keeps(hurtBytes) {
				t.Error("the damaged bytes are gone")
			}
		})
	}
}

// files are the files of a kind in the store.
func (s *setup) files(kind string) (files []string) {
	files, _ = filepath.Glob(filepath.Join(s.data, "store", kind, "*", "*"))
	return files
}

// newFile is the file of a kind that was not there before.
func (v *service) newFile(kind string, before []string) string {
	v.t.Helper()
	for _, file := range v.files(kind) {
		if !strings.Contains(strings.Join(before, "\n"), file) {
			return file
		}
	}
	v.t.Fatalf("no new file of the kind %s", kind)
	return ""
}

// checkStore wants pavage store check to name the file.
func (v *service) checkStore(file string) {
	v.t.Helper()
	said, err := pavage("store", "check", "--data", v.data).CombinedOutput()
	if err == nil || !bytes.Contains(said, []byte(filepath.Base(file))) {
		v.t.Errorf("store check: %v, it says %s", err, said)
	}
}

// keeps reports whether some file of the store has these bytes still.
func (s *setup) keeps(want []byte) bool {
	found := false
	_ = filepath.WalkDir(filepath.Join(s.data, "store"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && e.Name() != "lock" {
			got, _ := os.ReadFile(path)
			found = found || bytes.Equal(got, want)
		}
		return nil
	})
	return found
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	return must(os.ReadFile(file))(t)
}

// write overwrites a file in its place, as damage does.
func write(t testing.TB, file string, b []byte) {
	t.Helper()
	f := must(os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0))(t)
	_, err := f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
