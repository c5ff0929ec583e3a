package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

func problem(t *testing.T, puzzle string) *cover.Problem { return puzzletest.Parse(t, puzzle).Problem }

const (
	dominoes8    = "{board: 8x8, pieces: [{name: domino, copies: any}]}"     // 12988816, states merge
	pent4x15     = "{board: 4x15, pieces: [pentominoes]}"                    // 1472, more than 2^11 nodes to search
	solid2x5x6   = "{board: 2x5x6, pieces: [solid-pentominoes]}"             // 2112, 800 MB to sweep
	tetrominoes8 = "{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}" // far more nodes to search
	// 13664822582333502156627512, tens of millions of states
	tetrominoes12 = "{board: 12x12, pieces: [{set: tetrominoes, copies: any}]}"
	ring          = "{board: 1x2500, wrap: columns, pieces: [{name: domino, copies: any}]}"               // 2, many cells
	slabs         = "{board: 16x16x32, pieces: [{name: slab, box: 16x16x16, copies: 2, motions: fixed}]}" // 1, too wide to sweep
)

// path is a way through the planner, with the limits that force it.
type path struct {
	name, puzzle string
	limits       limits
	memory       int64
	count        int64
	engine       Engine
	reason       string // a part of it
}

// with are the usual limits with some changed.
func with(change func(l *limits)) limits {
	l := usual
	change(&l)
	return l
}

func eager(l *limits)      { l.firstStates, l.patience, l.first = 1, 0, 0 }
func slowSweep(l *limits)  { eager(l); l.levelsSay = 1e7 } // a sweep that seems to be slow
func never(l *limits)      { l.firstStates, l.trialStates, l.first = 1<<62, 1<<62, 0 }
func rash(l *limits)       { eager(l); l.leastTries, l.turn, l.probesSay = 1, 0, 1e-9 }
func oneTry(l *limits)     { slowSweep(l); l.leastTries, l.overrun, l.turn, l.reach = 1, 0, 0, math.Inf(1) }
func rashAtOnce(l *limits) { l.overrun, l.leastTries = 0, 1 }
func noHope(l *limits)     { l.hopeless = -1 }

