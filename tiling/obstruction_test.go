package tiling

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
)

// TestObstructions: small puzzles without a tiling, and the reasons.
func TestObstructions(t *testing.T) {
	for _, c := range []struct {
		board  string
		pieces []string
		cover  string
		want   string // the kind, and the beginning of the text; "" for no reason
	}{
		{"2x3", []string{"domino=any"}, "", ""},
		{"3x3", []string{"domino=any"}, "", "area no number of copies of domino covers exactly 9 cells"},
		{"8x8", []string{"domino"}, "", "area the pieces have 2 cells, but the board has 64 cells; domino=any (copies: any) allows any number of copies"},
		{"3x3", []string{"domino"}, "", "area the pieces have 2 cells, but the board has 9 cells"},
		{"5x5", []string{"domino=2..3"}, "", "area the pieces have at most 6 cells, but the board has 25 cells"},
		{"4x4", []string{"domino=2..3", "I3"}, "", "area the pieces have at most 9 cells, but the board has 16 cells"},
		{"3x3", []string{"domino=5..9"}, "", "area the pieces have at least 10 cells, but the board has 9 cells"},
		{"4x4", []string{"I3=any", "L3=any"}, "", "area no choice of copies of the pieces covers exactly 16 cells"},
		{"12x12", []string{"pentominoes"}, "", "area the pieces have 60 cells, but the board has 144 cells"},
		{".###\n####\n####\n###.", []string{"domino=any"}, "", "colour coloured like a chequerboard, the board has 6 black and 8 white cells; each domino covers 1 black and 1 white cell"},
		{".####\n#####\n#####\n#####", []string{"domino=any", "I3"}, "", ""},
		{".###.\n#####\n#####\n#####", []string{"domino=any", "L4=any"}, "", "colour "},
		// The five tetrominoes: T covers three cells of one colour and one of the other, each other
		// piece two and two.
		{"4x5", []string{"tetrominoes"}, "", "colour coloured like a chequerboard, the board has 10 black and 10 white cells; no choice of copies and orientations covers exactly 10 black and 10 white cells"},
		{"5x5", []string{"tetrominoes"}, "at-most", ""},
		{"o###\n####\n####\n###.", []string{"domino=any"}, "", "colour coloured like a chequerboard, the board has 7 black and 8 white cells, of which 1 black and 0 white cells may stay empty; each domino covers 1 black and 1 white cell"},
		{"o###\n####\n####\n####", []string{"domino=any"}, "", ""},
		{"###.#\n###..", []string{"domino=any"}, "", "cell no placement covers the cell 0,4"},
		{"###.#\n###..\n....#", []string{"L3=any"}, "", "cell 2 cells, such as 0,4, are covered by no placement"},
		{"2x2x2", []string{"I3", "monomino=any"}, "", "piece the piece I3 must be used, but fits nowhere"},
		{"2x2x2", []string{"I3=0..3", "monomino=any"}, "", ""},
		{"2x3", []string{"O4=2"}, "at-most", "area the pieces have 8 cells, but the board has 6 cells"},
		{"ooo\n###", []string{"monomino"}, "", "area the pieces have 1 cell, but 3 of the 6 cells of the board must be covered; monomino=any (copies: any) allows any number of copies"},
		// Three dominoes have together the number of cells of the board, but only two have a place.
		{"##.##.#.#", []string{"domino=3", "monomino=any"}, "", "piece the piece domino must be used 3 times, but fits in only 2 places"},
		{"2x2", []string{"O4=2"}, "at-most", "piece the piece O4 must be used 2 times, but fits in only 1 place"},
	} {
		p, err := Arguments{Board: c.board, Pieces: c.pieces, Cover: c.cover}.puzzle()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range modelOf(t, p).Obstructions(t.Context()) {
			got += string(o.Kind) + " " + o.Text
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q, %v: %q, want %q", c.board, c.pieces, got, c.want)
		}
	}
}

// TestObstructionsName: which cells and pieces they are about, for programs.
func TestObstructionsName(t *testing.T) {
	for _, c := range []struct {
		text   string
		cells  string
		pieces string
	}{
		{"{board: \"###.#\\n###..\\n....#\", pieces: [{name: L3, copies: any}]}", "[[0 4] [2 4]]", ""},
		{"{board: \"##o\\n##.\\n...\\n..#\", pieces: [{name: O4, copies: any}]}", "[[3 2]]", ""},
		{"{lattice: cube, board: \"##\\n..\\n\\n..\\n.#\", pieces: [{name: domino, copies: any}]}", "[[1 1 1]]", ""},
		{"{board: 40x40, pieces: [{name: gap, cells: [[0,0],[0,50]], copies: any}]}", "1000", ""},
		{"{board: 2x2, pieces: [X5, {name: monomino, copies: any}]}", "", "[X5]"},
		{"{board: 2x2, pieces: [X5, I5, {name: Z5, copies: any}, {name: monomino, copies: any}]}", "", "[X5 I5]"},
		{"{board: 2x2, cover: at-most, pieces: [{name: O4, copies: 2}, domino]}", "", "[O4]"},
		{"{board: 3x3, pieces: [{name: domino, copies: any}]}", "", ""},
	} {
		p, err := parse("p", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var cells [][]int
		var pieces []string
		for _, o := range modelOf(t, p).Obstructions(t.Context()) {
			cells, pieces = append(cells, o.Cells...), append(pieces, o.Pieces...)
		}
		got := strings.TrimSuffix(fmt.Sprint(cells), "[]")
		if c.cells == "1000" {
			got = fmt.Sprint(len(cells))
		}
		if got != c.cells || strings.TrimSuffix(fmt.Sprint(pieces), "[]") != c.pieces {
			t.Errorf("%s: cells %v, pieces %v, want %s and %s", c.text, cells, pieces, c.cells, c.pieces)
		}
	}
}

// TestObstructionsAreTrue: whenever there is a reason, the oracle finds no tiling; on
// every lattice, with holes, optional cells and bounds.
func TestObstructionsAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 4))
	kinds := map[string]int{}
	for k := range 2400 {
		p := randomPuzzle(rng, lattices[k%len(lattices)])
		if k%3 > 0 {
			clear(p.Board.Optional)
			p.Pieces[0].Min, p.Pieces[0].Max = 0, cover.Unbounded
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		reasons := m.Obstructions(t.Context())
		if len(reasons) == 0 {
			continue
		}
		if n, err := oracle.Count(m.Problem); err == nil && n > 0 {
			t.Fatalf("%v, board %v, pieces %+v: %d tilings, but %v", p.Board.Lattice, p.Board.Cells, p.Pieces, n, reasons)
		}
		for _, r := range reasons {
			kinds[r.Kind]++
		}
	}
	t.Log(kinds)
	for _, kind := range []string{bareCell, misfitPiece, unevenArea, unevenColour} {
		if kinds[kind] < 10 {
			t.Errorf("%d puzzles with the reason %s, want more to compare", kinds[kind], kind)
		}
	}
}

