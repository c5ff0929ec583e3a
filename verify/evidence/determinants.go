package evidence

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// DeterminantCheck is what determinants have shown.
type DeterminantCheck struct {
	// Moduli are primes, Residues the determinants modulo them of the same graph in another
	// order. There are none if there was no memory for them.
	Moduli, Residues []uint64
	Splits           int // options with and without which the solutions were counted
	Elapsed          time.Duration
}

const (
	// splits is how many options the solutions are split by: 40 determinants, each modulo one
	// prime. The count of 40x40 takes 15 primes, that of 100x100 takes 100.
	splits = 20
	// mostSwept is how many states a sweep may have that a determinant is compared with: they
	// take about ten seconds.
	mostSwept = 1e9
	// mostDrawn is how many it may have if samples are to be drawn as well: for Auto.
	mostDrawn = 3e7
)

// fits says whether a sweep is expected to count with so many states, and within the memory.
func (v *verifier) fits(ctx context.Context, states float64) bool {
	x := count.Predict(ctx, v.problem, count.Sweep)
	memory := v.o.Count.Memory
	return x.Engine == count.Sweep && x.States <= states && (memory <= 0 || x.Bytes <= float64(memory))
}

// determinants compares the count with determinants, and with a sweep where one fits.
func (v *verifier) determinants(ctx context.Context, rng *rand.Rand) error {
	start := time.Now()
	v.Determinants = &DeterminantCheck{}
	defer func() { v.Determinants.Elapsed = time.Since(start) }()
	g, none := dimer.Read(ctx, v.problem)
	summed := errors.Is(none, dimer.ErrNotDimers) && v.Result.Engine == count.Dimer // it was counted as a sum of determinants
	if none != nil && !summed {
		return none
	}
	again := func(ctx context.Context, rng *rand.Rand) error {
		if summed {
			v.leaveOpen("There was no second determinant: %v.", none)
			return nil
		}
		return v.turned(ctx, rng, g)
	}
	steps := []func(context.Context, *rand.Rand) error{v.split, again}
	if v.Result.Engine == count.Dimer {
		if v.fits(ctx, mostSwept) {
			steps = append(steps, v.residues)
		} else {
			v.leaveOpen("No sweep is small enough to compare with: all these numbers are determinants.")
		}
	}
	for _, step := range steps {
		if err := step(ctx, rng); err != nil || v.Disagreement != "" {
			return err
		}
	}
	return nil
}

// turned counts once more by another determinant of the problem's graph, modulo random primes.
func (v *verifier) turned(ctx context.Context, rng *rand.Rand, g *dimer.Graph) error {
	v.stage("counting again")
	c := v.Determinants
	for range primes {
		c.Moduli = append(c.Moduli, randomPrime(rng))
	}
	residues, err := plainly(ctx, turn(g, rng), c.Moduli, v.o.Count.Memory)
	if isLimit(err) {
		c.Moduli = nil
		v.leaveOpen("There was no second determinant: %v.", err)
		return nil
	}
	if err != nil {
		return err
	}
	c.Residues = residues
	for i, prime := range c.Moduli {
		if want, found := v.rest(prime), c.Residues[i]; found != want && found != prime-want {
			v.differ("the engine %s counts %v, which is %d modulo %d; another determinant has %d", v.Result.Engine, v.Result.Count, want, prime, found)
			return nil
		}
	}
	v.confirm("A determinant with signs, order and arithmetic of its own is the count or its negative modulo two random primes of 62 bits: %d and %d.", c.Moduli[0], c.Moduli[1])
	return nil
}

// plainly is a determinant modulo each prime, but for its sign.
func plainly(ctx context.Context, g *dimer.Graph, primes []uint64, memory int64) ([]uint64, error) {
	residues := make([]uint64, len(primes))
	if g.Black != g.White {
		return residues, nil
	}
	m, err := g.Embed(ctx)
	if err != nil {
		return nil, err
	}
	of, faces := m.Faces()
	negative, ok := signs(g, of, faces)
	if !ok {
		return residues, nil
	}
	rows := signedRows(g, negative)
	for i, prime := range primes {
		if residues[i], err = determinantOf(ctx, rows, prime, memory); err != nil {
			return nil, err
		}
	}
	return residues, nil
}

