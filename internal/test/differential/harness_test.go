package differential

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// Check compares one answer about a case with another. It is a comparison of
// engines, or a relation between a case and a changed one.
type Check struct {
	Name string
	Law  string // what must hold, N being the count
	// Every is n if one case in n is checked, chosen by the case's seed.
	Every int
	Scope Scope
	run   func(context.Context, *subject) error
}

// Scope is a set of cases.
type Scope int

// The scopes. Wide cases are too slow for most checks, large cases for some.
const (
	Anywhere Scope = iota
	All            // but wide ones
	Small          // neither large nor wide
	Puzzles        // all that have a board, but wide ones
	SmallPuzzles
	WideOnly
)

func (s Scope) has(c *Case) bool {
	wide, large, board := c.Kind == Wide, c.Kind == Large, c.puzzle != nil
	switch s {
	case Anywhere:
		return true
	case All:
		return !wide
	case Small:
		return !wide && !large
	case Puzzles:
		return !wide && board
	case WideOnly:
		return wide
	}
	return !wide && !large && board
}

// Checks are all checks.
func Checks() []Check {
	return slices.Concat(engineChecks, coverRelations, colourRelations, puzzleRelations)
}

// Disagreement is a case in which a check failed.
type Disagreement struct {
	Case    *Case
	Check   string
	Err     error
	Shrunk  *Case // as small as the shrinker got it
	Because error // the error of the check about Shrunk
}

// String describes the disagreement, with the line that runs the case again.
func (d *Disagreement) String() string {
	s := fmt.Sprintf("%s: %v\nagain: %s\n%s\n%s", d.Check, d.Err, d.Case.Again, d.Case.Kind, d.Case)
	if d.Shrunk == nil {
		return s
	}
	because, _, _ := strings.Cut(d.Because.Error(), "\n") // without a panic's stack
	s += fmt.Sprintf("shrunk: %s\n%s", because, d.Shrunk)
	if d.Shrunk.puzzle != nil {
		s += "its cover:\n" + coverText(d.Shrunk.Problem)
	}
	return s
}

// Tally is what came up.
type Tally map[string]int

// compared is the key of a tally for the number of comparisons.
const compared = "comparisons"

func (t Tally) add(other Tally) {
	for what, n := range other {
		t[what] += n
	}
}

// Harness holds cases to checks.
type Harness struct {
	Checks []Check
	Temp   string // a directory for levels and checkpoints
}

// caseTime is far longer than a case runs: an engine that hangs is found.
const caseTime = time.Minute

// caseMemory is far more than an engine needs for a case, in bytes.
const caseMemory = 1 << 30

// Case checks a case, and adds the numbers of its comparisons to tally. A case that could not be
// made (whose error is given) is a disagreement, too.
func (h *Harness) Case(ctx context.Context, c *Case, made error, tally Tally) []*Disagreement {
	tally["case "+string(c.Kind)]++
	if made != nil {
		return []*Disagreement{{Case: c, Check: "parse", Err: made}}
	}
	var reference *subject
	err := guarded(func() (err error) {
		reference, err = h.reference(ctx, c, tally)
		return err
	})
	if err != nil {
		return []*Disagreement{{Case: c, Check: "reference", Err: err}}
	}
	var found []*Disagreement
	for i := range h.Checks {
		check := &h.Checks[i]
		if !check.Scope.has(c) || !check.drawn(c) {
			continue
		}
		before := tally[compared]
		err := h.check(ctx, check, reference)
		tally[compared+" by "+check.Name] += tally[compared] - before
		if err != nil {
			d := &Disagreement{Case: c, Check: check.Name, Err: err}
			if len(found) == 0 && !errors.Is(err, context.DeadlineExceeded) { // of one fault, one small case will do
				d.Shrunk, d.Because = h.shrink(ctx, check, c, err)
			}
			found = append(found, d)
		}
	}
	return found
}

// rng returns the check's own source: other checks do not change its numbers.
func (k *Check) rng(c *Case) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(k.Name))
	return rand.New(rand.NewPCG(c.draws, h.Sum64()))
}

// drawn reports whether it is this case's turn.
func (k *Check) drawn(c *Case) bool { return k.rng(c).Uint64()%uint64(k.Every) == 0 }

// check runs one check, and makes an error of a panic.
func (h *Harness) check(ctx context.Context, k *Check, reference *subject) error {
	ctx, cancel := context.WithTimeout(ctx, caseTime)
	defer cancel()
	s := *reference
	s.Rand = k.rng(s.Case)
	s.Uint64() // drawn has used this number
	return guarded(func() error { return k.run(ctx, &s) })
}

