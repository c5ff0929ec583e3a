package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/job"
)

type queryVerb struct {
	*app
	source
	output
	request job.Query
	rank    string
}

func newQuery(a *app) *cobra.Command {
	v := &queryVerb{app: a, request: job.Query{Method: job.AutoMethod}}
	cmd := &cobra.Command{
		Use:   "query PUZZLE",
		Short: "Ask about all tilings of a puzzle together",
		Long: `Ask one question about all tilings of a puzzle together. No question needs a
list of the tilings.

--unrank K writes the tiling with the rank K. Ranks are the numbers from 0 to
the number of tilings less 1; first and last are the ends. Tilings are written
as "pavage sample" writes them.

--rank tells the rank of a tiling: the opposite of --unrank. The tilings are
lines that "pavage sample --json" or "pavage list --json" wrote, in a file or on
standard input (-). Or the tiling is given by the numbers of its placements,
with commas between them.

--method says how: diagram makes a decision diagram of all tilings, levels keeps
the levels of a sweep. The two order the tilings in different ways, so a tiling
has another rank in each. --method auto, the default, uses levels if a diagram
would be too large.`,
		Example: `  pavage query --board 8x8 --piece domino=any --unrank 1000000
  pavage query --board 8x8 --piece domino=any --unrank first --unrank last --json`,
	}
	cmd.RunE = a.run(v.run)
	v.takePuzzle(cmd)
	flags := cmd.Flags()
	v.output.flags(cmd)
	flags.StringVar(&v.rank, "rank", "", "tell the ranks of tilings: a `FILE` of JSON lines, - for standard input, or the numbers of a tiling's placements, such as 0,2,6")
	flags.StringArrayVar(&v.request.Unrank, "unrank", nil, "write the tiling of rank `K`: a number from 0, first or last; repeat the flag for more")
	flags.Lookup("unrank").DefValue = "" // pflag writes "[]", which looks like a value
	flags.Var(word{&v.request.Method, job.QueryMethods(), "METHOD"}, "method", "how to answer, `METHOD`: "+oneOf(job.QueryMethods()))
	complete(cmd, "method", job.QueryMethods())
	config.Flags(flags, "threads", "memory", "timeout")
	return cmd
}

func (v *queryVerb) run(ctx context.Context, args []string) error {
	tilings := uint64(len(v.request.Unrank))
	err := v.checkOutput(tilings)
	if err != nil {
		return err
	}
	if v.rank == "-" && len(args) == 1 && args[0] == "-" {
		return usage("both PUZZLE and --rank are standard input, want a file for one of them")
	}
	if v.request.Puzzle, err = v.puzzle(ctx, v.In, args); err != nil {
		return err
	}
	if v.given("rank") {
		if v.request.Rank, err = v.tilings(); err != nil {
			return err
		}
	}
	w := v.newWatcher(job.Compiling, v.json())
	watch := w.watch()
	w.tilings(&watch, &v.output, tilings)
	answer, err := v.request.Run(ctx, v.limits, watch)
	w.bar.done()
	switch {
	case err != nil:
		return err
	case tilings > 0:
		return w.close()
	case v.json():
		return writeJSON(v.Out, answer)
	}
	_, err = io.WriteString(v.Out, strings.Join(answer.Ranks, "\n")+"\n")
	return err
}

// maxLine is the longest line of a file of tilings.
const maxLine = 64 << 20

// tilings are those that --rank gives.
func (v *queryVerb) tilings() ([]job.GivenTiling, error) {
	if numbers, ok := placementNumbers(v.rank); ok {
		return []job.GivenTiling{{Numbers: numbers}}, nil
	}
	in, name := v.In, "standard input"
	if v.rank != "-" {
		f, err := os.Open(v.rank)
		if err != nil {
			return nil, fail(codeUsage, fmt.Errorf("--rank: %w", err))
		}
		defer f.Close()
		in, name = f, v.rank
	}
	var all []job.GivenTiling
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for line := 1; lines.Scan(); line++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		var t job.GivenTiling
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, usage("--rank: %s: line %d is no tiling, want a JSON object as sample --json writes it: %v", name, line, err)
		}
		all = append(all, t)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, usage("--rank: %s has a line of over %d bytes", name, maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("--rank: %s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, usage("--rank: %s has no tiling, want a JSON object a line as sample --json writes it", name)
	}
	return all, nil
}

// placementNumbers are numbers with commas between them.
func placementNumbers(text string) (numbers []int, ok bool) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(word), "#"))
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}
