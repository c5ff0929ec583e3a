// Package evidence checks a count by other means and collects the results.
//
// # Purpose
//
// [Verify] counts the solutions of a cover. Then it counts them, or some of them, in
// other ways that share little with the first count: with clauses, with other
// states, with other arithmetic. Its [Report] lists the results and the open questions.
//
//	count.Count ──► N ─┬─ N small ──► verify.Enumerate: all solutions, by SAT,
//	                   │              each found in the diagram, no two equal
//	                   │
//	                   ├─ N large ──► spots: the solutions around fair
//	                   │              samples, counted by SAT, by a sweep or a
//	                   │              search, and in the diagram
//	                   │    └───────► residues of N modulo random primes, by a sweep
//	                   │              in another order of the items
//	                   │
//	                   └─ dimers, ──► residues of N by other determinants, and of
//	                      too wide    the numbers of solutions with and without
//	                      to sweep    an option
//
// # Words
//
// A spot is the set of solutions that have some options in common. These options are called fixed.
// The literature on SAT calls such a set a cube.
//
// # The methods
//
// Listing ([List]) compares sets, not only numbers. N solutions are listed. Each keeps the bounds
// of all items. Each is in the diagram, with a rank that no other listed solution has. The diagram
// has N solutions. So the two sets are equal.
//
// Spot checks ([Spots]) count spots. A solution is drawn uniformly, and its options are put in
// random order. Then the first k options are fixed, with the least k that leaves a spot of at most
// [Options.Small] solutions. On the 2x3 board with Small 2:
//
//	drawn        order       fixed            solutions of the spot
//	{ab,de,cf}   cf, de, ab  {cf}             {ab,de,cf} {ad,be,cf}      2
//	{ad,bc,ef}   bc, …       {bc}             {ad,bc,ef}                 1 (3 if none is fixed)
//
// How much do k spots show? Every order of the options of a solution puts it into a spot. Suppose
// that a share f of all solutions, averaged over the orders, is in spots that an engine counts
// wrongly. Then k spots agree with probability at most (1-f)^k. So if 100 spots agree, f is at most
// 3%, with a confidence of 95%.
//
// Spots do not show two things. Solutions that the engine has lost are not drawn; only SAT can find
// them, in the spot of another solution. SAT misses lost solutions that share few options with
// other solutions. And spots do not show that N is the sum of its parts. The diagram shows it,
// because its count is summed up from ⊤. The residues show it, because a sweep sums up from the
// root. So it is not enough that the spots agree: another method must find N itself.
//
// If a determinant counts a board that no sweep can count ([Dimer]), there is no method of
// another kind. So other determinants check two equations, modulo random primes of 62 bits:
//
//	N = with an option + without it     graphs with other faces, signs, matchings and orders,
//	                                    by the engine itself
//	N² or -N²                           the same graph, renumbered, with a row for each vertex, by
//	                                    a plain elimination with signs and arithmetic of its own
//
// Both comparisons detect a mistake in the engine's signs, orders, elimination or numbers. All
// determinants share the graph and its embedding: the graph is read from the cover, and Euler's
// formula certifies the embedding. N is also compared with a sweep, if a sweep is small enough.
//
// # Others' programs
//
// [Solver] asks a program that reads DIMACS files. A model counter must find N. A SAT solver must
// find a solution, and no other solution after clauses exclude all N that the search lists.
//
// # Non-goals
//
// Evidence is not a proof; doc/certificate.md describes proofs. The package has no engine. Only
// listing checks a count up to symmetry.
//
// # Cost
//
// For each solution, listing costs a microsecond to a millisecond (see package verify) and one bit
// of memory. A spot costs a few counts of small problems. Most of the time is spent on the count,
// the sampler and the residues; the sampler and the residues each cost about as much as the count.
//
// # References
//
// McConnell, Mehlhorn, Näher and Schweitzer, "Certifying algorithms" (2011): a definition of
// evidence. Chakraborty, Meel and Vardi, "A scalable approximate model counter" (2013): they count
// random subsets of the solutions, too, but choose them by a hash.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/verify"
)

// Method names a way to gather evidence.
type Method string

// The methods. Auto leaves the choice to Verify.
const (
	Auto   Method = "auto"
	List   Method = "list"
	Spots  Method = "spots"
	Dimer  Method = "dimer"  // for planar dimers
	Solver Method = "solver" // another program
)

var methods = []Method{Auto, List, Spots, Dimer, Solver}

const (
	listing  = "listing"
	checking = "checking"
)

const checks = "checks"

const (
	// mostListed is the largest count for which Auto lists all solutions. This needs half a minute for
	// dominoes. It needs 100 times as long for pentominoes, which rarely have so many solutions.
	mostListed = 20_000_000
	// DefaultSpots spots, if all agree, show that at most 3% of the solutions are in spots that are
	// counted wrongly, with a confidence of 95%.
	DefaultSpots = 100
	// DefaultSmall solutions are listed in about 10 ms for dominoes, in some seconds for pentominoes.
	DefaultSmall = 1000
)