// TestObstructionsOfCovers: an item that cannot be covered, with its name or number.
func TestObstructionsOfCovers(t *testing.T) {
	const agree = `the item "b" cannot be covered: too few of its options agree with the other items`
	for _, c := range []struct{ text, want string }{
		{"item a 1\nitem b 1\noption a\n", `the item "b" must be used, but no option uses it`},
		{"item a 3..4\nitem b 0..\noption a\noption a b\n", `the item "a" must be used 3 times, but all options together use it only 2 times`},
		{"item a 1\nitem b 1\nitem x 0..1\noption a x\noption b x\n", agree},
		{"item a 1\nitem b 1\nitem x 0..1\noption a x:red\noption b x:green\n", agree},
		{"item a 1\nitem b 1\nitem x 0..1\noption a x:red\noption b x:red\n", ""},
		{"item a 1\nitem b 1\nitem c 1\noption a b\noption b c\noption c a\n", ""}, // only a search shows it
	} {
		p, err := cover.Read("test", strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range Abstract(p).Obstructions(t.Context()) {
			got += o.Text
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	nameless := &cover.Problem{Items: []cover.Item{{}, {Min: 1, Max: 1}}}
	if o := Abstract(nameless).Obstructions(t.Context()); len(o) != 1 || o[0].Text != "the item 1 must be used, but no option uses it" {
		t.Errorf("%v, want item 1", o)
	}
}

// TestObstructionsOfCoversAreTrue: whenever there is a reason, the oracle finds no solution.
func TestObstructionsOfCoversAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 5))
	reasons, none := 0, 0
	for range 2000 {
		p := oracle.RandomParts(rng)
		n, err := oracle.Count(p)
		if err != nil {
			continue
		}
		if n == 0 {
			none++
		}
		if o := Abstract(p).Obstructions(t.Context()); len(o) > 0 {
			reasons++
			if n > 0 {
				t.Fatalf("items %v, options %v: %d solutions, but %v", p.Items, p.Options, n, o)
			}
		}
	}
	if reasons < 20 {
		t.Errorf("%d covers with a reason, of %d without solutions, want more to compare", reasons, none)
	}
}

// TestNoObstructionOfFacts: puzzles with known counts have no reason to have none.
func TestNoObstructionOfFacts(t *testing.T) {
	for _, row := range facts.Counts() {
		p, err := parse(row.ID, []byte(row.Puzzle))
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if reasons := m.Obstructions(t.Context()); len(reasons) > 0 && row.Count.Sign() > 0 {
			t.Errorf("%s: %v, but the count is %v", row.ID, reasons, row.Count)
		}
	}
}

func TestWarnings(t *testing.T) {
	for file, want := range map[string]string{
		"{board: 4x4, pieces: [tetrominoes]}":                                                                         "",
		"{board: 4x4, pieces: [I4, {name: bar, shape: \"####\"}]}":                                                    "I4 has the same shape as bar: ",
		"{board: 4x4, pieces: [L4, {name: J, shape: \"..#\\n###\", motions: fixed}]}":                                 "",
		"{board: 4x4, motions: fixed, pieces: [L4, {name: J, shape: \"#..\\n###\"}]}":                                 "L4 has the same shape as J: ",
		"{board: 4x4, motions: one-sided, pieces: [L4, {name: J, shape: \"..#\\n###\"}]}":                             "",
		"{board: 4x4, motions: free, pieces: [L4, {name: J, shape: \"..#\\n###\"}, {name: K, shape: \"###\\n..#\"}]}": "L4 has the same shape as J and K: ",
		"{board: 4x4, pieces: [I4, {name: bar, shape: \"####\", copies: 0}]}":                                         "",
		"{board: 4x4, colours: {w: white, b: black}, pieces: [{name: bar, shape: \"#ww#\"}]}":                         "no cell of the board or of a piece has the colour black",
		"{board: \"####\\nb###\", colours: {w: white, b: black}, pieces: [{name: bar, shape: \"#ww#\"}]}":             "",
	} {
		p, err := parse("test", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(p.Warnings(), "; ")
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if got := shortened(slices.Repeat([]string{"a"}, 9)); got != "a, a and 7 more" {
		t.Error(got)
	}
}
