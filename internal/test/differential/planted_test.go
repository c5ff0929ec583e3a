package differential

import (
	"context"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/verify"
)

// plantedCases is how many cases a planted fault may take to be found.
const plantedCases = 2000

// fault is a fault in the engines, and what is wanted of its report.
type fault struct {
	name    string
	plant   func(*Engines)
	options int // of the shrunk cover, or fewer
}

// wrongCount plants a fault into Count: change is told the problem and may
// change the number.
func wrongCount(e *Engines, change func(p *cover.Problem, w way, n *big.Int)) {
	right := e.Count
	e.Count = func(ctx context.Context, p *cover.Problem, by count.Engine, o count.Options) (*count.Result, error) {
		r, err := right(ctx, p, by, o)
		if err == nil {
			change(p, way{by, o}, r.Count)
		}
		return r, err
	}
}

// otherProblem plants a fault into Count: it counts another problem.
func otherProblem(e *Engines, engine count.Engine, change func(p *cover.Problem)) {
	right := e.Count
	e.Count = func(ctx context.Context, p *cover.Problem, by count.Engine, o count.Options) (*count.Result, error) {
		if engine == "" || by == engine {
			symmetries := p.Symmetries
			p = changed(p)
			before := len(p.Options)
			if change(p); len(p.Options) == before {
				p.Symmetries = symmetries
			}
		}
		return right(ctx, p, by, o)
	}
}

var one = big.NewInt(1)

func optional(i cover.Item) bool { return i.Min == 0 && i.Max == 1 }

var faults = []fault{
	{"an engine is off by one on covers with an optional item", func(e *Engines) {
		wrongCount(e, func(p *cover.Problem, w way, n *big.Int) {
			if w.engine == count.Search && slices.ContainsFunc(p.Items, optional) {
				n.Add(n, one)
			}
		})
	}, 0},
	{"an engine loses the last of six options", func(e *Engines) {
		otherProblem(e, count.Sweep, func(p *cover.Problem) {
			if len(p.Options) >= 6 {
				p.Options = p.Options[:len(p.Options)-1]
			}
		})
	}, 6},
	{"an engine forgets a least number over 1", func(e *Engines) {
		otherProblem(e, count.Auto, func(p *cover.Problem) {
			for i := range p.Items {
				p.Items[i].Min = min(1, p.Items[i].Min)
			}
		})
	}, 2},
	{"counts are 64 bits", func(e *Engines) {
		wrongCount(e, func(_ *cover.Problem, w way, n *big.Int) {
			if w.engine != count.Sweep {
				n.SetUint64(n.Uint64())
			}
		})
	}, 200},
	{"states of several words lose a solution", func(e *Engines) {
		wrongCount(e, func(p *cover.Problem, w way, n *big.Int) {
			if w.engine == count.Sweep && longest(p) > 64 && n.Sign() > 0 {
				n.Sub(n, one)
			}
		})
	}, 200},
	{"every engine takes optional cells of a board with over 20 options for cells to cover", func(e *Engines) {
		otherProblem(e, "", func(p *cover.Problem) {
			for i, item := range p.Items {
				if optional(item) && len(p.Options) > 20 {
					p.Items[i].Min = 1
				}
			}
		})
	}, 500},
	{"every engine uses an item three times where four are allowed", func(e *Engines) {
		otherProblem(e, "", func(p *cover.Problem) {
			for i, item := range p.Items {
				if item.Max == 4 && item.Min < 4 {
					p.Items[i].Max = 3
				}
			}
		})
	}, 8},
	{"many threads lose a solution", func(e *Engines) {
		wrongCount(e, func(_ *cover.Problem, w way, n *big.Int) {
			if w.Threads > 4 && n.Sign() > 0 {
				n.Sub(n, one)
			}
		})
	}, 1},
	{"a resumed sweep counts a level twice", func(e *Engines) {
		right := e.Resume
		e.Resume = func(c *count.Checkpoint, ctx context.Context, p *cover.Problem, o count.Options) (*count.Result, error) {
			r, err := right(c, ctx, p, o)
			if err == nil && c.Level() > 0 {
				r.Count.Add(r.Count, r.Count)
			}
			return r, err
		}
	}, 200}, // the shrinker has little time for slow checks
	{"symmetries are believed without looking", func(e *Engines) {
		wrongCount(e, func(p *cover.Problem, w way, n *big.Int) {
			if w.engine == count.Search && len(p.Symmetries) == 4 {
				n.Mul(n, big.NewInt(2))
			}
		})
	}, 6},
	{"large residues are wrong", func(e *Engines) {
		right := e.Residues
		e.Residues = func(ctx context.Context, p *cover.Problem, moduli []uint64, order []int, o count.Options) ([]uint64, *count.Result, error) {
			residues, r, err := right(ctx, p, moduli, order, o)
			for i, m := range moduli {
				if m > 1<<32 && err == nil {
					residues[i] ^= 1
				}
			}
			return residues, r, err
		}
	}, 0},
	{"a list ends one early", func(e *Engines) {
		right := e.Each
		e.Each = func(ctx context.Context, p *cover.Problem, l count.Listing, yield func([]int) bool) error {
			n := 0
			return right(ctx, p, l, func(options []int) bool {
				n++
				return n < 4 && yield(options)
			})
		}
	}, 4},
	{"a diagram names its variables the other way round", func(e *Engines) {
		right := e.Compile
		e.Compile = func(ctx context.Context, p *cover.Problem, o count.Options) (*count.Compiled, error) {
			c, err := right(ctx, p, o)
			if err == nil {
				slices.Reverse(c.Options)
			}
			return c, err
		}
	}, 3},
	{"classes of three or more are one too many", func(e *Engines) {
		right := e.Distinct
		e.Distinct = func(ctx context.Context, p *cover.Problem, g []cover.Symmetry, by count.Engine, o count.Options) (*count.DistinctResult, error) {
			r, err := right(ctx, p, g, by, o)
			if err == nil && r.Count.Cmp(big.NewInt(3)) >= 0 {
				r.Count.Add(r.Count, one)
			}
			return r, err
		}
	}, 8},
	{"a formula lacks a clause", func(e *Engines) {
		right := e.Encode
		e.Encode = func(ctx context.Context, p *cover.Problem) (*verify.CNF, error) {
			c, err := right(ctx, p)
			if err == nil && c.Clauses > 3 {
				c.Clauses--
				c.Lits = c.Lits[slices.Index(c.Lits, 0)+1:]
			}
			return c, err
		}
	}, 5},
	{"the solver loses a solution without symmetries", func(e *Engines) {
		right := e.Enumerate
		e.Enumerate = func(ctx context.Context, p *cover.Problem, o verify.Options, yield func([]int, int) bool) (verify.Result, error) {
			r, err := right(ctx, p, o, yield)
			if o.Plain && r.Solutions > 1 {
				r.Solutions--
			}
			return r, err
		}
	}, 2},
	{"a history is another problem's", func(e *Engines) {
		right := e.Remember
		e.Remember = func(ctx context.Context, p *cover.Problem, o count.Options) (*count.History, error) {
			return right(ctx, &cover.Problem{Items: p.Items, Options: p.Options[:len(p.Options)/2]}, o)
		}
	}, 1},
	{"classes to draw from are one too few", func(e *Engines) {
		right := e.CompileDistinct
		e.CompileDistinct = func(ctx context.Context, p *cover.Problem, g []cover.Symmetry, o count.Options) (*count.CompiledDistinct, error) {
			c, err := right(ctx, p, g, o)
			if err == nil && c.Count.Sign() > 0 {
				c.Count.Sub(c.Count, one)
			}
			return c, err
		}
	}, 3},
	{"a certificate is of another problem", func(e *Engines) {
		right := e.Certify
		e.Certify = func(ctx context.Context, p *cover.Problem, w io.Writer, by count.Engine, o count.Options) (*count.Result, error) {
			n, err := e.Count(ctx, p, by, o)
			if err != nil || len(p.Options) < 2 {
				return right(ctx, p, w, by, o)
			}
			r, err := right(ctx, &cover.Problem{Items: p.Items, Options: p.Options[1:]}, w, by, o)
			if err == nil {
				r.Count = n.Count
			}
			return r, err
		}
	}, 3},
	{"heights do without symmetric placements", func(e *Engines) {
		right := e.NewHeights
		e.NewHeights = func(ctx context.Context, p *cover.Problem, order []int, period, most int, note bool, o count.Options) (*count.Heights, error) {
			q := changed(p)
			q.Options = slices.DeleteFunc(q.Options, func(o cover.Option) bool {
				return len(o) > 2 && o[1].Item == o[0].Item+1 // lying side by side
			})
			return right(ctx, q, order, period, most, note, o)
		}
	}, 3},
	{"an engine panics without items", func(e *Engines) {
		wrongCount(e, func(p *cover.Problem, _ way, _ *big.Int) {
			if len(p.Items) == 0 {
				panic("no items")
			}
		})
	}, 0},
}

