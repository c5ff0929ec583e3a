package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/kit/limit"
)

// ErrNotDimers is wrapped when the engine Dimer cannot express a problem by determinants.
var ErrNotDimers = dimer.ErrNotDimers

// WhyNotDimers returns the reason why determinants cannot count a problem. It returns "" if
// determinants can count it, or if fewer than half of the options have two cells.
func WhyNotDimers(ctx context.Context, p *cover.Problem) string {
	if !pairsCells(p) {
		return ""
	}
	g, err := dimer.Read(ctx, p)
	if err == nil {
		_, err = dimer.NewMatrix(ctx, g, nil)
	}
	if !errors.Is(err, ErrNotDimers) {
		return ""
	}
	return strings.TrimPrefix(err.Error(), ErrNotDimers.Error()+": ")
}

// dimers has determinants whose sum, with the signs of the terms, is the count.
type dimers struct {
	terms []term
	cost  dimer.Cost // sum over the terms, but Width and Bytes are the largest of any term
}

type term struct {
	minus  bool
	graph  *dimer.Graph
	matrix *dimer.Matrix
}

// readDimers returns the determinants of a valid problem. If items require at least one
// of several options (see alternatives), it uses inclusion and exclusion. With two such items:
//
//	items A, B      count = all - (no option of A) - (no option of B) + (no option of A or B)
//
// If weights is nil, all weights are 1. The determinants do not include the weights of forced
// options. The error wraps ErrNotDimers, with the reason, or cover.ErrMemory, or is the error of ctx.
func readDimers(ctx context.Context, p *cover.Problem, weights []*big.Int, o Options) (*dimers, error) {
	some, err := alternatives(p)
	if err != nil {
		return nil, err
	}
	// kept estimates the bytes of a determinant: 8 MB for dominoes on a board of 200x200.
	kept := 80*int64(len(p.Options)) + 40*int64(len(p.Items))
	if err := limit.Check(o.Memory, bytesToRead(p)+(1<<len(some)-1)*kept, "the graph of cells"); err != nil {
		return nil, err
	}
	d := &dimers{}
	for set := range 1 << len(some) {
		q := *p
		q.Items = append([]cover.Item(nil), p.Items...)
		for k, item := range some {
			if q.Items[item].Min = 0; set>>k&1 > 0 {
				q.Items[item].Max = 0
			}
		}
		g, err := dimer.Read(ctx, &q)
		if err != nil {
			return nil, err
		}
		m, err := dimer.NewMatrix(ctx, g, sums(g, weights))
		if err != nil {
			return nil, err
		}
		d.add(term{bits.OnesCount(uint(set))%2 == 1, g, m})
	}
	return d, nil
}

func bytesToRead(p *cover.Problem) int64 { return graphBytes(len(p.Options), len(p.Items)) }

func graphBytes(edges, vertices int) int64 { return 450*int64(edges) + 150*int64(vertices) }

// mostAlternatives limits the result of alternatives. Each item doubles the number of determinants.
const mostAlternatives = 8

// alternatives returns the items that have several options and only one bound that matters, Min 1.
func alternatives(p *cover.Problem) ([]int, error) {
	uses := make([]int, len(p.Items))
	once := make([]bool, len(p.Items))
	for i := range once {
		once[i] = p.Items[i].Min == 1 && p.Items[i].Max > 1
	}
	for _, o := range p.Options {
		for _, u := range o {
			uses[u.Item]++
			once[u.Item] = once[u.Item] && u.Times == 1
		}
	}
	var some []int
	for i, it := range p.Items {
		if once[i] && it.Max >= uses[i] && uses[i] > 1 && uses[i] < len(p.Options) {
			some = append(some, i)
		}
	}
	if len(some) > mostAlternatives {
		return nil, fmt.Errorf("%w: %d items may be covered once or more often, expected at most %d such items", ErrNotDimers, len(some), mostAlternatives)
	}
	return some, nil
}

func (d *dimers) add(t term) {
	d.terms = append(d.terms, t)
	c := t.matrix.Cost()
	d.cost.Primes += c.Primes
	d.cost.Width = max(d.cost.Width, c.Width)
	d.cost.Entries += c.Entries
	d.cost.Products += c.Products
	d.cost.Shared += c.Shared
	d.cost.Bytes = max(d.cost.Bytes, c.Bytes)
}

