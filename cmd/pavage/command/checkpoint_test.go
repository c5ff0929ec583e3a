//go:build unix

package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// tetrominoTilings is the number of tilings of 20x10, which is counted in seconds. (Two versions
// with different states agree.)
const tetrominoTilings = "291053238120184913211835376456587574\n"

// checkpointed starts a count of a second or two on one thread.
func checkpointed(t *testing.T, dir string, every string, more ...string) *running {
	t.Helper()
	args := []string{"count", "--board", "20x10", "--piece", "tetrominoes=any", "--threads", "1", "--checkpoint", dir, "--checkpoint-every", every}
	return start(t, append(args, more...)...)
}

// kept returns the levels in a directory.
func kept(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "level-*.pavage"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var goingOn = regexp.MustCompile(`^pavage: continuing from level ([0-9]+) of 200, with [0-9,]+ states?, saved at .*\n$`)

// TestKilled kills counts, at once or after they have kept some levels, until a count ends. It has the
// right result, and each count has continued from a level of an earlier count.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	changes := []int{0, 1, 3, 2} // of the checkpoint, before each kill
	kills, level := 0, 0
	for {
		r := checkpointed(t, dir, "50ms")
		if kills < len(changes) {
			for range changes[kills] {
				before := kept(t, dir)
				testkit.Until(t, "another level", func() bool { return r.hasEnded() || !slices.Equal(kept(t, dir), before) })
			}
			_ = r.Process.Kill() // or it has ended
		}
		testkit.Until(t, "the end", r.hasEnded)
		level = max(level, wentOn(t, r.errs.String(), level))
		if r.err == nil {
			if r.out.String() != tetrominoTilings {
				t.Errorf("after %d kills: %q", kills, &r.out)
			}
			break
		}
		if r.out.String() != "" {
			t.Errorf("killed, with output %q", &r.out)
		}
		kills++
	}
	t.Logf("%d kills, gone on from level %d in the end", kills, level)
	if kills < 2 || level == 0 {
		t.Errorf("%d kills, gone on from level %d in the end, want at least two and some level", kills, level)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// wentOn returns the level from which a count reports that it continues, or 0. The level is not below
// before.
func wentOn(t *testing.T, said string, before int) int {
	t.Helper()
	if said == "" {
		return 0
	}
	at := goingOn.FindStringSubmatch(said)
	if at == nil {
		t.Fatalf("%q", said)
	}
	level, err := strconv.Atoi(at[1])
	if err != nil || level < before {
		t.Errorf("level %d after level %d, %v", level, before, err)
	}
	return level
}

// TestInterruptCheckpoint ends a count by both signals. The count leaves a checkpoint, although no
// interval has passed, and reports its level.
func TestInterruptCheckpoint(t *testing.T) {
	dir := t.TempDir()
	said := regexp.MustCompile(`(?m)^pavage: interrupted; the same command goes on from level ([0-9]+) of 200$`)
	for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		r := checkpointed(t, dir, "1h", "--progress", "always")
		r.untilBar()
		errs := r.end(signal)
		r.wantInterrupted()
		at := said.FindStringSubmatch(errs)
		if at == nil || (i > 0) != strings.HasPrefix(errs, "pavage: continuing from level ") || r.out.String() != "" {
			t.Fatalf("%v: output %q, error %q", signal, &r.out, errs)
		}
		if files := kept(t, dir); len(files) != i+1 || !strings.Contains(files[i], at[1]) {
			t.Errorf("%v: %q, and files %v", signal, at[0], files)
		}
	}
	r := checkpointed(t, dir, "1h")
	testkit.Until(t, "the end", r.hasEnded)
	if r.err != nil || r.out.String() != tetrominoTilings || !goingOn.MatchString(r.errs.String()) {
		t.Errorf("%v, output %q, error %q", r.err, &r.out, &r.errs)
	}
}

// TestCheckpointInUse: two processes do not share a directory.
func TestCheckpointInUse(t *testing.T) {
	dir := t.TempDir()
	first := start(t, "count", "--board", "12x12", "--piece", "tetrominoes=any", "--checkpoint", dir, "--checkpoint-every", "50ms")
	first.until("a level", func() bool { return len(kept(t, dir)) > 0 })
	second := checkpointed(t, dir, "50ms")
	testkit.Until(t, "the end", second.hasEnded)
	var exit *exec.ExitError
	if errs := second.errs.String(); !errors.As(second.err, &exit) || exit.ExitCode() != codeFailed || second.out.String() != "" || !strings.Contains(errs, dir+" is in use by another process") {
		t.Errorf("%v, output %q, error %q", second.err, &second.out, errs)
	}
}

// TestTimeLeft: if a count began at half and reached three quarters in ten hours, ten hours are left, not
// three.
func TestTimeLeft(t *testing.T) {
	b := &bar{start: time.Now().Add(-10 * time.Hour)}
	b.latest.Store(&job.Progress{Fraction: 0.75, Before: 0.5})
	if got := b.left(); got != "10 hours left" {
		t.Error(got)
	}
	b.latest.Store(&job.Progress{Fraction: 0.5, Before: 0.5})
	if got := b.left(); got != "time left unknown" {
		t.Errorf("nothing done yet, %s", got)
	}
}