// slowToShrink are found in large covers, which take thousands of cuts.
var slowToShrink = map[string]bool{"counts are 64 bits": true, "states of several words lose a solution": true}

// TestPlantedFaults wants every fault found, and shrunk, with a report that
// says how to see it again.
func TestPlantedFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(strings.ReplaceAll(f.name, " ", "-"), func(t *testing.T) {
			if slowToShrink[f.name] {
				testkit.Long(t)
			}
			e := Pavage()
			f.plant(&e)
			h := harness(t, e)
			h.Shrink = time.Hour // it ends by itself
			s := h.Run(t.Context(), Campaign{Cases: plantedCases})
			if len(s.Disagreements) == 0 {
				t.Fatalf("not found: %v", s)
			}
			d := s.Disagreements[0]
			t.Logf("case %d of %v\n%s", d.Case.draws, s, d)
			checkReport(t, d, f.options)
			h.Shrink = 1 // no second time
			again := h.Run(t.Context(), Campaign{First: d.Case.draws, Cases: 1})
			if len(again.Disagreements) == 0 || again.Disagreements[0].Check != d.Check {
				t.Errorf("not found again: %v", again)
			}
		})
	}
}

func checkReport(t *testing.T, d *Disagreement, options int) {
	t.Helper()
	text := d.String()
	if !strings.Contains(text, "-args -seed=") || !strings.Contains(text, d.Check+": ") {
		t.Errorf("the report does not say how to see it again:\n%s", text)
	}
	if d.Shrunk == nil || !strings.Contains(text, "shrunk: ") {
		t.Fatalf("not shrunk:\n%s", text)
	}
	if n := len(d.Shrunk.Problem.Options); n > options {
		t.Errorf("shrunk to %d options only, want %d:\n%s", n, options, text)
	}
}
