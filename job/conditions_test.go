package job

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
)

func inline(board string, pieces ...string) Puzzle { return Puzzle{Board: board, Pieces: pieces} }

func countOf(t *testing.T, r *Count) *Counted {
	t.Helper()
	c, err := Do(t.Context(), r, Limits{}, Watch{})
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return c
}

func cursors(t *testing.T, r *List) []string {
	t.Helper()
	var all []string
	_, err := Do(t.Context(), r, Limits{}, Watch{Tiling: func(tiling render.Tiling) error {
		all = append(all, tiling.Cursor)
		return nil
	}})
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	slices.Sort(all)
	return all
}

// TestKnownConditions: counts that were published, or computed by a short separate program.
func TestKnownConditions(t *testing.T) {
	pentominoes := Puzzle{Example: "pentominoes-6x10"}
	for _, test := range []struct {
		name string
		r    Count
		want string
	}{
		{"fault-free 5x6", Count{Puzzle: inline("5x6", "domino=any"), Conditions: Conditions{FaultFree: true}}, "6"},
		{"fault-free 6x6", Count{Puzzle: inline("6x6", "domino=any"), Conditions: Conditions{FaultFree: true}}, "0"},
		{"fault-free 6x8", Count{Puzzle: inline("6x8", "domino=any"), Conditions: Conditions{FaultFree: true}}, "62"}, // by inclusion and exclusion, as the next count
		{"fault-free 8x8", Count{Puzzle: inline("8x8", "domino=any"), Conditions: Conditions{FaultFree: true}}, "25506"},
		{"tatami 8x8", Count{Puzzle: inline("8x8", "domino=any"), Conditions: Conditions{NoFourCorners: true}}, "2"},
		{"7 standing dominoes", Count{Puzzle: inline("2x7", "domino=any"), Conditions: Conditions{Exactly: []string{"7:domino:2"}}}, "1"},
		{"5 standing dominoes", Count{Puzzle: inline("2x7", "domino=any"), Conditions: Conditions{Exactly: []string{"5:domino:2"}}}, "6"},
		{"at least 5", Count{Puzzle: inline("2x7", "domino=any"), Conditions: Conditions{AtLeast: []string{"5:domino:2"}}}, "7"},
		{"at most 3", Count{Puzzle: inline("2x7", "domino=any"), Conditions: Conditions{AtMost: []string{"3:domino:2"}}}, "14"},
		{"I and X apart", Count{Puzzle: pentominoes, Conditions: Conditions{Apart: []string{"I5,X5"}}}, "7380"},
		{"a place that the X cannot have", Count{Puzzle: pentominoes, Conditions: Conditions{With: []string{"X5@0,0"}}}, "0"},
	} {
		if c := countOf(t, &test.r); c.Count != test.want || c.Conditions == nil {
			t.Errorf("%s: %s with %+v, want %s", test.name, c.Count, c.Conditions, test.want)
		}
	}
}

// TestSums: the numbers of tilings by the piece that covers a cell add up to the count.
func TestSums(t *testing.T) {
	puzzle, want := Puzzle{Example: "pentominoes-3x20"}, "8"
	if testkit.IsLong() {
		puzzle, want = Puzzle{Example: "pentominoes-6x10"}, "9356"
	}
	for _, cell := range []string{"0,0", "2,4"} {
		sum := new(big.Int)
		for _, piece := range strings.Fields("F I L N P T U V W X Y Z") {
			c := countOf(t, &Count{Puzzle: puzzle, Conditions: Conditions{With: []string{cell + "=" + piece + "5"}}})
			n, _ := new(big.Int).SetString(c.Count, 10)
			sum.Add(sum, n)
		}
		if sum.String() != want {
			t.Errorf("the tilings by the piece at %s are %v, want %s", cell, sum, want)
		}
	}
}

