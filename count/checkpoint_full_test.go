//go:build linux

package count

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestCheckpointFull has no room for any checkpoint: the generations from before stay, and nothing
// is left of the new ones. A limit on the length of files stands for a full disk. It holds for a
// whole process, so this is a separate test.
func TestCheckpointFull(t *testing.T) {
	const own = "CHECKPOINT_FULL"
	if os.Getenv(own) == "" {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCheckpointFull$")
		again.Env = append(os.Environ(), own+"=1")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	p := inline(t, "6x6", "tetrominoes=any", "domino=any")
	dir, both := interrupted(t, p)
	before := files(t, dir)
	c, n := openCheckpoint(t, dir, 0)
	ctx, report := ending(20)
	signal.Ignore(syscall.SIGXFSZ) // which would end the process
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}); err != nil {
		t.Skip(err)
	}
	if _, err := c.Count(ctx, p, Options{Watch: Watch{Progress: report}}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	un := n.of(Unsaved)
	if len(un) == 0 || len(n.of(Saved)) > 0 || !strings.Contains(un[0].Err.Error(), un[0].File+": file too large") {
		t.Errorf("%+v", n)
	}
	if got := files(t, dir); got != before || c.Level() < 0 || c.path(c.Level()) != both[1] {
		t.Errorf("left are %s, were %s; level %d", got, before, c.Level())
	}
}
