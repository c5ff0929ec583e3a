package verify

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Answer is the answer of a program for a formula: whether there is a model, or how many there are.
type Answer struct {
	Satisfiable bool
	Count       *big.Int // nil if the program does not count
	Model       []int    // ascending options of the model; nil if the program prints none
}

// ErrExternal is wrapped when a program cannot be run or gives no answer.
var ErrExternal = errors.New("no answer from the solver")

// FileMark stands for the name of the file in a command.
const FileMark = "{}"

// Ask runs a SAT solver or a model counter on the DIMACS file of a formula of p. It passes command
// to sh -c, with the name of the file in place of every [FileMark]. The error wraps ErrWrong if a
// printed model is not a solution, and ErrUndecided if the program reports that it does not know.
// Other errors wrap ErrExternal, or are errors of ctx. The program is killed when ctx ends.
func Ask(ctx context.Context, command string, p *cover.Problem, c *CNF) (*Answer, error) {
	if !strings.Contains(command, FileMark) {
		return nil, fmt.Errorf("%w: the command %.60q has no %s, which stands for the name of the file", ErrExternal, command, FileMark)
	}
	file, err := os.CreateTemp("", "pavage-*.cnf")
	if err == nil {
		defer os.Remove(file.Name())
		err = errors.Join(c.WriteDIMACS(interrupt.Writer(ctx, file), nil), file.Close())
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrExternal, err)
	}
	text, ended, err := run(ctx, command, file.Name())
	if err != nil {
		return nil, err
	}
	a, err := readAnswer(bytes.NewReader(text), c)
	switch {
	case errors.Is(err, ErrUndecided):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: the command %.200q ended (%s): %w", ErrExternal, command, ended, err)
	}
	if a.Model != nil {
		return a, newChecker(p).check(a.Model)
	}
	return a, nil
}

// maxOutput is large enough for a model of 2^24 variables.
const maxOutput = 256 << 20

// run returns the output of a command. It ignores the exit code, since solvers with an answer exit
// with 10 or 20. Without output, the error shows the beginning of the command's standard error.
func run(ctx context.Context, command, file string) (written []byte, how *os.ProcessState, err error) {
	quoted := "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, FileMark, quoted))
	cmd.WaitDelay = time.Second // for children that keep the pipe open
	inGroup(cmd)
	var text, said bytes.Buffer
	kept := &limited{&text, maxOutput}
	cmd.Stdout, cmd.Stderr = kept, &limited{&said, 1 << 12}
	err = cmd.Run()
	endGroup(cmd)
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil && !errors.As(err, &ended):
		return nil, nil, fmt.Errorf("%w: %w", ErrExternal, err)
	case kept.left == 0:
		return nil, nil, fmt.Errorf("%w: the command %.200q writes too much, expected less than %d bytes", ErrExternal, command, maxOutput)
	case text.Len() == 0 && said.Len() > 0:
		return nil, nil, fmt.Errorf("%w: the command %.200q prints only to standard error: %.200s", ErrExternal, command, said.String())
	}
	return text.Bytes(), cmd.ProcessState, nil
}

type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if _, err := l.to.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}

var countLine = regexp.MustCompile(`^(c s exact arb int|s mc|s pmc) \S+$`)

// readAnswer reads the output lines of the SAT and model counting competitions:
//
//	s SATISFIABLE, s UNSATISFIABLE     the answer; the s may be missing
//	v 1 -2 3 … 0                       the model
//	c s exact arb int 42               the count; also s mc 42 and s pmc 42
func readAnswer(r io.Reader, c *CNF) (*Answer, error) {
	a := &Answer{}
	said := 0 // number of answers
	var literals []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxOutput)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) > 0 && f[0] == "v" {
			literals = append(literals, f[1:]...)
			continue
		}
		switch line := strings.Join(f, " "); line {
		case "s SATISFIABLE", "SATISFIABLE":
			said, a.Satisfiable = said+1, true
		case "s UNSATISFIABLE", "UNSATISFIABLE":
			said, a.Satisfiable = said+1, false
		case "s UNKNOWN", "UNKNOWN", "INDETERMINATE":
			return nil, fmt.Errorf("%w: the solver reports unknown", ErrUndecided)
		default:
			if !countLine.MatchString(line) {
				continue
			}
			n, ok := new(big.Int).SetString(f[len(f)-1], 10)
			if !ok || n.Sign() < 0 {
				return nil, fmt.Errorf("the line %.80q has no count", lines.Text())
			}
			if a.Count != nil && a.Count.Cmp(n) != 0 {
				return nil, fmt.Errorf("the solver printed two different counts, %v and %v", a.Count, n)
			}
			a.Count = n
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	switch {
	case said == 0 && a.Count == nil:
		return nil, errors.New(`the output has no line "s SATISFIABLE", "s UNSATISFIABLE" or "c s exact arb int N"`)
	case said > 1:
		return nil, fmt.Errorf("the output has %d lines with an answer, expected one line", said)
	case said == 0:
		a.Satisfiable = a.Count.Sign() > 0
	case a.Count != nil && a.Satisfiable != (a.Count.Sign() > 0):
		return nil, fmt.Errorf("the solver printed the count %v, but another line means satisfiable: %t, which contradicts the count", a.Count, a.Satisfiable)
	}
	if len(literals) > 0 && a.Satisfiable {
		var err error
		a.Model, err = c.modelOf(literals)
		return a, err
	}
	return a, nil
}

func (c *CNF) modelOf(literals []string) ([]int, error) {
	model, ended := []int{}, false
	for _, text := range literals {
		l, err := strconv.Atoi(text)
		if ended && err == nil {
			return nil, errors.New("the solver printed several models, expected one model")
		}
		ended = ended || l == 0
		if err != nil || l < -c.Vars || l > c.Vars {
			return nil, fmt.Errorf("%.20q in the model is not a literal of the %d variables",
				text, c.Vars)
		}
		if l > 0 && l <= len(c.Options) {
			model = append(model, c.Options[l-1])
		}
	}
	slices.Sort(model)
	return slices.Compact(model), nil
}

// Exclude adds a clause against each solution. A solution is an ascending list of options of p, and
// p is the problem of the formula. If the formula then has no model, there are no other solutions.
// The error wraps ErrTooLarge, or is an error of ctx.
func (c *CNF) Exclude(ctx context.Context, p *cover.Problem, solutions iter.Seq[[]int]) error {
	short := excludesSupersets(p)
	for solution := range solutions {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// The clause says that an option of the solution is missing or, if it is not a short clause, that
		// another option is present. Options without a variable are in all solutions of the part.
		var clause []int32
		for k, o := range c.Options { // in ascending order, as in the solution
			for len(solution) > 0 && solution[0] < o {
				solution = solution[1:]
			}
			switch v := int32(k + 1); {
			case len(solution) > 0 && solution[0] == o:
				clause = append(clause, -v)
			case !short:
				clause = append(clause, v)
			}
		}
		if len(clause)+1 > maxLiterals-len(c.Lits) {
			return errTooLarge
		}
		c.add(clause...)
	}
	return nil
}

// excludesSupersets reports whether every option uses an item that all solutions use equally often.
// Then no solution is a subset of another, and a clause needs only the options of its solution.
func excludesSupersets(p *cover.Problem) bool {
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return p.Items[u.Item].Min == p.Items[u.Item].Max })
	})
}