// conditionsTried has conditions each of which excludes tilings of a 4x5 board with these pieces.
var conditionsTried = []Conditions{
	{With: []string{"L3@0,1"}},
	{With: []string{"1,1=domino", "domino:2"}},
	{Without: []string{"2,2=L3", "#3"}},
	{With: []string{"I3"}, Without: []string{"I3:1"}},
	{Exactly: []string{"2:L3+I3"}},
	{AtMost: []string{"2:domino"}, AtLeast: []string{"2:L3"}},
	{Apart: []string{"L3,I3"}},
	{Apart: []string{"L3,L3"}},
	{NoFourCorners: true},
	{FaultFree: true},
	{NoFourCorners: true, FaultFree: true, With: []string{"0,0"}},
}

// TestConditionsEverywhere: each engine counts the number of tilings in the list, draws choose
// among all of them, and the tilings with a condition and without it add up to all tilings.
func TestConditionsEverywhere(t *testing.T) {
	p := inline([]string{"4x4", "4x5"}[testkit.Size(0, 1)], "domino=any", "L3=0..4", "I3=0..3")
	for _, c := range conditionsTried {
		all := cursors(t, &List{Puzzle: p, Conditions: c})
		classes := cursors(t, &List{Puzzle: p, Conditions: c, Distinct: DistinctAll})
		for _, engine := range wordsOf(&Count{}, "engine") {
			if engine == "dimer" {
				continue // no pieces of three cells
			}
			got := countOf(t, &Count{Puzzle: p, Conditions: c, Engine: engine, Distinct: DistinctAll})
			if got.Count != fmt.Sprint(len(all)) || got.Distinct.Count != fmt.Sprint(len(classes)) {
				t.Errorf("%+v: %s counts %s and %s up to %s, %d and %d are listed", c, engine, got.Count, got.Distinct.Count, got.Distinct.Group, len(all), len(classes))
			}
		}
		drawn := &Sample{Puzzle: p, Conditions: c, Method: "diagram"}
		s, err := drawn.Prepare(t.Context(), Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		var ranked []string
		for k := range len(all) {
			options, err := count.At(t.Context(), s.from.Set, big.NewInt(int64(k)))
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			slices.Sort(options)
			ranked = append(ranked, formatCursor(options))
		}
		if slices.Sort(ranked); !slices.Equal(ranked, all) {
			t.Errorf("%+v: %d tilings can be drawn, others than the %d of the list", c, len(ranked), len(all))
		}
	}
}

// TestConditionsComplete: a condition and its opposite together accept all tilings.
func TestConditionsComplete(t *testing.T) {
	p := inline("4x5", "domino=any", "L3=0..4", "I3=0..3")
	all := cursors(t, &List{Puzzle: p})
	for _, pair := range [][2]Conditions{
		{{With: []string{"L3@1,2"}}, {Without: []string{"1,2=L3"}}},
		{{AtLeast: []string{"3:L3+#0"}}, {AtMost: []string{"2:L3+#0"}}},
	} {
		some, others := cursors(t, &List{Puzzle: p, Conditions: pair[0]}), cursors(t, &List{Puzzle: p, Conditions: pair[1]})
		together := slices.Concat(some, others)
		if slices.Sort(together); !slices.Equal(together, all) || len(some) == 0 || len(others) == 0 {
			t.Errorf("%+v has %d tilings, %+v has %d, together all %d are wanted", pair[0], len(some), pair[1], len(others), len(all))
		}
	}
}

func TestBadConditions(t *testing.T) {
	board, cube := inline("4x4", "domino=any", "L3=any"), Puzzle{Example: "soma"}
	cover := Puzzle{Text: "item a 1\nitem b 1\noption a\noption b\noption a b\n"}
	for _, test := range []struct {
		p    Puzzle
		c    Conditions
		want string
	}{
		{board, Conditions{With: []string{"0"}}, `with is "0": 0 is a number, expected #0 for the placement with this number`},
		{board, Conditions{Apart: []string{"0,0=domino:1,3,3=domino:9"}}, "the piece domino has no orientation 9, expected a number from 1 to 2"},
		{board, Conditions{With: []string{"dominos"}}, `with is "dominos": the puzzle has no piece "dominos", did you mean domino?`},
		{board, Conditions{With: []string{"L3@9,9"}}, `the cell "9,9" is not on the board`},
		{board, Conditions{With: []string{"L3@9"}}, `"9" is not a cell, expected row,column, or the name of a cell`},
		{board, Conditions{With: []string{"0,0,0=L3"}}, `expected row,column`},
		{board, Conditions{With: []string{"L3:5"}}, "the piece L3 has no orientation 5, expected a number from 1 to 4"},
		{board, Conditions{With: []string{"L3:0"}}, "expected a number from 1 to 4"},
		{board, Conditions{Without: []string{"#60"}}, `without is "#60": there is no placement #60, expected a number from 0 to 59`},
		{board, Conditions{Without: []string{"#99999999999999999999"}}, "no placement #99999999999999999999, expected"},
		{board, Conditions{With: []string{""}}, `with: no placement is given, expected placements such as X5, X5@0,1 or #17`},
		{board, Conditions{Exactly: []string{"L3"}}, "expected K:PLACEMENTS such as 3:X5"},
		{board, Conditions{AtLeast: []string{"-1:L3"}}, "expected K:PLACEMENTS"},
		{board, Conditions{AtMost: []string{"2:L3+I3"}}, `no piece "I3", did you mean L3?`},
		{board, Conditions{Apart: []string{"L3"}}, "the text means only one set of placements, expected two sets A,B"},
		{board, Conditions{Apart: []string{"0,0,1"}}, `apart is "0,0,1": 0 is a number, expected #0 for`},
		{board, Conditions{With: slices.Repeat([]string{"L3"}, 1001)}, "1001 conditions given, expected at most 1000"},
		{cube, Conditions{NoFourCorners: true}, "no_four_corners: the board is on the lattice cube, expected the lattice square"},
		{cube, Conditions{FaultFree: true}, "the board wraps or is not a rectangle of squares"},
		{inline("##/#.", "monomino=any"), Conditions{FaultFree: true}, "expected a rectangle of squares that does not wrap"},
		{cover, Conditions{With: []string{"c"}}, `the cover has no item "c", expected an item, or #N`},
		{cover, Conditions{Apart: []string{"a,b"}}, "a cover has no board"},
	} {
		_, err := Do(t.Context(), &Count{Puzzle: test.p, Conditions: test.c}, Limits{}, Watch{})
		if err == nil || KindOf(err) != BadInput || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.c, err, test.want)
		}
	}
	if c := countOf(t, &Count{Puzzle: cover, Conditions: Conditions{Without: []string{"#2"}}}); c.Count != "1" {
		t.Errorf("a cover without its option 2 has %s solutions, want 1", c.Count)
	}
	if c := countOf(t, &Count{Puzzle: cover, Conditions: Conditions{Exactly: []string{"1:a+b"}}}); c.Count != "1" {
		t.Errorf("a cover with just one option has %s solutions, want 1", c.Count)
	}
}

