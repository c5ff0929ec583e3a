package job_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

func inline(board string, pieces ...string) job.Puzzle {
	return job.Puzzle{Board: board, Pieces: pieces}
}

// clued makes puzzles with clues of the given kinds.
func clued(t *testing.T, p job.Puzzle, n, seed job.Whole, kinds ...string) []job.CluedPuzzle {
	t.Helper()
	a, err := job.Do(t.Context(), &job.Clues{Puzzle: p, Number: n, Seed: &seed, Kinds: kinds}, job.Limits{}, job.Watch{})
	if err != nil || len(a.Puzzles) != int(n) || uint64(a.Next) < uint64(seed+n) {
		t.Fatalf("%v: %v, expected %d puzzles", p, err, n)
	}
	return a.Puzzles
}

// checkUnique counts the tilings of the puzzle in the file, with several engines.
func checkUnique(t *testing.T, p *job.CluedPuzzle, engines ...string) {
	t.Helper()
	two := job.Whole(2)
	requests := []*job.Count{{UpTo: &two}}
	for _, engine := range engines {
		requests = append(requests, &job.Count{Engine: engine})
	}
	for _, r := range requests {
		r.Puzzle = job.Puzzle{Text: string(p.Puzzle)}
		c, err := job.Do(t.Context(), r, job.Limits{}, job.Watch{})
		if err != nil || c.Count != "1" || c.More {
			t.Fatalf("%+v, %v, expected one tiling by %q of %s", c, err, r.Engine, p.Puzzle)
		}
	}
	var solution string
	w := job.Watch{
		Begin:  func(*tiling.Puzzle) error { return nil },
		Tiling: func(found render.Tiling) error { solution = text(found.JSON(p.Model).Placements); return nil },
	}
	if _, err := job.Do(t.Context(), &job.List{Puzzle: job.Puzzle{Text: string(p.Puzzle)}}, job.Limits{}, w); err != nil || solution != text(p.Solution.Placements) {
		t.Fatalf("%s, %v, expected the solution of %s", solution, err, text(p))
	}
}