// tooLittle is a memory that a search fits in, but not the levels of a sweep.
func tooLittle(t *testing.T, puzzle string) int64 {
	t.Helper()
	s, err := space(context.Background(), problem(t, puzzle), Options{Limits: Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return s.Bytes(1)
}

// TestAutoPaths forces the planner through each of its ways, and wants the
// right count, the reason of that way, and progress that never falls and ends
// at 1.
func TestAutoPaths(t *testing.T) {
	for _, x := range []path{
		{"sweep before a choice", dominoes8, usual, 0, 12988816, Sweep, "before a comparison of engines was worth"},
		{"sweep after probes", tetrominoes8, with(eager), 0, 19077209438, Sweep, "the rest of the sweep was never expected"},
		{"determinants", dominoes8, with(eager), 0, 12988816, Dimer, "before the rest of the sweep"},
		{"determinants at once", ring, usual, 0, 2, Dimer, "rarely faster"},
		{"search at once", pent4x15, usual, 0, 1472, Search, "no sweep is tried"},
		{"search at once overruns", pent4x15, with(rashAtOnce), 0, 1472, Search, "before the rest of the sweep"},
		{"search", solid2x5x6, with(slowSweep), 0, 2112, Search, "before the rest of the sweep"},
		{"search in a glimpse", pent4x15, with(slowSweep), 0, 1472, Search, "while the planner tried both"},
		{"search is not sure", tetrominoes8, with(slowSweep), 0, 19077209438, Sweep, "certain enough for a change"},
		{"search overruns", tetrominoes8, with(rash), 0, 19077209438, Sweep, "faster than the rest of the search"},
		{"sweep out of memory", solid2x5x6, with(never), tooLittle(t, solid2x5x6), 2112, Search, "the sweep ran out of memory"},
		{"both overrun", solid2x5x6, with(rash), 2 * tooLittle(t, solid2x5x6), 2112, Search, "after a search"},
		{"too wide", slabs, usual, 0, 1, Search, "511 bits"},
		{"too wide, and hopeless before it is tried", slabs, with(noHope), 0, 1, Search, "511 bits"},
	} {
		t.Run(x.name, func(t *testing.T) {
			track := &tracker{T: t}
			var told *Plan
			o := Options{Limits: Limits{Threads: 1, Memory: x.memory}, Watch: Watch{Progress: track.report}}
			pl := newPlanner(problem(t, x.puzzle), o, toCount, x.limits)
			pl.o.Planned = func(p *Plan) {
				told = p
				agrees(t, pl)
			}
			if x.name == "both overrun" {
				pl.sweeps = 1e-12 // the rest of the sweep seems to cost nothing
			}
			r, err := pl.auto(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if told == nil || told.Engine != x.engine || told.Engine == Search && told.Reason != r.Plan.Reason {
				t.Errorf("reported plan %+v, was %+v", told, r.Plan)
			}
			if r.Count.Cmp(big.NewInt(x.count)) != 0 {
				t.Errorf("counts %v, want %d", r.Count, x.count)
			}
			x.check(t, r)
			track.ended()
		})
	}
}

// agrees wants the reason of the plan to hold for the forecasts beside it.
func agrees(t *testing.T, pl *planner) {
	t.Helper()
	p := pl.plan
	if p.Sweep == nil || p.Search == nil || pl.sweep == nil {
		return
	}
	sweep, search := p.Sweep.cost-pl.sweep.cost(), p.Search.cost-pl.search.hunted
	want, known := map[string]bool{
		"the rest of the sweep is not expected to be slower than a search":           sweep*pl.sweeps <= 1.001*search,
		"a search may be faster, but the forecast of the search is too uncertain":    search < 1.001*sweep*pl.sweeps,
		"a search is expected to be done before the rest of the sweep":               search < 1.001*sweep*pl.sweeps,
		"the rest of the sweep is expected to be faster than the rest of the search": sweep*pl.sweeps < 1.001*search,
	}[p.Reason]
	if known && !want {
		t.Errorf("%q, where the rest of the sweep costs %g and the rest of the search %g", p.Reason, sweep, search)
	}
}

func (x path) check(t *testing.T, r *Result) {
	t.Helper()
	if r.Engine != x.engine || r.Plan.Engine != x.engine || !strings.Contains(r.Plan.Reason, x.reason) {
		t.Errorf("engine %s, planned %s since %q; want %s since …%s…", r.Engine, r.Plan.Engine, r.Plan.Reason, x.engine, x.reason)
	}
	if r.Plan.Seconds <= 0 {
		t.Errorf("ran for %g s", r.Plan.Seconds)
	}
}

// TestAutoGivesUp wants the sweep's error where the search cannot help.
func TestAutoGivesUp(t *testing.T) {
	for _, x := range []struct {
		name, puzzle string
		limits       limits
		memory       int64
		want         error
		says         string
	}{
		{"no memory, and hopeless", tetrominoes12, with(noHope), tooLittle(t, tetrominoes12), cover.ErrMemory, "years"},
		{"no memory for either", dominoes8, with(never), 1000, cover.ErrMemory, "memory"},
	} {
		_, err := newPlanner(problem(t, x.puzzle), Options{Limits: Limits{Threads: 1, Memory: x.memory}}, toCount, x.limits).auto(context.Background())
		if !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: error %v, want %v and %q", x.name, err, x.want, x.says)
		}
	}
}

// TestCompilePaths is TestAutoPaths for diagrams, whose sets TestRandomCovers
// compares.
func TestCompilePaths(t *testing.T) {
	for _, x := range []struct {
		path
		listed bool
	}{
		{path{"levels", dominoes8, usual, 0, 12988816, Diagram, "no comparison is worth"}, false},
		{path{"levels after probes", dominoes8, with(eager), 0, 12988816, Diagram, "faster than a search"}, false},
		{path{"list", pent4x15, with(slowSweep), 0, 1472, Diagram, "faster than a sweep"}, true},
		{path{"list overruns", pent4x15, with(oneTry), 0, 1472, Diagram, "was slower than expected"}, false},
		{path{"too wide", slabs, usual, 0, 1, Diagram, "511 bits"}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			track := &tracker{T: t}
			pl := newPlanner(problem(t, x.puzzle), Options{Limits: Limits{Threads: 1}, Watch: Watch{Progress: track.report}}, toCompile, x.limits)
			c, err := pl.compile(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if c.Result.Count.Cmp(big.NewInt(x.count)) != 0 {
				t.Errorf("counts %v, want %d", c.Result.Count, x.count)
			}
			if x.check(t, &c.Result); c.Result.Plan.Listed != x.listed {
				t.Errorf("listed is %v", c.Result.Plan.Listed)
			}
			track.ended()
		})
	}
}

// tracker wants progress that never falls.
type tracker struct {
	*testing.T
	last  Progress
	calls int
}

func (t *tracker) report(p Progress) {
	t.calls++
	if p.Fraction < t.last.Fraction || p.Fraction > 1 || p.Done < t.last.Done || p.Unit != "states" {
		t.Errorf("progress %+v after %+v", p, t.last)
	}
	t.last = p
}

func (t *tracker) ended() {
	t.Helper()
	if t.calls == 0 || t.last.Fraction != 1 {
		t.Errorf("%d reports, the last %+v", t.calls, t.last)
	}
}

// TestWork changes engines in the middle, and back to the first later.
func TestWork(t *testing.T) {
	track := &tracker{T: t}
	w := newWork(track.report)
	report := w.part(1, Progress{})
	for _, step := range []struct {
		change                 bool
		before, fraction, want float64
	}{
		{false, 0, 0.2, 0.2},
		{false, 0, 0.4, 0.4},
		{true, 0, 0, 0.4},
		{false, 0, 0.5, 0.7},
		{false, 0, 0.25, 0.7},
		{true, 0.4, 0.4, 0.7},
		{false, 0, 0.7, 0.85},
		{false, 0, 1, 1},
	} {
		if step.change {
			report = w.part(1, Progress{Fraction: step.before})
		}
		report(Progress{Fraction: step.fraction, Unit: "states"})
		if got := track.last.Fraction; got < step.want-1e-9 || got > step.want+1e-9 {
			t.Errorf("%+v shows %g", step, got)
		}
	}
}

// TestRandomPlans compares the planner with the oracle on random covers that the planner regards
// as large, so that it changes to the search when that has begun.
func TestRandomPlans(t *testing.T) {
	met := map[Engine]int{}
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := oracle.Random(rng)
		want, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		change := eager
		if seed%2 > 0 {
			change = slowSweep
		}
		pl := newPlanner(p, Options{Limits: Limits{Threads: 2}}, toCount, with(change))
		r, err := pl.auto(context.Background())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if met[r.Engine]++; r.Count.Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Fatalf("seed %d: auto counts %v by %s since %s, oracle %d\n%s", seed, r.Count, r.Engine, r.Plan.Reason, len(want), text(p))
		}
	}
	if met[Sweep] < 100 || met[Search] < 100 {
		t.Errorf("engines met: %v, want some of each", met)
	}
}

