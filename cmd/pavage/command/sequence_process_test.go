//go:build unix

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterruptSequence interrupts and kills a table on its way into a file,
// and wants a file that can be gone on with.
func TestInterruptSequence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGINT} {
		r := start(t, "sequence", "--piece", "tetrominoes=any", "--rows", "1..14", "--columns", "1..14", "--output", path, "--progress", "always")
		r.until("a count", func() bool {
			text, _ := os.ReadFile(path) // which may not be there yet
			return bytes.Contains(text, []byte("\n4,4,117\n"))
		})
		r.untilBar()
		errs := r.end(signal)
		if signal == syscall.SIGKILL {
			continue
		}
		r.wantInterrupted()
		if !strings.HasPrefix(errs, "pavage: interrupted; "+path+" has ") || strings.Count(errs, "\n") != 1 || r.out.String() != "" {
			t.Errorf("output %q, error %q", &r.out, errs)
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.HasSuffix(text, []byte("\n")) || !bytes.Contains(text, []byte("\n4,4,117\n")) {
			t.Errorf("%v, file %q", err, text)
		}
	}
}
