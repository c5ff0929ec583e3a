package job

import (
	"reflect"
	"testing"

	"github.com/pavage/pavage/count"
)

// TestPrepared: a count that is computed elsewhere gives the answer of Run.
func TestPrepared(t *testing.T) {
	for _, r := range []*Count{
		{Puzzle: dominoes, Engine: "sweep"},
		{Puzzle: Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}, Engine: "sweep"},
		{Puzzle: dominoes, Engine: "sweep", Conditions: Conditions{With: []string{"#0"}}},
		{Puzzle: Puzzle{Example: "queens-8"}, Engine: "sweep"},
	} {
		want, err := Do(t.Context(), r, Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Prepare(t.Context(), Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		counted, err := count.Count(t.Context(), p.Problem, count.Sweep, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Counted(counted)
		got.Seconds, got.Peak = want.Seconds, want.Peak
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestPreparedIsPlain: a request that needs more than one count is not prepared.
func TestPreparedIsPlain(t *testing.T) {
	for want, r := range map[string]*Count{
		"distinct does not go with a count on many machines":                                  {Puzzle: dominoes, Distinct: DistinctUsual},
		"explain does not go with a count on many machines":                                   {Puzzle: dominoes, Explain: true},
		"formula does not go with a count on many machines":                                   {Puzzle: dominoes, Formula: true},
		"the puzzle is given in 0 ways, expected one way: text, example, or board and pieces": {},
	} {
		if _, err := r.Prepare(t.Context(), Limits{}, Watch{}); err == nil || err.Error() != want || KindOf(err) != BadInput {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