// TestExplain wants both forecasts, whatever the engine and however short.
func TestExplain(t *testing.T) {
	for _, puzzle := range []string{dominoes8, pent4x15} {
		for _, e := range anyProblem() {
			r, err := Count(context.Background(), problem(t, puzzle), e, Options{Watch: Watch{Explain: true}})
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Plan; p == nil || p.Reason == "" || p.Sweep == nil || p.Search == nil || p.Sweep.Seconds <= 0 || p.Search.Tries < 1 {
				t.Errorf("%s, engine %s: plan %+v", puzzle, e, p)
			}
		}
	}
}

// TestForecast wants the forecast of a sweep that has come some way to be
// right within a factor of three.
func TestForecast(t *testing.T) {
	p := problem(t, pent4x15)
	r, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Estimate(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x := plan.Sweep.States / float64(r.States); x < 1/3. || x > 3 {
		t.Errorf("forecast %g states, were %d", plan.Sweep.States, r.States)
	}
}

// TestInTurns: a search that exceeds its forecast is left, and continues when the sweep, whose
// forecast is too low as well, has cost half of the expected rest of the search.
func TestInTurns(t *testing.T) {
	l := with(func(l *limits) { l.first, l.turn, l.probesSay, l.levelsSay = 0, 0.01, 1e-3, 1e-7 })
	pl := newPlanner(problem(t, solid2x5x6), Options{Limits: Limits{Threads: 1}}, toCount, l)
	pl.firstStates, pl.patience = 1, 0
	var turns []Engine
	pl.o.Planned = func(p *Plan) { turns = append(turns, p.Engine) }
	r, err := pl.auto(t.Context())
	if err != nil || r.Count.Int64() != 2112 || r.Engine != Search || !strings.Contains(r.Plan.Reason, "in turn") {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := fmt.Sprint(slices.Compact(turns)); !strings.HasSuffix(got, "search sweep search]") {
		t.Errorf("turns %s", got)
	}
	alone, err := Count(t.Context(), pl.p, Search, Options{Limits: Limits{Threads: 1}})
	if err != nil || r.Tries != alone.Tries {
		t.Errorf("%d tries in turns, %d alone, %v", r.Tries, alone.Tries, err)
	}
}

// TestLoss: if the forecasts of an engine are too low by a factor of a thousand, the loss is at
// most half of the better engine's cost, and a level.
func TestLoss(t *testing.T) {
	const level = 0.06 // seconds
	for _, puzzle := range []string{"{board: 2x5x6, pieces: [solid-pentominoes]}", tetrominoes8} {
		best := cheapest(t, puzzle)
		for _, says := range [][2]float64{{1e-3, 1}, {1, 1e-3}} {
			l := with(func(l *limits) { l.first, l.probesSay, l.levelsSay = 0, says[0], says[1] })
			pl := newPlanner(problem(t, puzzle), Options{Limits: Limits{Threads: 1}}, toCount, l)
			if _, err := pl.auto(t.Context()); err != nil {
				t.Fatal(err)
			}
			if pl.sweep.cost()+pl.search.hunted > 1.5*best+level {
				t.Errorf("%s, forecasts of probes times %g and of levels times %g: sweep %.3g and search %.3g s, the better engine %.3g",
					puzzle, says[0], says[1], pl.sweep.cost(), pl.search.hunted, best)
			}
		}
	}
}

// cheapest is the cost of the better engine alone.
func cheapest(t *testing.T, puzzle string) float64 {
	t.Helper()
	o := Options{Limits: Limits{Threads: 1}}
	pl := newPlanner(problem(t, puzzle), o, toCount, usual)
	if err := errors.Join(pl.begin(t.Context()), pl.probe(t.Context(), 64, 0)); err != nil {
		t.Fatal(err)
	}
	for !pl.sweep.done() && pl.sweep.cost() < 0.5 {
		if err := pl.sweep.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	best := pl.sweep.cost()
	h := pl.search.space.Hunt(t.Context(), search.Options{Threads: 1}, nil)
	defer h.End()
	r, err := h.Run(int64(best / pl.search.perTry))
	if err == nil {
		best = float64(r.Tries) * pl.search.perTry
	}
	return best
}

// TestPromise: a sweep that has met far more states than its forecast is not believed until it has
// kept another forecast.
func TestPromise(t *testing.T) {
	p := &promise{}
	for _, x := range []struct{ done, rest, want float64 }{
		{1000, 10, 10},
		{1030, 10, 10},
		{1050, 10, 3150}, // 50 more than 10
		{1050, 10, 3150}, // asked again
		{3000, 4000, 9000},
		{6000, 900, 900}, // 3,000 of the 4,000
		{9000, 100, 100},
	} {
		if got := p.keep(x.done, x.rest); got != x.want {
			t.Errorf("%g done, forecast %g: %g, want %g", x.done, x.rest, got, x.want)
		}
	}
}

const oneSided = "{board: 3x30, pieces: [one-sided-pentominoes]}"

// known is the puzzle of a published count.
func known(t *testing.T, id string) string {
	t.Helper()
	for _, row := range facts.Counts() {
		if row.ID == id {
			return row.Puzzle
		}
	}
	t.Fatalf("no count %s", id)
	return ""
}

// planned is a planner that has come to its choice, and the choice.
func planned(t *testing.T, puzzle string, threads int) (pl *planner, searches bool) {
	t.Helper()
	pl = newPlanner(problem(t, puzzle), Options{Limits: Limits{Threads: threads}}, toCount, usual)
	if err := pl.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	engine, err := pl.trial(t.Context(), math.MaxInt64, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return pl, engine == Search
}

// TestPlansAreTheSame: forecasts and choices depend neither on the number of threads nor on other
// work of the machine.
func TestPlansAreTheSame(t *testing.T) {
	for name, puzzle := range map[string]string{"8x8": "{board: 8x8, pieces: [pentominoes, O4]}", "3x30": oneSided} {
		pl, searches := planned(t, puzzle, 1)
		stop := testkit.Busy(t, 8)
		for _, threads := range []int{8, 2, 1}[:testkit.Size(1, 3)] {
			other, also := planned(t, puzzle, threads)
			f, g := pl.plan.Search, other.plan.Search
			if also != searches || g == nil || g.Tries != f.Tries || g.cost != f.cost || other.sweep.states() != pl.sweep.states() {
				t.Errorf("%s, %d threads: %v, search %+v, behind %d states; one thread: %v, %+v, behind %d",
					name, threads, also, g, other.sweep.states(), searches, f, pl.sweep.states())
			}
		}
		stop()
	}
}

// TestSearchIsNotGivenUp: a search is forecast to a factor of three, and its first turn is long
// enough that a sweep of months gets no turn: 8x8 with pentominoes and a square has 4.2 million
// tries, the Bedlam cube 27.0, the Tetris cube 57.
func TestSearchIsNotGivenUp(t *testing.T) {
	for _, x := range []struct {
		puzzle string
		tries  float64
	}{
		{"{board: 8x8, pieces: [pentominoes, O4]}", 4.2e6},
		{known(t, "bedlam"), 27.0e6},
		{known(t, "tetris-cube"), 57.3e6},
	} {
		pl, searches := planned(t, x.puzzle, 2)
		f := pl.plan.Search
		if !searches || f.Tries < x.tries/3 || f.Tries > 3*x.tries {
			t.Errorf("%.40s: search %v, forecast %+v; it has %g tries", x.puzzle, searches, f, x.tries)
		}
		if most := pl.tries(pl.firstTurn(pl.rest())); float64(most) < 1.5*x.tries {
			t.Errorf("%.40s: given up after %d tries, of %g", x.puzzle, most, x.tries)
		}
	}
}

// TestSearchIsNotBegun: if the forecast of a few probes is too low, the planner stays with a sweep
// that is faster.
func TestSearchIsNotBegun(t *testing.T) {
	if pl, searches := planned(t, "{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}", 2); searches {
		t.Errorf("searches, expecting %+v and %+v", pl.plan.Search, pl.plan.Sweep)
	}
}

// partitions returns a cover of parts that share no item, each of several random partitions of its
// items. A search without a memo costs the product of the parts' trees, and with a memo their sum.
func partitions(parts, items, partitions, blocks int) *cover.Problem {
	rng := rand.New(rand.NewPCG(7, 7))
	p := &cover.Problem{}
	for part := range parts {
		for range items {
			p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		}
		for range partitions {
			options := make([]cover.Option, blocks)
			for i, item := range rng.Perm(items) {
				k := i
				if i >= blocks { // the first ones leave no block empty
					k = rng.IntN(blocks)
				}
				options[k] = append(options[k], cover.Use{Item: part*items + item, Times: 1})
			}
			for _, o := range options {
				slices.SortFunc(o, func(x, y cover.Use) int { return x.Item - y.Item })
				p.Options = append(p.Options, o)
			}
		}
	}
	return p
}

// TestMemoIsSeen: where the probes expect far more tries than the search makes, the search ends in
// a glimpse, and the probes have not cost more than the planner allows them.
func TestMemoIsSeen(t *testing.T) {
	for _, threads := range []int{1, 4} {
		p := partitions(12, 48, 20, 5)
		pl := newPlanner(p, Options{Limits: Limits{Threads: threads}}, toCount, usual)
		r, err := pl.auto(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		alone, err := countPart(t.Context(), p, Search, Options{Limits: Limits{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count.Cmp(alone.Count) != 0 || r.Engine != Search || r.Tries != alone.Tries {
			t.Errorf("%d threads: %v by %s in %d tries since %s, want %v in %d tries",
				threads, r.Count, r.Engine, r.Tries, r.Plan.Reason, alone.Count, alone.Tries)
		}
		if probed := pl.search.probed; probed.Tries < 1000*float64(r.Tries) || r.Plan.Search.Tries != float64(r.Tries) {
			t.Errorf("probes expect %g tries, the plan %g, and there are %d", probed.Tries, r.Plan.Search.Tries, r.Tries)
		}
		// The first fewProbes alone cost 0.03 s; a share of the search that they expect would be
		// hours.
		if cost := pl.search.prober.Seconds(); cost > 0.05+pl.sweep.cost() {
			t.Errorf("probes cost %g s, the sweep %g s", cost, pl.sweep.cost())
		}
	}
}

// TestGlimpseIsShort: where the sweep is the better engine, the beginning of a search costs little
// more than a hundredth of the sweep, and nothing for a short sweep.
func TestGlimpseIsShort(t *testing.T) {
	for puzzle, most := range map[string]float64{dominoes8: 0, tetrominoes8: 0, "{board: 10x10, pieces: [{set: tetrominoes, copies: any}]}": 0.03} {
		pl := newPlanner(problem(t, puzzle), Options{Limits: Limits{Threads: 1}}, toCount, usual)
		if r, err := pl.auto(t.Context()); err != nil || r.Engine != Sweep || pl.search.hunted > most {
			t.Errorf("%s: %+v, %v, a search of %g s begun, want at most %g s", puzzle, r, err, pl.search.hunted, most)
		}
	}
}

// TestBoundOfProbesHolds: a search that has begun, and is expected to cost less than the probes
// expect, is not expected to cost more than their bound.
func TestBoundOfProbesHolds(t *testing.T) {
	l := usual
	l.probesSay = 1.2
	pl := newPlanner(problem(t, "{board: 8x8, pieces: [pentominoes, O4]}"), Options{Limits: Limits{Threads: 1}}, toCount, l)
	if err := errors.Join(pl.probe(t.Context(), pl.manyProbes, 0.2), pl.tryFor(t.Context(), glimpseCost)); err != nil {
		t.Fatal(err)
	}
	probed, begun := pl.search.probed, pl.plan.Search
	most := probed.most * probed.cost
	if begun == probed || begun.cost >= probed.cost || huntMost*begun.cost <= most {
		t.Fatalf("by probes %+v, by the begun search %+v, want less, but for a factor of %g more", probed, begun, huntMost)
	}
	if got := begun.most * begun.cost; got > 1.001*most {
		t.Errorf("the begun search costs up to %g s, want at most the bound of the probes, %g s", got, most)
	}
}

// TestTurns: the cost of a search's first turn, by the expected costs of the search and of the
// sweep.
func TestTurns(t *testing.T) {
	for _, x := range []struct{ search, rest, want float64 }{
		{1, 1.1, 2},   // both equal: twice the expected cost
		{1, 3, 3},     // the cost of the sweep
		{1, 50, 10},   // ten times the expected cost
		{1, 1e7, 1e6}, // never for a sweep that is hopeless
		{1e-6, 1e-6, 0.05},
	} {
		pl := &planner{limits: usual, goal: toCount, plan: &Plan{Search: &SearchForecast{cost: x.search, Tries: 1e6 * x.search}}}
		if got := pl.firstTurn(x.rest); got < 0.99*x.want || got > 1.01*x.want {
			t.Errorf("%+v: a turn of %g", x, got)
		}
	}
}

// TestThreads: no more than there are cores.
func TestThreads(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	for given, want := range map[int]int{0: cores, 1: 1, cores: cores, cores + 1: cores, 10_000: cores} {
		if got := (Limits{Threads: given}).threads(); got != want {
			t.Errorf("%d threads asked for: %d, want %d", given, got, want)
		}
	}
}

// TestForeseen: the fractions at the ends of a sweep's steps rise from 0 to 1, and half of them is
// where about half of the states are. (Of tetrominoes on 8x8 81% are: states without a future are
// dropped once levels are large, which no forecast includes.)
func TestForeseen(t *testing.T) {
	for _, puzzle := range []string{dominoes8, pent4x15, "{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}"} {
		s, err := newSweeper(t.Context(), problem(t, puzzle), Options{}, false)
		if err != nil {
			t.Fatal(err)
		}
		ends := s.meter.ends
		if ends[0] != 0 || ends[len(ends)-1] != 1 || !slices.IsSorted(ends) {
			t.Errorf("%s: %v", puzzle, ends)
		}
		half, _ := slices.BinarySearch(ends, 0.5)
		at := int64(0)
		for !s.done() {
			if err := s.step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s.run.Level() == half {
				at = s.states()
			}
		}
		if share := float64(at) / float64(s.states()); share < 0.2 || share > 0.85 {
			t.Errorf("%s: at half of the work %.0f%% of the states", puzzle, 100*share)
		}
	}
}

// TestPlanCountsBlocks: of twelve queens hardly any two states share a block, so that a sweep
// costs six times the forecast from its states alone.
func TestPlanCountsBlocks(t *testing.T) {
	const n = 12
	p := &cover.Problem{}
	for i := range 6*n - 2 {
		item := cover.Item{Max: 1}
		if i < 2*n {
			item.Min = 1
		}
		p.Items = append(p.Items, item)
	}
	for r := range n {
		for c := range n {
			p.Options = append(p.Options, cover.Option{
				{Item: r, Times: 1}, {Item: n + c, Times: 1}, {Item: 2*n + r + c, Times: 1}, {Item: 5*n - 2 + r - c, Times: 1},
			})
		}
	}
	r, err := Count(t.Context(), p, Auto, Options{Limits: Limits{Threads: 1}})
	if err != nil || r.Count.Int64() != 14200 || r.Engine != Search {
		t.Errorf("%+v, %v, want 14200 by a search", r, err)
	}
}
