//go:build unix

package command

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// interruptAtBar starts pavage, interrupts it once it shows a bar, and wants the exit
// code for that, no output and, when the bar is gone, one line that ends with a hint.
func interruptAtBar(t *testing.T, hint string, args ...string) {
	t.Helper()
	r := start(t, append(args, "--progress", "always")...)
	r.untilBar()
	if errs := r.end(syscall.SIGINT); r.out.String() != "" || errs != "pavage: interrupted"+hint+"\n" {
		t.Errorf("%v: output %.100q, error %.300q", args, &r.out, errs)
	}
	r.wantInterrupted()
}

func TestInterrupt(t *testing.T) {
	interruptAtBar(t, "; a count with --checkpoint DIR can be interrupted and go on later", "count", "--board", "14x14", "--piece", "tetrominoes=any", "--engine", "sweep")
	interruptAtBar(t, "", "count", "--board", "12x12", "--piece", "tetrominoes=any", "--engine", "diagram")
	interruptAtBar(t, "", "sample", "--board", "12x12", "--piece", "tetrominoes=any")
}

// TestInterruptReading interrupts a program that waits for its puzzle.
func TestInterruptReading(t *testing.T) {
	cmd := exec.Command("pavage", "count", "-")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// No pipe holds 200,000 bytes: when they are written, the program is reading.
	if _, err := io.WriteString(in, strings.Repeat("# a line of nothing\n", 10_000)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != codeInterrupted || out.Len() > 0 || errs.String() != "pavage: interrupted\n" {
		t.Errorf("ended with %v, output %q, error %q, want exit code %d", err, &out, &errs, codeInterrupted)
	}
}

// TestInterruptExplained: a search that is interrupted has printed its plan before.
func TestInterruptExplained(t *testing.T) {
	r := start(t, "count", "name:tetris-cube", "--explain", "--engine", "search", "--json", "--progress", "always")
	r.untilBar()
	want := regexp.MustCompile(`^engine  search, since it was asked for\n(.*\n)+pavage: interrupted\n$`)
	if errs := r.end(syscall.SIGINT); r.out.String() != "" || !want.MatchString(errs) {
		t.Errorf("output %.100q, error %q", &r.out, errs)
	}
	r.wantInterrupted()
}

// TestInterruptList wants an interrupted list to end with whole lines and the
// cursor of the last one.
func TestInterruptList(t *testing.T) {
	r := start(t, "list", "--board", "8x8", "--piece", "domino=any", "--json")
	r.until("a tiling", func() bool { return r.out.String() != "" })
	errs := r.end(syscall.SIGINT)
	r.wantInterrupted()
	all := slices.Collect(strings.Lines(r.out.String()))
	want := "pavage: interrupted; to go on: --after " + cursorOf(t, all[len(all)-1]) + "\n"
	if errs != want {
		t.Errorf("error %q, want %q", errs, want)
	}
}

// TestClosedPipe wants a reader that has seen enough to end the run.
func TestClosedPipe(t *testing.T) {
	cmd := exec.Command("sh", "-c", "pavage sample --board 8x8 --piece domino=any -n 1000000000 --json | head -n 1")
	out, err := cmd.Output()
	if err != nil || bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("%v, output %.100q", err, out)
	}
}

func TestLog10(t *testing.T) {
	pow := func(x, y int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(y), nil) }
	for want, n := range map[string]*big.Int{
		"-inf": big.NewInt(0), "0": big.NewInt(1), "3": big.NewInt(1000), "48": pow(10, 48), "1000": pow(10, 1000),
		"30.1029995663981": pow(2, 100), "301.029995663981": pow(2, 1000),
		"0.954242509439325": big.NewInt(9),
	} {
		if got := log10(n); got != want {
			t.Errorf("log10(%.40v…) = %s, want %s", n, got, want)
		}
	}
}
