//go:build unix

package command

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pavage/pavage/count"
)

// tenByTen are the tilings of 10x10 by tetrominoes, as published.
const tenByTen = "72713560548906621\n"

// checkpointed is a count of a second or two.
func checkpointed(dir string, every string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	cmd = exec.Command("pavage", "count", "--board", "10x10", "--piece", "tetrominoes=any", "--checkpoint", dir, "--checkpoint-every", every)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	return cmd, out, errs
}

var goingOn = regexp.MustCompile(`^pavage: going on from level ([0-9]+) of 100, [0-9,]+ states?, as of .*\n$`)

// TestKilled kills counts at moments that nobody chose, until one is done: it
// has the count, and each went on from where some one before had been.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	kills, level := 0, -1
	for {
		cmd, out, errs := checkpointed(dir, "50ms")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < 4 {
			time.AfterFunc(time.Duration(rnd.IntN(700))*time.Millisecond, func() { cmd.Process.Kill() })
		}
		err := cmd.Wait()
		if said := errs.String(); said != "" {
			at := goingOn.FindStringSubmatch(said)
			if at == nil {
				t.Fatalf("after %d kills: %q", kills, said)
			}
			from, _ := strconv.Atoi(at[1])
			if from < level {
				t.Errorf("level %d after level %d", from, level)
			}
			level = from
		}
		if err == nil {
			if out.String() != tenByTen {
				t.Errorf("after %d kills: %q", kills, out)
			}
			break
		}
		if out.Len() > 0 {
			t.Errorf("killed, with output %q", out)
		}
		kills++
	}
	t.Logf("%d kills, gone on from level %d in the end", kills, level)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestInterruptCheckpoint asks a count to end, in both ways: it leaves what it
// has come to, although no interval has passed, and says so.
func TestInterruptCheckpoint(t *testing.T) {
	dir := t.TempDir()
	said := regexp.MustCompile(`(?m)^pavage: interrupted; the same command goes on from level ([0-9]+) of 100$`)
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, out, errs := checkpointed(dir, "1h")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		start := time.Now()
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != codeInterrupted || time.Since(start) > 2*time.Second || out.Len() > 0 {
			t.Fatalf("%v: %v after %v, output %q, error %q", signal, err, time.Since(start), out, errs)
		}
		at := said.FindStringSubmatch(errs.String())
		if at == nil || (i > 0) != strings.HasPrefix(errs.String(), "pavage: going on from level ") {
			t.Fatalf("%v: error %q", signal, errs)
		}
		files, err := filepath.Glob(filepath.Join(dir, "level-*"))
		if err != nil || len(files) != i+1 || !strings.Contains(files[i], at[1]) {
			t.Errorf("%v: %q, and files %v, %v", signal, at[0], files, err)
		}
	}
	cmd, out, errs := checkpointed(dir, "1h")
	if err := cmd.Run(); err != nil || out.String() != tenByTen || !goingOn.MatchString(errs.String()) {
		t.Errorf("%v, output %q, error %q", err, out, errs)
	}
}

// TestCheckpointInUse: two processes do not share a directory.
func TestCheckpointInUse(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := checkpointed(dir, "50ms")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	second, out, errs := checkpointed(dir, "50ms")
	var exit *exec.ExitError
	if err := second.Run(); !errors.As(err, &exit) || exit.ExitCode() != codeFailed || out.Len() > 0 || !strings.Contains(errs.String(), dir+" is in use by another process") {
		t.Errorf("%v, output %q, error %q", err, out, errs)
	}
	if err := errors.Join(first.Process.Kill(), ignoreExit(first.Wait())); err != nil {
		t.Error(err)
	}
}

// TestTimeLeft: of a count that began at half and came to three quarters in a
// minute, a minute is left, not twenty seconds.
func TestTimeLeft(t *testing.T) {
	b := &bar{before: 0.5, start: time.Now().Add(-time.Minute)}
	b.latest.Store(&count.Progress{Fraction: 0.75})
	if got := b.left(); got != "60 s left" {
		t.Error(got)
	}
	b.latest.Store(&count.Progress{Fraction: 0.5})
	if got := b.left(); strings.Contains(got, "left") {
		t.Errorf("nothing done yet, %s", got)
	}
}

// ignoreExit drops the error that a process ended in the way it was made to.
func ignoreExit(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return err
}