// Options has the options of Verify. The zero value is valid.
type Options struct {
	Engine count.Engine  // engine of the first count
	Count  count.Options // options of all counts; Stage replaces Count.Progress
	Method Method        // "" is Auto
	Limit  int64         // if not 0, Auto means List, and at most Limit solutions are listed
	Spots  int           // number of spots to check; 0 means DefaultSpots
	Small  int64         // largest number of solutions of a spot; 0 means DefaultSmall
	Source rand.Source   // random source for spots and primes; if nil, Verify makes a new one
	Solver string        // command for the method Solver: see verify.Ask
	// Group, if not empty, is a group of symmetries with the identity. Then List counts classes, too.
	Group []cover.Symmetry
	// Stage, if not nil, is called with the name of a stage. It returns a Progress function, or nil.
	Stage func(doing string) func(count.Progress)
}

// Report has the results of the checks. The fields of checks that were not made are nil.
type Report struct {
	Result   *count.Result // the count that the checks are about
	Distinct *big.Int      // count up to symmetry by Burnside's lemma; nil if Options.Group is empty
	Method   Method        // method of the checks; in place of Auto, the method that was chosen
	Nodes    int64         // number of nodes of the diagram that was compared; 0 if there is none
	Listing  *ListCheck
	Spots    *SpotCheck
	Residues Residues // residues that a second sweep found

	Dimer  *DimerCheck
	Solver *SolverCheck
	// Established has sentences about checked facts, and Open sentences about unfinished checks.
	Established, Open []string
	compared          bool // whether another method found the same count
	comparedDistinct  bool // whether another method found the same count up to symmetry
	// Disagreement names the numbers that differ; "" if all agree.
	Disagreement string
	Elapsed      time.Duration
}

// Agrees reports whether another method found the same count (with Options.Group, also the same
// count up to symmetry), and no two results disagree. Spots that agree are not enough.
func (r *Report) Agrees() bool {
	return r.Disagreement == "" && r.compared && (r.Distinct == nil || r.comparedDistinct)
}

// Verify counts the solutions of a problem and checks the count. With an error it also returns a
// report of the results so far. The error wraps count.ErrDisagrees if two results differ, and
// verify.ErrExternal if another program fails. It wraps verify.ErrUndecided if ctx or a limit ended
// the work too early, or if no other method found the count. Other errors come from count.Count.
func Verify(ctx context.Context, p *cover.Problem, o Options) (*Report, error) {
	start := time.Now()
	r := &Report{Method: o.Method}
	if o.Spots < 0 || o.Small < 0 || o.Limit < 0 {
		return r, fmt.Errorf("negative number in Options: Spots is %d, Small is %d and Limit is %d", o.Spots, o.Small, o.Limit)
	}
	v := &verifier{Report: r, problem: p, o: o}
	err := v.verify(ctx)
	r.Elapsed = time.Since(start)
	var found disagreement
	switch {
	case errors.As(err, &found):
		r.Disagreement = string(found)
		err = fmt.Errorf("%w: %s", count.ErrDisagrees, r.Disagreement)
	case err == nil && r.compared && !r.Agrees():
		err = fmt.Errorf("%w: only one method has finished the count up to symmetry", verify.ErrUndecided)
	case err == nil && !r.Agrees():
		err = fmt.Errorf("%w: only one method has finished the count", verify.ErrUndecided)
	case isLimit(err):
		err = fmt.Errorf("%w: %w", verify.ErrUndecided, err)
	case err != nil && !errors.Is(err, verify.ErrUndecided) && ctx.Err() != nil:
		err = fmt.Errorf("%w: %w", verify.ErrUndecided, ctx.Err())
	}
	return r, err
}

type verifier struct {
	*Report
	problem *cover.Problem
	o       Options
}

func (v *verifier) verify(ctx context.Context) error {
	if err := v.count(ctx); err != nil {
		return err
	}
	switch v.o.Method {
	case "", Auto:
		v.Method = v.choose(ctx)
	case List, Spots, Dimer, Solver:
	default:
		return fmt.Errorf("unknown method %.40q, expected %s", v.o.Method, wording.List(methods))
	}
	if v.Distinct != nil && v.Method != List {
		v.leaveOpen("The count up to symmetry was not verified: only the method list does that.")
	}
	rng := rand.New(v.o.Source)
	if v.o.Source == nil {
		rng = rand.New(sample.Fresh())
	}
	var err error
	switch v.Method {
	case Solver:
		return v.external(ctx)
	case Dimer:
		return v.determinants(ctx, rng)
	case List:
		err = v.list(ctx)
	default:
		err = v.spots(ctx, rng)
	}
	if err != nil || v.Method == List && v.compared {
		return err
	}
	return v.residues(ctx, rng)
}

