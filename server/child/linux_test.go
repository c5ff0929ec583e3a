package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/kit/filelock"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// TestBackground: all threads of a child have a low priority, the kernel would kill the child first, it
// is in a group of its own, and it sees neither the environment nor the files of its parent.
func TestBackground(t *testing.T) {
	t.Setenv("SECRET", "swordfish")
	mine, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	c := started(t, "child")
	ctx, cancel := context.WithCancel(t.Context())
	looked := false
	task, sink := long(func() {
		defer cancel() // the process lives until its context ends
		if looked {
			return
		}
		looked = true
		proc := fmt.Sprintf("/proc/%d/", c.pid)
		threads, _ := filepath.Glob(proc + "task/*/stat")
		for _, file := range threads {
			if nice := after(t, file, ") ")[17]; nice != "10" {
				t.Errorf("%s: niceness %s", file, nice)
			}
		}
		if group := after(t, proc+"stat", ") ")[3]; group != strconv.Itoa(c.pid) || len(threads) < 2 {
			t.Errorf("%d threads, of the group %s", len(threads), group)
		}
		if score := after(t, proc+"oom_score_adj", "\n\n"); score[0] != "800" {
			t.Errorf("oom_score_adj %q", score)
		}
		folder := folders(c.Temp)[0]
		if environment := strings.Join(after(t, proc+"environ", "\x00\x00\x00"), " "); strings.Contains(environment, "swordfish") || !strings.Contains(environment, "TMPDIR="+folder+"\x00") {
			t.Errorf("environment %q", environment)
		}
		files, _ := filepath.Glob(proc + "fd/*")
		for _, f := range files {
			if to, _ := os.Readlink(f); to == mine.Name() {
				t.Errorf("%s is %s", f, to)
			}
		}
	})
	_, _ = c.Run(ctx, task, sink)
	if !looked {
		t.Error("there was no child")
	}
}

// after returns the words of a file after the last occurrence of text, or all words.
func after(t *testing.T, file, text string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b)[max(0, strings.LastIndex(string(b), text)):])
}

// TestGuard: a child that uses more than its share is killed, and other children are not.
func TestGuard(t *testing.T) {
	c := started(t, "grows")
	task := dominoes("8x8")
	task.Limits.Memory = 64 << 20
	slowly := func([]byte) error {
		for i := 0; i < 5_000 && !gone(c.pid) && machine.Resident(c.pid) > allowed(task.Limits.Memory); i++ {
			runtime.Gosched() // lets the guard run
		}
		return nil
	}
	_, err := c.Run(t.Context(), task, Sink{Output: writes(slowly)})
	wants(t, err, job.Limit, "the work needs more than its share of the memory, 67 MB")
	if !errors.Is(err, limit.ErrMemory) {
		t.Error(err)
	}
	if allowed(0) != 0 || allowed(100<<20) != 179<<20 {
		t.Errorf("%d and %d are allowed", allowed(0), allowed(100<<20))
	}
}

// TestSignals: signals to the group of a service do not reach its children.
func TestSignals(t *testing.T) {
	c := started(t, "child")
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		once := sync.OnceFunc(func() {
			if err := syscall.Kill(c.pid, sent); err != nil {
				t.Error(err)
			}
		})
		if _, err := c.Run(t.Context(), dominoes("12x12"), Sink{Progress: func(job.Progress) { once() }}); err != nil {
			t.Errorf("after %v: %v", sent, err)
		}
	}
}

// gone reports whether a process has ended. A zombie has ended.
func gone(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

// TestOrphan: when a parent is killed, its child ends, whatever it does, and the next child of the task
// removes its folder.
func TestOrphan(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{playing + "=parent", "TMPDIR=" + dir}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(out).ReadString('\n')
	pid, e := strconv.Atoi(strings.TrimSpace(said))
	if err := errors.Join(err, e); err != nil {
		t.Fatal(err)
	}
	if names := folders(dir); len(names) != 1 {
		t.Errorf("folders of a parent: %v", names)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	testkit.Until(t, "the end of an orphan", func() bool { return gone(pid) })
	if _, err := os.Stat(filepath.Join(dir, outlived)); err == nil {
		t.Fatal("the orphan lived as long as it liked")
	}
	next := started(t, "child", func(o *Options) { o.Temp = dir })
	if _, err := next.Run(t.Context(), dominoes("8x8"), Sink{}); err != nil {
		t.Error(err)
	}
}

func folders(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, FolderPrefix+"*"))
	return names
}

// TestInUse: a task waits until another process releases the checkpoint.
func TestInUse(t *testing.T) {
	c := started(t, "child")
	dir := t.TempDir()
	lock, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := filelock.Alone(lock); err != nil {
		t.Fatal(err)
	}
	body := `{"puzzle":{"text":"board: 4x4\npieces:\n  - {shape: \"##\", name: a, copies: any}\n  - {shape: \"##\", name: b, copies: any}\n"}}`
	task := Task{Kind: "count", Request: []byte(body), Limits: job.Limits{Checkpoint: dir}}
	tries := 0
	sink := Sink{Note: func(n job.Note) {
		if tries++; strings.Contains(n.Text, "same shape") && tries == 2 { // the first attempt has failed
			_ = lock.Close()
		}
	}}
	if _, err := c.Run(t.Context(), task, sink); err != nil || tries < 2 {
		t.Errorf("%d tries, %v", tries, err)
	}
	_ = lock.Close()
}

// TestNothingLeft: children leave no process, goroutine or file. TestMain looks for goroutines.
func TestNothingLeft(t *testing.T) {
	before := open(t)
	for range testkit.Size(5, 40) {
		c := started(t, "child")
		if _, err := c.Run(t.Context(), dominoes("4x4"), Sink{}); err != nil {
			t.Error(err)
		}
		if !gone(c.pid) {
			t.Errorf("process %d is there", c.pid)
		}
	}
	if now := open(t); now > before+2 { // Go may have opened files
		t.Errorf("%d open files, %d before", now, before)
	}
}

func open(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