func (d *dimers) count(ctx context.Context, o Options, unit string) (*Result, error) {
	sum := new(big.Int)
	err := d.each(o, unit, func(t *term, c dimer.Config) error {
		n, err := t.matrix.Count(ctx, c)
		if err != nil {
			return err
		}
		if t.minus {
			n.Neg(n)
		}
		sum.Add(sum, n)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.Progress != nil {
		o.Progress(Progress{Fraction: 1, Unit: unit, Done: int64(d.cost.Primes)})
	}
	return d.result(sum, o), nil
}

// each calls do with each term. The argument c of do reports the progress over all terms.
func (d *dimers) each(o Options, unit string, do func(t *term, c dimer.Config) error) error {
	before := 0
	for k := range d.terms {
		t := &d.terms[k]
		primes := t.matrix.Cost().Primes
		c := dimer.Config{Threads: o.threads(), Memory: o.Memory}
		if o.Progress != nil {
			c.Progress = func(done, of int) {
				all := float64(before) + float64(primes)*float64(done)/float64(of)
				o.Progress(Progress{Fraction: all / float64(max(1, d.cost.Primes)), Unit: unit, Done: int64(all)})
			}
		}
		if err := do(t, c); err != nil {
			return err
		}
		before += primes
	}
	return nil
}

func (d *dimers) modulo(ctx context.Context, prime uint64, o Options) (uint64, error) {
	sum := uint64(0)
	for _, t := range d.terms {
		r, err := t.matrix.Modulo(ctx, prime, dimer.Config{Memory: o.Memory})
		if err != nil {
			return 0, err
		}
		if t.minus && r > 0 {
			r = prime - r
		}
		sum = (sum + r) % prime
	}
	return sum, nil
}

func (d *dimers) result(n *big.Int, o Options) *Result {
	return &Result{Count: n, Engine: Dimer, Effort: Effort{Primes: d.cost.Primes, Products: d.cost.Products}, Bytes: bytesFor(d.cost, o.threads())}
}

func bytesFor(c dimer.Cost, threads int) int64 {
	return c.Shared + int64(min(threads, max(1, c.Primes)))*c.Bytes
}

// Costs of determinants in seconds of one core.
const (
	primeCost   = 1e-4 // cost of finding a prime and of combining its residue with the others
	entryCost   = 4e-8
	productCost = 1.5e-9
)

func (d *dimers) seconds() float64 { return seconds(d.cost) }

func seconds(c dimer.Cost) float64 {
	return primeCost*float64(c.Primes) + entryCost*float64(c.Entries) + productCost*float64(c.Products)
}

// DimerForecast is the forecast cost of the determinants. Only Seconds is an estimate.
type DimerForecast struct {
	Primes   int     `json:"primes"`
	Products int64   `json:"products" doc:"multiplications modulo the primes"`
	Seconds  float64 `json:"seconds"` // elapsed time with the configured number of threads
}

// pairsCells reports whether at least half of the options use exactly two items with Min = Max = 1.
func pairsCells(p *cover.Problem) bool {
	pairs := 0
	for _, o := range p.Options {
		cells := 0
		for _, u := range o {
			if it := p.Items[u.Item]; it.Min == 1 && it.Max == 1 {
				cells++
			}
		}
		if cells == 2 {
			pairs++
		}
	}
	return 2*pairs >= len(p.Options) && pairs > 0
}

func sums(g *dimer.Graph, weights []*big.Int) []*big.Int {
	if weights == nil {
		return nil
	}
	all := make([]*big.Int, len(g.Edges))
	for e, edge := range g.Edges {
		if all[e] = sum(edge.Options, weights); len(edge.Options) == 0 {
			all[e] = unit.Num()
		}
	}
	return all
}

// sum returns the sum of the weights of options. The caller must not change the result.
func sum(options []int, weights []*big.Int) *big.Int {
	if len(options) == 1 {
		return weights[options[0]]
	}
	all := new(big.Int)
	for _, o := range options {
		all.Add(all, weights[o])
	}
	return all
}