func (v *verifier) choose(ctx context.Context) Method {
	n := v.Result.Count
	switch {
	case v.o.Limit > 0 || n.IsInt64() && n.Int64() <= mostListed:
		return List
	case v.Result.Engine == count.Dimer && v.o.Spots == 0 && v.o.Small == 0 && !v.fits(ctx, mostDrawn):
		return Dimer
	}
	return Spots
}

func (v *verifier) count(ctx context.Context) error {
	o := v.o.Count
	o.Progress = v.stage("counting")
	if len(v.o.Group) == 0 {
		var err error
		v.Result, err = count.Count(ctx, v.problem, v.o.Engine, o)
		return err
	}
	d, err := count.Distinct(ctx, v.problem, v.o.Group, v.o.Engine, o)
	if err == nil {
		v.Result, v.Distinct = d.Total, d.Count
	}
	return err
}

func (v *verifier) stage(doing string) func(count.Progress) {
	if v.o.Stage == nil {
		return nil
	}
	return v.o.Stage(doing)
}

type disagreement string

func (d disagreement) Error() string { return string(d) }

func differ(format string, args ...any) error { return disagreement(fmt.Sprintf(format, args...)) }

func (v *verifier) establish(format string, args ...any) {
	v.Established = append(v.Established, fmt.Sprintf(format, args...))
}

func (v *verifier) confirm(format string, args ...any) {
	v.compared = true
	v.establish(format, args...)
}

func (v *verifier) leaveOpen(format string, args ...any) {
	v.Open = append(v.Open, fmt.Sprintf(format, args...))
}

// leaveOut returns err. But if a limit caused err, it adds a sentence to Open and returns nil.
func (v *verifier) leaveOut(what string, err error) error {
	if isLimit(err) {
		v.leaveOpen("%s: %v.", what, err)
		return nil
	}
	return err
}

func isLimit(err error) bool {
	return errors.Is(err, cover.ErrMemory) || errors.Is(err, count.ErrTooWide) || errors.Is(err, verify.ErrTooLarge) || errors.Is(err, syscall.ENOSPC)
}

// Residues are the remainders of the number of solutions modulo primes.
type Residues struct{ Moduli, Rests []uint64 }

func (v *verifier) compareDiagram(c *count.Compiled) error {
	v.Nodes = c.Result.Nodes
	listed := c.Result.Plan != nil && c.Result.Plan.Listed
	switch {
	case c.Result.Count.Cmp(v.Result.Count) != 0:
		return differ("the engine %s counts %v, but the decision diagram counts %v", v.Result.Engine, v.Result.Count, c.Result.Count)
	case v.Result.Engine == count.Diagram:
	case listed && v.Result.Engine == count.Search:
		v.establish("A diagram of the listed solutions has the same count: no two are equal.")
	case !listed && c.Result.States == 0 && c.Result.Count.Sign() == 0:
		v.leaveOpen("There is no diagram: both counts found that the bounds of some item cannot be met, so there is no solution.")
	default:
		v.confirm("The decision diagram, which has %d nodes, has the same count, as the sum over its paths.", c.Result.Nodes)
	}
	return nil
}

// each makes n checks on all threads, and returns the number of checks without error. The first
// error ends the work. If a check finds a disagreement, each returns it instead of other errors.
func (v *verifier) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) (done int, err error) {
	report := v.stage(checking)
	var mu sync.Mutex
	var found disagreement
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(v.threads())
	for i := range n {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := do(ctx, i)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				if found == "" {
					errors.As(err, &found)
				}
				return err
			}
			if done++; report != nil {
				report(count.Progress{Fraction: float64(done) / float64(n), Done: int64(done), Unit: checks})
			}
			return nil
		})
	}
	if err = workers.Wait(); found != "" {
		err = found
	}
	return done, err
}

func (v *verifier) threads() int {
	if v.o.Count.Threads > 0 {
		return v.o.Count.Threads
	}
	return runtime.GOMAXPROCS(0)
}

func (v *verifier) share(parts int) int64 {
	if v.o.Count.Memory <= 0 {
		return 0
	}
	return max(1, v.o.Count.Memory/int64(parts))
}

func randomPrimes(rng *rand.Rand) (moduli []uint64) {
	for range primes {
		moduli = append(moduli, randomPrime(rng))
	}
	return moduli
}

func randomPrime(rng *rand.Rand) uint64 {
	for {
		n := 1<<61 | rng.Uint64()>>3 | 1
		if new(big.Int).SetUint64(n).ProbablyPrime(20) {
			return n
		}
	}
}

func (v *verifier) rest(m uint64) uint64 {
	modulus := new(big.Int).SetUint64(m)
	return modulus.Mod(v.Result.Count, modulus).Uint64()
}
