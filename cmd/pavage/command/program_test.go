package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
)

// other is a program of one verb, which writes its arguments, or fails in the way that its flag
// names.
func other() *Program {
	return &Program{
		Name: "other", Short: "Another program", Long: "Another program.",
		Verbs: map[string]func(*Call) *cobra.Command{"look": func(c *Call) *cobra.Command {
			var flags struct {
				Fail string `flag:"HOW" doc:"fail, HOW"`
				job.Conditions
			}
			return c.Verb(&cobra.Command{Use: "look PUZZLE", Short: "Look at a puzzle"}, func(ctx context.Context) error {
				switch flags.Fail {
				case "limit":
					return Fail(job.Limit, errors.New("too large\n"))
				case "usage":
					return Fail(job.BadInput, errors.New("bad"))
				}
				r := job.Count{Puzzle: c.Puzzle, Conditions: flags.Conditions}
				watch, done := c.Watch("looking", false)
				p, err := r.Prepare(ctx, c.Limits, watch)
				if err != nil {
					return err
				}
				done()
				c.Log.Info().Msg("looked")
				if c.Given("threads") {
					return c.JSON(map[string]any{"threads": c.Config.Threads})
				}
				_, err = fmt.Fprintf(c.Out, "%d options, %d conditions\n", len(p.Problem.Options), len(flags.With))
				return err
			}, []string{"threads"}, &flags)
		}},
	}
}

// TestProgram: another program reads puzzles and settings, and reports errors, in the same way as
// pavage.
func TestProgram(t *testing.T) {
	t.Setenv("PAVAGE_LOG_FORMAT", "json")
	domino := []string{"look", "--board", "2x3", "--piece", "domino=any"}
	for _, c := range []struct {
		args      []string
		code      int
		out, errs string // parts of them
	}{
		{domino, codeDone, "7 options, 0 conditions\n", ""},
		{append(domino, "--with", "domino", "--log-level", "info"), codeDone, "7 options, 1 conditions\n", `"message":"looked"`},
		{append(domino, "--with", "domino"), codeDone, "", "conditions: with domino\n"},
		{append(domino, "--threads", "3"), codeDone, `{"threads":3}` + "\n", ""},
		{[]string{"look"}, codeUsage, "", "other: no puzzle given, expected a file, - for standard input, name:EXAMPLE, or --board and --piece\n"},
		{[]string{"look", "--threads", "x"}, codeUsage, "", "other: --threads is \"x\", expected a whole number"},
		{append(domino, "--fail", "limit"), codeLimit, "", "other: too large\n"},
		{append(domino, "--fail", "usage"), codeUsage, "", "other: bad\n"},
		{[]string{"see"}, codeUsage, "", "other: unknown command"},
		{[]string{"help", "see"}, codeUsage, "", "other: unknown command"},
		{[]string{"count"}, codeUsage, "", "other: unknown command"},
		{[]string{"version"}, codeDone, "other ", ""},
		{[]string{"--version"}, codeDone, "other ", ""},
		{[]string{"look", "--help"}, codeDone, "--fault-free", ""},
	} {
		var out, errs bytes.Buffer
		code := other().Main(c.args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != c.code || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.errs) || code != codeDone && strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: code %d, output %q, error %q, want %d, %q, %q", c.args, code, &out, &errs, c.code, c.out, c.errs)
		}
	}
}

// TestProgramEndless: a puzzle that never ends is read up to the limit only.
func TestProgramEndless(t *testing.T) {
	var in endless
	if code := other().Main([]string{"look", "-"}, Streams{In: &in, Out: io.Discard, Err: io.Discard}); code != codeUsage || in.read > 4<<20 {
		t.Errorf("code %d, %d bytes were read", code, in.read)
	}
}