// checkMinimal counts the tilings of the puzzle without each of its clues.
func checkMinimal(t *testing.T, base *tiling.Puzzle, p *job.CluedPuzzle) {
	t.Helper()
	var fewer []tiling.Puzzle
	for k := len(base.Place); k < len(p.Model.Place); k++ {
		q := *p.Model
		q.Place = slices.Delete(slices.Clone(q.Place), k, k+1)
		fewer = append(fewer, q)
	}
	for k := len(base.Walls); k < len(p.Model.Walls); k++ {
		q := *p.Model
		q.Walls = slices.Delete(slices.Clone(q.Walls), k, k+1)
		fewer = append(fewer, q)
	}
	for k := len(base.Joined); k < len(p.Model.Joined); k++ {
		q := *p.Model
		q.Joined = slices.Delete(slices.Clone(q.Joined), k, k+1)
		fewer = append(fewer, q)
	}
	for k, region := range p.Model.Regions {
		q := *p.Model
		q.Regions = slices.Clone(q.Regions)
		switch {
		case k >= len(base.Regions):
			q.Regions = slices.Delete(q.Regions, k, k+1)
		case region.Min != base.Regions[k].Min || region.Max != base.Regions[k].Max:
			q.Regions[k] = base.Regions[k]
		default:
			continue
		}
		fewer = append(fewer, q)
	}
	if len(fewer) != len(p.Clues) {
		t.Fatalf("%d clues are %d in the file %s", len(p.Clues), len(fewer), p.Puzzle)
	}
	for k := range fewer {
		m, err := fewer[k].Model(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		some, err := count.Some(t.Context(), m.Problem, 2, count.Options{})
		if err != nil || len(some) < 2 {
			t.Fatalf("%d tilings without clue %d, %v: %s", len(some), k, err, p.Puzzle)
		}
	}
}

// marked is a solid puzzle with marks.
const marked = `{"board": "2x3x4", "lattice": "cube", "motions": "fixed", "pieces": [
	{"name": "a", "shape": "12", "copies": "any"}, {"name": "b", "shape": "3\n4", "copies": "any"}]}`

// TestClues: each puzzle has only its solution as a tiling, and needs each of its clues.
func TestClues(t *testing.T) {
	boards := []struct {
		puzzle job.Puzzle
		kinds  []string
	}{
		{inline("6x6", "domino=any"), nil},
		{inline("7x8", "domino=any"), []string{"wall"}},
		{inline("8x8", "domino=any"), []string{"wall", "joined"}},
		{inline("10x10", "domino=any"), []string{"joined"}},
		{inline("12x12", "domino=any"), []string{"placement", "wall"}},
		{inline("6x6", "tetrominoes=any"), []string{"wall"}},
		{inline("8x8", "tetrominoes=any"), nil},
		{inline("8x8", "tetrominoes=any"), []string{"piece"}},
		{inline("8x8", "pentominoes", "O4"), []string{"piece", "wall"}},
		{inline("6x10", "pentominoes"), nil},
		{inline("6x10", "pentominoes"), []string{"piece", "joined"}},
		{inline("2x3x4", "domino=any", "L3=0..4"), []string{"wall", "piece"}},
		{inline("hexagon:3", "lozenge=any"), []string{"wall"}},
		{job.Puzzle{Text: marked}, []string{"sum"}},
		{job.Puzzle{Board: "4x6", Wrap: "columns", Pieces: []string{"domino=any"}}, []string{"wall", "joined"}},
		{job.Puzzle{Board: "5x5", Pieces: []string{"L3=any", "I3=0..1"}, Cover: "at-most"}, []string{"piece", "wall"}},
	}
	each := job.Whole(testkit.Size(2, 10)) // 160 puzzles; 63 make 1,008 in 3 minutes
	for _, b := range boards {
		m, err := b.puzzle.Read()
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range clued(t, b.puzzle, each, 5, b.kinds...) {
			checkUnique(t, &p, "sweep")
			checkMinimal(t, m, &p)
			again := clued(t, b.puzzle, 1, p.Seed, b.kinds...)
			if text(again[0]) != text(p) {
				t.Fatalf("%v: puzzle %d is %s, and by its seed %s", b.puzzle, k, text(p), text(again[0]))
			}
		}
	}
}

func text(x any) string {
	out, err := json.Marshal(x)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// TestCluesAreFair: the 36 tilings of 4x4 with dominoes are equally likely, with any clues.
func TestCluesAreFair(t *testing.T) {
	for _, r := range []job.Clues{{}, {Kinds: []string{"wall"}, Fewest: true}, {Kinds: []string{"joined"}, Grade: "easy"}} {
		r.Puzzle, r.Number = inline("4x4", "domino=any"), 1
		tally, draws := map[string]float64{}, testkit.Size(720, 7200)
		for seed := range job.Whole(draws) {
			r.Seed = &seed
			a, err := job.Do(t.Context(), &r, job.Limits{}, job.Watch{})
			if err != nil {
				t.Fatal(err)
			}
			tally[text(a.Puzzles[0].Solution)]++
		}
		chi, expected := 0.0, float64(draws)/36
		for _, n := range tally {
			chi += (n - expected) * (n - expected) / expected
		}
		if p := (distuv.ChiSquared{K: 35}).Survival(chi); p < 1e-4 || len(tally) != 36 {
			t.Errorf("%v: chi-square of %d tilings has a tail of %g", r.Kinds, len(tally), p)
		}
	}
}

// TestDominoSums makes puzzles with eight of the dominoes from 0-0 to 6-6 on 16 cells. The clues
// are sums of cells and regions.
func TestDominoSums(t *testing.T) {
	for seed := range uint64(testkit.Size(5, 100)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var pieces []string
		for _, k := range rng.Perm(28)[:8] {
			a := 0
			for ; k > a; k -= a {
				a++
			}
			pieces = append(pieces, fmt.Sprintf(`{"name": "%d-%d", "shape": "%d%d"}`, k, a, k, a))
		}
		regions := []byte("abcd efgh ijkl abcd") // 12 regions, some of two cells
		rng.Shuffle(4, func(i, k int) { regions[i], regions[5*k] = regions[5*k], regions[i] })
		p := job.Puzzle{Text: fmt.Sprintf(`{"board": "4x4", "pieces": [%s], "regions": "%s"}`,
			strings.Join(pieces, ", "), strings.ReplaceAll(string(regions), " ", `\n`))}
		base, err := p.Read()
		if err != nil {
			t.Fatal(err)
		}
		made := clued(t, p, 1, job.Whole(seed), "sum", "wall")[0]
		checkUnique(t, &made, "search", "sweep")
		checkMinimal(t, base, &made)
	}
}

// TestGrades: puzzles of a grade have the grade, and their steps lead to the solution.
func TestGrades(t *testing.T) {
	for _, grade := range []string{"easy", "medium", "hard"} {
		seed := job.Whole(1)
		r := &job.Clues{Puzzle: job.Puzzle{Example: "pentominoes-6x10"}, Number: 2, Seed: &seed, Grade: grade}
		a, err := job.Do(t.Context(), r, job.Limits{}, job.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Puzzles {
			worst, taken := "easy", 0
			for _, s := range p.Steps {
				if !s.Out {
					taken++
				}
				if s.Rule == "hard" || s.Rule == "medium" && worst == "easy" {
					worst = s.Rule
				}
			}
			if p.Grade != grade || worst != grade || taken != len(p.Solution.Placements) {
				t.Errorf("%s: grade %s, hardest step %s, %d placements taken", grade, p.Grade, worst, taken)
			}
		}
	}
}

// TestSumOfRange: a region whose sum has a range in the puzzle may have its sum as a clue.
func TestSumOfRange(t *testing.T) {
	p := job.Puzzle{Text: `{"board": "1x2", "pieces": [{"name": "a", "shape": "12"}], "regions": "ab", "sums": {"a": "1..2", "b": "0.."}}`}
	for _, made := range clued(t, p, 2, 1, "sum") {
		checkUnique(t, &made, "sweep")
	}
}

func TestBadClues(t *testing.T) {
	seed := job.Whole(1)
	for want, r := range map[string]*job.Clues{
		"number is 0, expected 1 to 1000":               {Puzzle: inline("2x3", "domino=any")},
		`kinds has "walls", expected placement, piece`:  {Puzzle: inline("2x3", "domino=any"), Number: 1, Kinds: []string{"walls"}},
		"grade is \"no\", expected":                     {Puzzle: inline("2x3", "domino=any"), Number: 1, Grade: "no"},
		"number is 4, but the puzzle has only 3 tiling": {Puzzle: inline("2x3", "domino=any"), Number: 4},
		"no tiling can be drawn":                        {Puzzle: inline("3x3", "domino=any"), Number: 1},
		"no piece has marks":                            {Puzzle: inline("2x3", "domino=any"), Number: 1, Kinds: []string{"sum"}},
		"found 0 puzzles, but the last 1000 random tilings gave no puzzle: 1000 graded easy": {Puzzle: inline("2x2", "domino=any"), Number: 1, Grade: "hard"},
		"found no puzzle: all 2 tilings are ambiguous even with all clues of these kinds":    {Puzzle: inline("2x2", "domino=any"), Number: 1, Kinds: []string{"piece"}},
		"a cover has no board": {Puzzle: job.Puzzle{Text: "item a 1\noption a\n"}, Number: 1},
	} {
		r.Seed = &seed
		_, err := job.Do(t.Context(), r, job.Limits{}, job.Watch{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// TestCluesUntilTheEnd: when a context ends, the answer has the puzzles found so far.
func TestCluesUntilTheEnd(t *testing.T) {
	seed := job.Whole(1)
	r := &job.Clues{Puzzle: inline("8x8", "domino=any"), Number: 1000, Seed: &seed}
	looks := testkit.AfterLooks(t, 5000)
	a, err := job.Do(looks, r, job.Limits{}, job.Watch{})
	if err == nil || a == nil || len(a.Puzzles) == 0 {
		t.Fatalf("%v, %v", a, err)
	}
	for _, p := range a.Puzzles {
		checkUnique(t, &p)
	}
}