// subject is a case with its answer, as checks see it.
type subject struct {
	*Case
	*rand.Rand
	h     *Harness
	tally Tally

	want *big.Int
	// solutions are the oracle's, each ascending, sorted; if listed.
	solutions [][]int
	listed    bool
}

const (
	// oracleSteps run for 3 ms.
	oracleSteps = 20_000
	// mostListed is the number of solutions up to which they are compared one
	// by one.
	mostListed = 1000
)

// reference answers a case by the oracle, or by a sweep if the oracle is too slow.
func (h *Harness) reference(ctx context.Context, c *Case, tally Tally) (*subject, error) {
	s := &subject{Case: c, h: h, tally: tally}
	err := oracle.ErrTooBig
	if c.padding == nil && c.Kind != Large && c.Kind != Wide {
		s.solutions, err = oracle.Within(c.Problem, oracleSteps)
	}
	switch {
	case c.padding != nil:
		s.want, err = c.padding.count()
	case err == nil:
		s.want = big.NewInt(int64(len(s.solutions)))
		s.listed = len(s.solutions) <= mostListed
	case errors.Is(err, oracle.ErrTooBig):
		s.note("no oracle")
		s.want, err = s.count(ctx, c.Problem, way{count.Sweep, alone})
	}
	if err != nil {
		return nil, err
	}
	s.noteSize()
	return s, nil
}

func (s *subject) noteSize() {
	switch bits := s.want.BitLen(); {
	case bits == 0:
		s.note("no solution of a " + string(s.Kind))
	case bits > 128:
		s.note("counts beyond 128 bits")
	case bits > 64:
		s.note("counts beyond 64 bits")
	}
	if len(s.Problem.Symmetries) > 1 {
		s.note("with symmetries")
	}
	switch wide := longest(s.Problem); {
	case wide > 128:
		s.note("states beyond 128 bits")
	case wide > 64:
		s.note("states beyond 64 bits")
	}
}

// note counts something that ought to come up.
func (s *subject) note(what string) { s.tally[what]++ }

// same compares two counts.
func (s *subject) same(what string, got, want *big.Int) error {
	s.note(compared)
	if got.Cmp(want) != 0 {
		return fmt.Errorf("%s: %v, want %v", what, got, want)
	}
	return nil
}

// sameSets compares solutions, each ascending, with the solutions of the case.
func (s *subject) sameSets(what string, got [][]int) error {
	s.note(compared)
	slices.SortFunc(got, slices.Compare[[]int])
	if !slices.EqualFunc(got, s.solutions, slices.Equal) {
		return fmt.Errorf("%s: solutions %v, want %v", what, got, s.solutions)
	}
	return nil
}

// way is an engine and its options.
type way struct {
	engine count.Engine
	count.Options
}

// alone are the options of work on one thread.
var alone = count.Options{Limits: count.Limits{Threads: 1}}

// count is the number that an engine comes to.
func (s *subject) count(ctx context.Context, p *cover.Problem, w way) (*big.Int, error) {
	w.Memory = cmp.Or(w.Memory, caseMemory)
	r, err := count.Count(ctx, p, w.engine, w.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.engine, err)
	}
	return r.Count, nil
}

// searchBits is the length in bits of counts that a search reaches in milliseconds.
const searchBits = 20

// engine draws an engine; for a large case or count, an engine that is fast enough.
func (s *subject) engine() way { return s.engineFor(s.want) }

// otherEngine draws an engine for a count that is not known.
func (s *subject) otherEngine() way {
	return way{pick(s.Rand, []count.Engine{count.Sweep, count.Auto}), alone}
}

// anyProblem are the engines that count any problem.
var anyProblem = []count.Engine{count.Auto, count.Sweep, count.Search, count.Diagram}

func (s *subject) engineFor(want *big.Int) way {
	w := way{pick(s.Rand, anyProblem), alone}
	if s.Kind == Large || s.Kind == Wide || want.BitLen() > searchBits {
		w.engine = pick(s.Rand, []count.Engine{count.Sweep, count.Sweep, count.Auto})
	}
	return w
}

// counts has a drawn engine count p, and compares.
func (s *subject) counts(ctx context.Context, what string, p *cover.Problem, want *big.Int) error {
	w := s.engineFor(want)
	got, err := s.count(ctx, p, w)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return s.same(fmt.Sprintf("%s, by %s", what, w.engine), got, want)
}
