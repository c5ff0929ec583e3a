package evidence

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// DimerCheck is the result of comparing the count with determinants.
type DimerCheck struct {
	Residues     // residues of another determinant of the same graph; empty if it was not computed
	Splits   int // number of options for which the solutions with and without the option were counted
	Elapsed  time.Duration
}

const (
	// splits is the number of options for which solutions with and without the option are counted, by
	// 40 determinants modulo one prime each. A count of the dominoes on 40x40 needs 15 primes.
	splits = 20
	// If a sweep has at most mostSwept states, it checks determinants. 1e9 states need about 10 s.
	mostSwept = 1e9
	// Auto prefers Dimer to Spots if the sweep that draws the samples has more than mostDrawn states.
	mostDrawn = 3e7
)

func (v *verifier) fits(ctx context.Context, states float64) bool {
	x := count.Predict(ctx, v.problem, count.Sweep)
	memory := v.o.Count.Memory
	return x.Engine == count.Sweep && x.States <= states && (memory <= 0 || x.Bytes <= float64(memory))
}

// determinants compares the count with determinants, and with a sweep if a sweep is small enough.
func (v *verifier) determinants(ctx context.Context, rng *rand.Rand) error {
	start := time.Now()
	v.Dimer = &DimerCheck{}
	defer func() { v.Dimer.Elapsed = time.Since(start) }()
	g, none := dimer.Read(ctx, v.problem)
	summed := errors.Is(none, dimer.ErrNotDimers) && v.Result.Engine == count.Dimer // the count is a sum of determinants
	if none != nil && !summed {
		return none
	}
	if err := v.split(ctx, rng); err != nil {
		return err
	}
	if summed {
		v.leaveOpen("There was no second determinant: %v.", none)
	} else if err := v.turned(ctx, rng, g); err != nil {
		return err
	}
	if v.Result.Engine != count.Dimer {
		return nil
	}
	if !v.fits(ctx, mostSwept) {
		v.leaveOpen("All these counts are determinants: no sweep is small enough for a comparison.")
		return nil
	}
	return v.residues(ctx, rng)
}

// turned compares the count with another determinant of the same graph, modulo random primes.
func (v *verifier) turned(ctx context.Context, rng *rand.Rand, g *dimer.Graph) error {
	v.stage("counting again")
	moduli := randomPrimes(rng)
	residues, err := plainly(ctx, turn(g, rng), moduli, v.o.Count.Memory)
	if errors.Is(err, dimer.ErrNotDimers) { // the board is a torus
		v.leaveOpen("There was no second determinant: %v.", err)
		return nil
	}
	if err != nil {
		return v.leaveOut("There was no second determinant", err)
	}
	v.Dimer.Residues = Residues{moduli, residues}
	for i, prime := range moduli {
		if want, found := v.rest(prime), residues[i]; found != mulmod(want, want, prime) && found != prime-mulmod(want, want, prime) {
			return differ("the engine %s counts %v, which is %d modulo %d; another determinant has the residue %d, expected the square of the count's residue, or its negative", v.Result.Engine, v.Result.Count, want, prime, found)
		}
	}
	v.confirm("A determinant with signs, elimination order and arithmetic of its own is the square of the count, or minus this square, modulo two random primes of 62 bits: %d and %d.", moduli[0], moduli[1])
	return nil
}

// plainly returns n² or -n² modulo each prime, where n is the number of perfect matchings.
func plainly(ctx context.Context, g *dimer.Graph, primes []uint64, memory int64) ([]uint64, error) {
	residues := make([]uint64, len(primes))
	m, err := g.Embed(ctx)
	if err != nil {
		return nil, err
	}
	of, faces := m.Faces()
	reversed, ok := directions(g, of, faces)
	if !ok {
		return residues, nil
	}
	rows := signedRows(g, reversed)
	for i, prime := range primes {
		if residues[i], err = determinantOf(ctx, rows, prime, memory); err != nil {
			return nil, err
		}
	}
	return residues, nil
}

