//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// files returns the visible files of a store, by their names.
func files(t *testing.T, store string) map[string]fs.FileInfo {
	t.Helper()
	all := map[string]fs.FileInfo{}
	err := filepath.WalkDir(store, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, "/.") {
			return nil // the file was deleted, or is not visible
		}
		if info, err := e.Info(); err == nil {
			all[path] = info
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var slabName = regexp.MustCompile(`"slab":\{"name":"([0-9a-f]+)"`)

// kept returns levels, receipts, and the slabs that they name: no process may write them again.
func kept(t *testing.T, store string) map[string]fs.FileInfo {
	t.Helper()
	all, kept := files(t, store), map[string]fs.FileInfo{}
	for path, info := range all {
		folder := filepath.Dir(path)
		switch filepath.Base(folder) {
		case "levels":
			kept[path] = info
		case "tasks":
			kept[path] = info
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err) // no receipt is ever removed
			}
			for _, name := range slabName.FindAllSubmatch(text, -1) {
				slab := filepath.Join(filepath.Dir(folder), "slabs", string(name[1]))
				if info := all[slab]; info != nil { // otherwise it was deleted, like all old slabs
					kept[slab] = info
				}
			}
		}
	}
	return kept
}

// run is a process that may be killed.
type run struct {
	*exec.Cmd
	out, errs bytes.Buffer
	ended     chan struct{}
	err       error
}

func start(t *testing.T, name string, args ...string) *run {
	t.Helper()
	r := &run{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	r.Stdout, r.Stderr, r.Dir = &r.out, &r.errs, t.TempDir() // Beam's starter leaves its options there
	r.Env = append(os.Environ(), "TMPDIR="+r.Dir)            // a killed process leaves its files there
	r.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}      // its children die with it
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		r.err = r.Wait()
		close(r.ended)
	}()
	t.Cleanup(r.kill)
	return r
}

func (r *run) kill() {
	_ = syscall.Kill(-r.Process.Pid, syscall.SIGKILL) // the process may have ended
	<-r.ended
}

func (r *run) hasEnded() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// killed kills a count this number of times, after new files have appeared in its store, and starts the
// count again. Complete files are not written again, and the count is right.
func killed(t *testing.T, times int, args ...string) {
	store, rng := t.TempDir(), rand.New(rand.NewPCG(18, uint64(times)))
	args = append([]string{"count", "--board", "8x8", "--piece", "tetrominoes=any", "--store", store, "--band", "4", "--tasks", "8", "--progress", "never"}, args...)
	before := map[string]fs.FileInfo{}
	wasKilled := 0
	for range times {
		most := len(kept(t, store)) + 1 + rng.IntN(60/times)
		r := start(t, "pavage-beam", args...)
		testkit.Until(t, "more files", func() bool { return r.hasEnded() || len(kept(t, store)) >= most })
		r.kill()
		if r.err != nil {
			wasKilled++
		}
		unchanged(t, store, before)
		before = kept(t, store)
	}
	if wasKilled < times/2 {
		t.Errorf("%d of %d were killed before their end", wasKilled, times)
	}
	r := start(t, "pavage-beam", args...)
	testkit.Until(t, "the end", r.hasEnded)
	if r.err != nil || r.out.String() != "19077209438\n" || r.errs.Len() > 0 {
		t.Errorf("%v, output %q, error %q", r.err, &r.out, &r.errs)
	}
	unchanged(t, store, before)
}

// unchanged checks that each file is unchanged or deleted.
func unchanged(t *testing.T, store string, before map[string]fs.FileInfo) {
	t.Helper()
	now := files(t, store)
	for path, was := range before {
		if is := now[path]; is != nil && !os.SameFile(is, was) {
			t.Errorf("%s was written again", strings.TrimPrefix(path, store))
		}
	}
}

// TestKilled kills a process that works alone.
func TestKilled(t *testing.T) { killed(t, testkit.Size(3, 20)) }

// TestKilledWorkers kills a driver and its workers, which get their tasks from a Prism in a process
// of its own.
func TestKilledWorkers(t *testing.T) {
	testkit.Long(t)
	killed(t, 20, "--runner", "universal", "--environment_type", "LOOPBACK", "--endpoint", prism(t))
}

// TestWorkers: Prism starts workers in processes of their own, as clusters do: by Beam's starter,
// which gets the program from Prism, and starts it as a worker.
func TestWorkers(t *testing.T) {
	testkit.Long(t)
	dir := t.TempDir()
	t.Cleanup(func() { unpacked(t) })
	// Prism puts the number of the worker into quotation marks of its own.
	starter := filepath.Join(dir, "start")
	script := fmt.Sprintf("#!/bin/sh\nid=$(echo \"$1\" | tr -d \"'\")\nshift\nexec %s \"$id\" --semi_persist_dir=%s \"$@\"\n", built(t, "container"), dir)
	if err := os.WriteFile(starter, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r := start(t, "pavage-beam", "count", "--board", "8x8", "--piece", "tetrominoes=any", "--store", filepath.Join(dir, "s"), "--tasks", "5",
		"--runner", "universal", "--endpoint", prism(t), "--environment_type", "PROCESS", "--environment_config", `{"command":"`+starter+`"}`)
	testkit.Until(t, "the end", r.hasEnded)
	if r.err != nil || r.out.String() != "19077209438\n" || r.errs.Len() > 0 {
		t.Errorf("%v, output %q, error %q", r.err, &r.out, &r.errs)
	}
}

// unpacked removes the programs that Beam's starter has left, which has one place for them alone.
func unpacked(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	is, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	workers, _ := filepath.Glob("/tmp/bin*/worker")
	for _, worker := range workers {
		if w, err := os.Stat(worker); err == nil && w.Size() == is.Size() {
			os.RemoveAll(filepath.Dir(worker))
		}
	}
}

// built is a program of Beam's.
func built(t *testing.T, program string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), filepath.Base(program))
	if out, err := exec.Command("go", "build", "-o", file, "github.com/apache/beam/sdks/v2/go/"+program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// prism starts a Prism in a process of its own, and returns its address.
func prism(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	l.Close()
	r := start(t, built(t, "cmd/prism"), "--job_port", fmt.Sprint(address.Port), "--serve_http=false")
	testkit.Until(t, "Prism", func() bool {
		if r.hasEnded() {
			t.Fatalf("Prism: %v: %s", r.err, &r.errs)
		}
		c, err := net.Dial("tcp", address.String())
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return fmt.Sprintf("localhost:%d", address.Port)
}