// TestTatami: on every rectangle, the tilings by dominoes and monominoes with the condition
// no_four_corners are the tilings in the list in which no four pieces meet in a corner.
func TestTatami(t *testing.T) {
	for _, test := range []struct {
		rows, columns int
		p             Puzzle
	}{
		{2, 5, inline("2x5", "domino=any")},
		{3, 4, inline("3x4", "domino=any")},
		{4, 4, inline("4x4", "domino=any")},
		{4, 5, inline("4x5", "domino=any")},
		{4, 6, inline("4x6", "domino=any")},
		{3, 4, inline("3x4", "domino=any", "monomino=any")},
		{3, 3, Puzzle{Board: "3x3", Pieces: []string{"domino=any", "L3=0..1"}, Cover: "at-most"}},
	} {
		want := 0
		_, err := Do(t.Context(), &List{Puzzle: test.p}, Limits{}, Watch{Tiling: func(tiling render.Tiling) error {
			at := map[int]int{} // the placement that covers each cell
			for i, p := range tiling.Placements {
				for _, c := range p.Cells {
					at[c] = i + 1
				}
			}
			for r := range test.rows - 1 {
				for c := range test.columns - 1 {
					corner := map[int]bool{}
					for _, cell := range []int{r*test.columns + c, r*test.columns + c + 1, (r+1)*test.columns + c, (r+1)*test.columns + c + 1} {
						if at[cell] > 0 {
							corner[at[cell]] = true
						}
					}
					if len(corner) == 4 {
						return nil
					}
				}
			}
			want++
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		c := countOf(t, &Count{Puzzle: test.p, Conditions: Conditions{NoFourCorners: true}})
		if c.Count != fmt.Sprint(want) {
			t.Errorf("%+v: %s tilings without a corner of four, the list has %d", test.p, c.Count, want)
		}
	}
}

// TestConditionsOfCovers: the options of a cover keep the words of its file. A condition adds
// items, which the answer must not show.
func TestConditionsOfCovers(t *testing.T) {
	p := Puzzle{Text: "item a 1\nitem b 0..2\noption a\noption a b\noption b\n"}
	c := Conditions{AtMost: []string{"1:#0+#2"}}
	want := "[[a b] [b]] [[a b]] [[a]]"
	ways := map[string]func(Watch) error{
		"list": func(w Watch) error {
			_, err := Do(t.Context(), &List{Puzzle: p, Conditions: c}, Limits{}, w)
			return err
		},
		"sample": func(w Watch) error {
			_, err := Do(t.Context(), &Sample{Puzzle: p, Conditions: c, Number: 3, Unique: true}, Limits{}, w)
			return err
		},
		"query": func(w Watch) error {
			_, err := Do(t.Context(), &Query{Puzzle: p, Conditions: c, Unrank: []string{"0", "1", "2"}}, Limits{}, w)
			return err
		},
	}
	for name, way := range ways {
		var got []string
		err := way(Watch{Tiling: func(tiling render.Tiling) error {
			slices.SortFunc(tiling.Options, slices.Compare)
			got = append(got, fmt.Sprint(tiling.Options))
			return nil
		}})
		slices.Sort(got)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	a, err := Do(t.Context(), &Query{Puzzle: p, Conditions: c, Marginals: "placements"}, Limits{}, Watch{})
	if err != nil || fmt.Sprint(a.Placements[2].Items) != "[b]" || a.Placements[2].Count != "1" {
		t.Errorf("marginals %+v, %v", a, err)
	}
	a, err = Do(t.Context(), &Query{Puzzle: p, Conditions: c, Rank: []GivenTiling{{Options: [][]string{{"b"}, {"a", "b"}}}}}, Limits{}, Watch{})
	if err != nil || len(a.Ranks) != 1 {
		t.Errorf("rank %+v, %v", a, err)
	}
}

// TestManySymmetries: the number of symmetries of a hundred equal parts, 100! · 2^100 = 1.18e188, is
// written in a few characters.
func TestManySymmetries(t *testing.T) {
	text := ""
	for k := range 100 {
		text += fmt.Sprintf("item a%d 1\nitem b%d 1\n", k, k)
	}
	for k := range 100 {
		text += fmt.Sprintf("option a%d\noption b%d\noption a%d b%d\n", k, k, k, k)
	}
	_, err := Do(t.Context(), &Count{Puzzle: Puzzle{Text: text}, Distinct: DistinctAll}, Limits{}, Watch{})
	if want := "can change places in more than 10^187 ways"; KindOf(err) != Limit || !strings.HasSuffix(fmt.Sprint(err), want) {
		t.Errorf("%v, want %s", err, want)
	}
	for digits, want := range map[int]string{3: "1,000", 14: "100,000,000,000,000", 15: "more than 10^14", 200: "more than 10^199"} {
		if got := ways(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)); got != want {
			t.Errorf("10^%d: %s, want %s", digits, got, want)
		}
	}
}
