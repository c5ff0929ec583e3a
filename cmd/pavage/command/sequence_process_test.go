//go:build unix

package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterruptSequence interrupts and kills a table on its way into a file,
// and wants a file that can be gone on with.
func TestInterruptSequence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	args := []string{"sequence", "--piece", "tetrominoes=any", "--rows", "1..14", "--columns", "1..14", "--output", path}
	for _, signal := range []os.Signal{os.Interrupt, os.Kill, os.Interrupt} {
		cmd := exec.Command("pavage", args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		if signal == os.Kill {
			continue
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != codeInterrupted || out.Len() > 0 {
			t.Errorf("ended with %v, output %q, want exit code %d and nothing", err, out.String(), codeInterrupted)
		}
		if line := errs.String(); !strings.HasPrefix(line, "pavage: interrupted; "+path+" has ") || strings.Count(line, "\n") != 1 {
			t.Errorf("error %q", line)
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.HasSuffix(text, []byte("\n")) || !bytes.Contains(text, []byte("\n4,4,117\n")) {
			t.Errorf("%v, file %q", err, text)
		}
	}
}
