//go:build unix

package command

import (
	"bytes"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// interrupt starts pavage, interrupts it, and wants it to end within a second
// with the code for that and one line.
func interrupt(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("pavage", args...)
	var out, errs bytes.Buffer
	in, err := cmd.StdinPipe() // open and silent, as a terminal's
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	start := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != codeInterrupted {
		t.Errorf("%v: ended with %v, want exit code %d", args, err, codeInterrupted)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("%v: ended after %v", args, d)
	}
	if out.Len() > 0 || errs.String() != "pavage: interrupted\n" {
		t.Errorf("%v: output %.100q, error %.300q", args, out.String(), errs.String())
	}
}

func TestInterrupt(t *testing.T) {
	interrupt(t, "count", "--board", "14x14", "--piece", "tetrominoes=any", "--engine", "sweep")
	interrupt(t, "count", "--board", "12x12", "--piece", "tetrominoes=any", "--engine", "diagram")
	interrupt(t, "sample", "--board", "12x12", "--piece", "tetrominoes=any")
	interrupt(t, "count", "-")
}

// TestInterruptList wants an interrupted list to end soon, with whole lines and
// the cursor of the last one.
func TestInterruptList(t *testing.T) {
	cmd := exec.Command("pavage", "list", "--board", "8x8", "--piece", "domino=any", "--json")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	start := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != codeInterrupted || time.Since(start) > 2*time.Second {
		t.Errorf("ended with %v after %v, want exit code %d", err, time.Since(start), codeInterrupted)
	}
	all := slices.Collect(strings.Lines(out.String()))
	if len(all) == 0 {
		t.Fatal("nothing was listed")
	}
	want := "pavage: interrupted; to go on: --after " + cursorOf(t, all[len(all)-1]) + "\n"
	if errs.String() != want {
		t.Errorf("error %q, want %q", errs.String(), want)
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

func TestOneLine(t *testing.T) {
	if got := oneLine("a\n\n\tb \x1b[31mred\x07\u0085c\u009bd"); got != "a; b ?[31mred? c?d" {
		t.Errorf("got %q", got)
	}
	if got := oneLine(strings.Repeat("é", 3)); got != "ééé" {
		t.Errorf("got %q", got)
	}
}
