package count

import (
	"context"
	"os"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// efforts are the efforts of Auto's engine on some of the examples: states of a sweep, tries of a
// search.
var efforts = map[string]struct {
	engine Engine
	effort float64
}{
	"bedlam":                 {Search, 26431010},
	"bricks-4x4x4":           {Sweep, 54115},
	"dominoes-8x8":           {Sweep, 1777},
	"mono-dom-tro-8x8":       {Sweep, 216282},
	"monomer-dimer-8x8":      {Sweep, 6161},
	"pentominoes-3x20":       {Sweep, 34853},
	"pentominoes-4x15":       {Sweep, 404232},
	"pentominoes-5x12":       {Sweep, 1688501},
	"pentominoes-6x10":       {Search, 580048},
	"pentominoes-8x8-hole":   {Search, 27051},
	"pentominoes-8x8-square": {Search, 3309496},
	"soma":                   {Search, 3293},
	"squares-10x10":          {Sweep, 1776602},
	"squares-10x10-once":     {Search, 19831},
	"squares-11x11":          {Sweep, 5841696},
	"squares-11x11-once":     {Search, 204086},
	"squares-7x9":            {Sweep, 27053},
	"squares-7x9-once":       {Sweep, 4791},
	"squares-9x7":            {Sweep, 27053},
	"squares-9x7-once":       {Sweep, 4791},
	"tetris-cube":            {Search, 57632579},
	"tetrominoes-10x10":      {Sweep, 42411048},
	"triangles-9x7":          {Sweep, 49241},
}

// trySeconds is the approximate cost of a try of a search, in seconds.
const trySeconds = 2.5e-7

func bundled(t testing.TB, name string) *cover.Problem {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := puzzlefile.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m.Problem
}

// TestPredict: the prediction for an example is at least a tenth of its effort and at most a
// hundred times its effort.
func TestPredict(t *testing.T) {
	for name, took := range efforts {
		p := bundled(t, name)
		seconds := took.effort * trySeconds
		if took.engine == Sweep {
			pl := newPlanner(p, Options{}, toCount, usual)
			if err := pl.begin(context.Background()); err != nil {
				t.Fatal(err)
			}
			seconds = took.effort * pl.sweep.stateCost()
		}
		f := Predict(context.Background(), p, Auto)
		if !f.Known || f.Seconds+glanceCost < seconds/10 || f.Seconds > 100*seconds || f.Bytes <= 0 {
			t.Errorf("%s: effort of about %.2g s, prediction %+v", name, seconds, f)
		}
	}
}

// TestPredictExact: a prediction that counts within its time is exact to the state.
func TestPredictExact(t *testing.T) {
	f := Predict(context.Background(), inline(t, "8x8", "domino=any"), Auto)
	if again := Predict(context.Background(), inline(t, "8x8", "domino=any"), Auto); again != f {
		t.Errorf("first %+v, then %+v", f, again)
	}
	if f.States != 1777 || f.Engine != Sweep || !f.Known {
		t.Errorf("8x8 dominoes: %+v", f)
	}
	for _, board := range []string{"20x20", "40x40", "60x60"} {
		f := Predict(context.Background(), inline(t, board, "domino=any"), Auto)
		if !f.Known || f.Engine != Dimer || f.Seconds > 1 || f.Bytes <= 0 {
			t.Errorf("dominoes %s: %+v", board, f)
		}
	}
	if f := Predict(context.Background(), inline(t, "3x3", "domino=any"), Auto); !f.Known {
		t.Errorf("nothing to do: %+v", f)
	}
}

// TestPredictLarge: the prediction is unknown if too little was counted in its time, even if the
// engine that would not be chosen was counted further.
func TestPredictLarge(t *testing.T) {
	for _, c := range [][]string{{"12x12", "tetrominoes=any"}, {"14x14", "tetrominoes=any"}, {"42x40", "I3=any"}} {
		if f := Predict(context.Background(), inline(t, c[0], c[1]), Auto); f.Known {
			t.Errorf("%v: %+v", c, f)
		}
	}
}

// TestPredictEnds: whenever its time is up, the prediction ends soon, and is unknown if the first
// levels were not counted.
func TestPredictEnds(t *testing.T) {
	p := bundled(t, "bedlam")
	for n := 0; n < 100; n += 7 {
		ctx := testkit.AfterLooks(t, n)
		if f := Predict(ctx, p, Auto); ctx.Ended() && f.Known && f.Seconds < 0.7 {
			t.Errorf("after %d looks: %+v", n, f)
		}
		if ctx.Late() > 60 {
			t.Errorf("%d looks after the end", ctx.Late())
		}
	}
	if took := testkit.Allocated(func() { Predict(context.Background(), p, Auto) }); took > 100<<20 {
		t.Errorf("it allocated %d bytes", took)
	}
}