func turn(g *dimer.Graph, rng *rand.Rand) *dimer.Graph {
	number := rng.Perm(g.Vertices)
	t := &dimer.Graph{Vertices: g.Vertices, Edges: make([]dimer.Edge, len(g.Edges))}
	for i, e := range g.Edges {
		t.Edges[i] = dimer.Edge{Ends: [2]int32{int32(number[e.Ends[1]]), int32(number[e.Ends[0]])}, Options: e.Options}
	}
	slices.SortFunc(t.Edges, func(a, b dimer.Edge) int { return slices.Compare(a.Ends[:], b.Ends[:]) })
	return t
}

func (v *verifier) split(ctx context.Context, rng *rand.Rand) error {
	if len(v.problem.Options) == 0 {
		return nil
	}
	var all [splits]struct {
		option        int
		prime         uint64 // modulus of the counts of the solutions with and without the option
		with, without uint64
	}
	for i := range all {
		all[i].option, all[i].prime = rng.IntN(len(v.problem.Options)), randomPrime(rng)
	}
	p, memory := v.problem, v.share(v.threads())
	_, err := v.each(ctx, splits, func(ctx context.Context, i int) (err error) {
		h := &all[i]
		if with := p.Residual([]int{h.option}); with != nil {
			if h.with, err = solutions(ctx, with.Problem, h.prime, memory); err != nil {
				return err
			}
		}
		without := &cover.Problem{Items: p.Items, Colours: p.Colours, Orders: p.Orders, Options: slices.Delete(slices.Clone(p.Options), h.option, h.option+1)}
		h.without, err = solutions(ctx, without, h.prime, memory)
		return err
	})
	if err != nil {
		return v.leaveOut("The solutions were not counted with and without random options", err)
	}
	for _, h := range all {
		if want, sum := v.rest(h.prime), (h.with+h.without)%h.prime; sum != want {
			return differ("the engine %s counts %v, which is %d modulo %d; determinants count %[6]d with option %[5]d and %[7]d without it",
				v.Result.Engine, v.Result.Count, want, h.prime, h.option, h.with, h.without)
		}
	}
	v.Dimer.Splits = splits
	v.establish("For each of %d random options, the solutions with the option and the solutions without it add up to the count modulo a random prime of 62 bits. These %d numbers of solutions are determinants of other graphs.", splits, 2*splits)
	return nil
}

func solutions(ctx context.Context, p *cover.Problem, prime uint64, memory int64) (uint64, error) {
	o := count.Options{Limits: count.Limits{Threads: 1, Memory: memory}, Engine: count.Dimer}
	residues, _, err := count.Residues(ctx, p, []uint64{prime}, nil, o)
	if err != nil {
		return 0, err
	}
	return residues[0], nil
}

// primes is the number of primes modulo which the count is compared. A wrong count is not detected
// if all of them divide the difference from the right count. But a difference of 10,000 digits has
// at most 550 prime factors of 62 bits, and there are 5·10^16 primes of 62 bits.
const primes = 2

func (v *verifier) residues(ctx context.Context, rng *rand.Rand) error {
	moduli := randomPrimes(rng)
	var order []int
	var err error
	if v.Result.Engine != count.Dimer { // Dimer used no order; then the sweep uses its best order
		order, err = count.OtherOrder(ctx, v.problem)
	}
	var residues []uint64
	var r *count.Result
	if err == nil {
		o := v.o.Count
		o.Progress = v.stage("counting again")
		residues, r, err = count.Residues(ctx, v.problem, moduli, order, o)
	}
	switch {
	case err != nil:
		return v.leaveOut("There was no second count, modulo primes by a sweep", err)
	case r.States == 0 && v.Result.Count.Sign() == 0:
		v.leaveOpen("There was no second count: the sweep, too, found that the bounds of some item cannot be met, so there is no solution.")
		return nil
	}
	v.Residues = Residues{moduli, residues}
	for i, m := range moduli {
		if want := v.rest(m); residues[i] != want {
			return differ("the engine %s counts %v, which is %d modulo %d; the count of a second sweep has the residue %d", v.Result.Engine, v.Result.Count, want, m, residues[i])
		}
	}
	which := "A second sweep in another order of the items"
	switch {
	case v.Result.Engine == count.Dimer:
		which = "A sweep"
	case order == nil:
		which = "A second sweep in the same order"
	}
	v.confirm("%s has the same count modulo two random primes of 62 bits: %d and %d.", which, moduli[0], moduli[1])
	return nil
}