// turn exchanges the colours of a graph and numbers its vertices anew. So it is drawn, signed and
// eliminated in other ways.
func turn(g *dimer.Graph, rng *rand.Rand) *dimer.Graph {
	black, white := rng.Perm(g.White), rng.Perm(g.Black)
	t := &dimer.Graph{Black: g.White, White: g.Black, Edges: make([]dimer.Edge, len(g.Edges))}
	for i, e := range g.Edges {
		t.Edges[i] = dimer.Edge{Black: int32(black[e.White]), White: int32(white[e.Black]), Options: e.Options}
	}
	slices.SortFunc(t.Edges, func(a, b dimer.Edge) int {
		return cmp.Or(cmp.Compare(a.Black, b.Black), cmp.Compare(a.White, b.White))
	})
	return t
}

// solutions is the number of solutions of a problem of dimers modulo a prime.
func solutions(ctx context.Context, p *cover.Problem, prime uint64, memory int64) (uint64, error) {
	o := count.Options{Limits: count.Limits{Threads: 1, Memory: memory}, Engine: count.Dimer}
	residues, _, err := count.Residues(ctx, p, []uint64{prime}, nil, o)
	if err != nil {
		return 0, err
	}
	return residues[0], nil
}

// rest is the count modulo m.
func (v *verifier) rest(m uint64) uint64 {
	modulus := new(big.Int).SetUint64(m)
	return modulus.Mod(v.Result.Count, modulus).Uint64()
}

// half is an option that splits the solutions: those with it and those without it.
type half struct {
	option        int
	prime         uint64 // modulo which they are counted
	with, without uint64
}

// split counts the solutions with and without random options.
func (v *verifier) split(ctx context.Context, rng *rand.Rand) error {
	if len(v.problem.Options) == 0 {
		return nil
	}
	all := make([]half, splits)
	for i := range all {
		all[i] = half{option: rng.IntN(len(v.problem.Options)), prime: randomPrime(rng)}
	}
	err := v.countHalves(ctx, all)
	if isLimit(err) {
		v.leaveOpen("The solutions were not counted with and without random options: %v.", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, h := range all {
		if want, sum := v.rest(h.prime), (h.with+h.without)%h.prime; sum != want {
			v.differ("the engine %s counts %v, which is %d modulo %d; with option %d there are %d, without it %d",
				v.Result.Engine, v.Result.Count, want, h.prime, h.option, h.with, h.without)
			return nil
		}
	}
	v.Determinants.Splits = len(all)
	v.establish("For each of %d random options, the solutions with it and those without it add up to the count, modulo a random prime of 62 bits each: %d determinants of other graphs.", len(all), 2*len(all))
	return nil
}

// countHalves counts, a few at a time.
func (v *verifier) countHalves(ctx context.Context, all []half) error {
	report := v.stage(Checking)
	threads := v.threads()
	memory := int64(0)
	if v.o.Count.Memory > 0 {
		memory = max(1, v.o.Count.Memory/int64(threads))
	}
	done := int64(0)
	var telling sync.Mutex
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(threads)
	for i := range all {
		workers.Go(func() error {
			err := all[i].count(ctx, v.problem, memory)
			if err == nil && report != nil {
				telling.Lock()
				defer telling.Unlock()
				done++
				report(count.Progress{Fraction: float64(done) / float64(len(all)), Done: done, Unit: Parts})
			}
			return err
		})
	}
	return workers.Wait()
}

// count counts with and without the option.
func (h *half) count(ctx context.Context, p *cover.Problem, memory int64) (err error) {
	if with := p.Residual([]int{h.option}); with != nil {
		if h.with, err = solutions(ctx, with.Problem, h.prime, memory); err != nil {
			return err
		}
	}
	without := &cover.Problem{Items: p.Items, Colours: p.Colours, Orders: p.Orders, Options: slices.Delete(slices.Clone(p.Options), h.option, h.option+1)}
	h.without, err = solutions(ctx, without, h.prime, memory)
	return err
}
