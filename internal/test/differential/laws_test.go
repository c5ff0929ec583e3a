package differential

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Law is a puzzle whose count a formula gives, exactly and in no time: what
// there is beyond 64 and 128 bits, where the oracle cannot follow.
type Law struct {
	Name   string
	Puzzle string // a puzzle file
	Count  *big.Int
	Source string // of the formula
}

// Laws are all laws in all their sizes.
func Laws() []Law {
	var all []Law
	for _, family := range []func() []Law{dominoLaws, aztecLaws, lozengeLaws, surfaceLaws, recurrenceLaws, choiceLaws} {
		all = append(all, family()...)
	}
	return all
}

// inFlow is a puzzle file on a line.
func inFlow(board string, rest string, pieces ...string) string {
	return fmt.Sprintf("{board: %q, %spieces: [%s]}", board, rest, strings.Join(pieces, ", "))
}

// anyOf is an entry for any number of a known piece.
func anyOf(name string) string { return fmt.Sprintf("{name: %s, copies: any}", name) }

// dominoLaws are rectangles up to 14x14, and two rectangles with five million states.
func dominoLaws() (all []Law) {
	for m := 1; m <= 14; m++ {
		for n := m; n <= 14; n++ {
			all = append(all, dominoLaw(m, n))
		}
	}
	return append(all, dominoLaw(16, 20), dominoLaw(18, 20))
}

func dominoLaw(m, n int) Law {
	return Law{
		fmt.Sprintf("dominoes %dx%d", m, n),
		inFlow(fmt.Sprintf("%dx%d", m, n), "", anyOf("domino")),
		DominoTilings(m, n),
		"Kasteleyn (1961), Temperley and Fisher (1961)",
	}
}

// aztecLaws are diamonds of up to 16 rows above the middle: 136 bits.
func aztecLaws() (all []Law) {
	for n := 1; n <= 16; n++ {
		all = append(all, aztecLaw(n))
	}
	return all
}

func aztecLaw(n int) Law {
	return Law{
		fmt.Sprintf("aztec diamond %d", n),
		inFlow(aztec(n), "", anyOf("domino")),
		new(big.Int).Lsh(big.NewInt(1), uint(n*(n+1)/2)),
		"Elkies, Kuperberg, Larsen and Propp (1992)",
	}
}

// aztec draws the diamond of order n: rows of 2, 4, …, 2n, 2n, …, 4, 2 cells.
func aztec(n int) string {
	var rows []string
	for k := 1; k <= n; k++ {
		rows = append(rows, strings.Repeat(".", n-k)+strings.Repeat("#", 2*k)+strings.Repeat(".", n-k))
	}
	for k := n - 1; k >= 0; k-- {
		rows = append(rows, rows[k])
	}
	return strings.Join(rows, "\n")
}

// lozengeLaws are hexagons with all sides up to 5, and two beyond 64 and 128 bits.
func lozengeLaws() (all []Law) {
	for k := range 125 {
		all = append(all, lozengeLaw(1+k/25, 1+k/5%5, 1+k%5))
	}
	return append(all, lozengeLaw(7, 8, 9), lozengeLaw(11, 10, 9))
}

func lozengeLaw(a, b, c int) Law {
	return Law{
		fmt.Sprintf("lozenges %d,%d,%d", a, b, c),
		fmt.Sprintf("{board: {hexagon: [%d, %d, %d]}, pieces: [%s]}", a, b, c, anyOf("lozenge")),
		macMahon(a, b, c),
		"MacMahon, Combinatory Analysis (1916), section 495",
	}
}

// macMahon is the number of plane partitions in a box, the product of (i+j+k-1)/(i+j+k-2) over
// its cells, of which those along k cancel but for the ends.
func macMahon(a, b, c int) *big.Int {
	above, below := big.NewInt(1), big.NewInt(1)
	for i := 1; i <= a; i++ {
		for j := 1; j <= b; j++ {
			above.Mul(above, big.NewInt(int64(i+j+c-1)))
			below.Mul(below, big.NewInt(int64(i+j-1)))
		}
	}
	return above.Quo(above, below)
}

// linear is the n-th term, from 0, of a linear recurrence: terms begin it, and
// go on with t(n) = factors[0]·t(n-1) + factors[1]·t(n-2) + …
func linear(n int, terms, factors []int64) *big.Int {
	var all []*big.Int
	for _, t := range terms {
		all = append(all, big.NewInt(t))
	}
	for len(all) <= n {
		next := new(big.Int)
		for k, f := range factors {
			next.Add(next, new(big.Int).Mul(big.NewInt(f), all[len(all)-1-k]))
		}
		all = append(all, next)
	}
	return all[n]
}

// strip is a family of boards whose counts obey a recurrence in a side.
type strip struct {
	board          string // with %d for the side
	step           int    // the side is step·n for the n-th term
	pieces         []string
	terms, factors []int64
	source         string
}

// strips are recurrences that are proved by hand, by the pieces that can stand at the end of the
// board.
var strips = []strip{
	{"2x%d", 1, []string{anyOf("domino")}, []int64{1, 1}, []int64{1, 1}, "Fibonacci: a standing domino, or two lying"},
	{"3x%d", 2, []string{anyOf("domino")}, []int64{1, 3}, []int64{4, -1}, "Graham, Knuth and Patashnik, Concrete Mathematics (1994), 7.3"},
	{"2x%d", 1, []string{anyOf("monomino"), anyOf("domino")}, []int64{1, 2, 7}, []int64{3, 1, -1}, "McQuistan and Lichtman (1970), OEIS A030186"},
	{"2x%d", 1, []string{anyOf("domino"), anyOf("O4")}, []int64{1, 1}, []int64{1, 2}, "Jacobsthal: a standing domino, or two lying, or a square"},
	{"2x%d", 1, []string{anyOf("monomino"), anyOf("O4")}, []int64{1, 1}, []int64{1, 1}, "Fibonacci: two monominoes, or a square"},
	{"2x%d", 1, []string{anyOf("domino"), anyOf("L3")}, []int64{1, 1, 2}, []int64{2, 0, 1}, "OEIS A052980"},
	{"3x%d", 2, []string{anyOf("L3")}, []int64{1}, []int64{2}, "two corners to a 3x2, in 2 ways"},
	{"4x%d", 1, []string{anyOf("I4")}, []int64{1, 1, 1, 1}, []int64{1, 0, 0, 1}, "one standing, or four lying"},
	{"5x%d", 1, []string{anyOf("I5")}, []int64{1, 1, 1, 1, 1}, []int64{1, 0, 0, 0, 1}, "one standing, or five lying"},
	{"1x%d", 1, []string{anyOf("monomino"), anyOf("domino")}, []int64{1, 1}, []int64{1, 1}, "Fibonacci"},
	{"1x%d", 1, []string{anyOf("monomino"), anyOf("domino"), anyOf("I3")}, []int64{1, 1, 2}, []int64{1, 1, 1}, "3-bonacci: the last piece"},
	{"1x%d", 1, []string{anyOf("monomino"), anyOf("domino"), anyOf("I3"), anyOf("I4"), anyOf("I5")}, []int64{1, 1, 2, 4, 8}, []int64{1, 1, 1, 1, 1}, "5-bonacci: the last piece"},
	{"2x2x%d", 1, []string{"{name: brick, box: 1x1x2, copies: any}"}, []int64{1, 2, 9}, []int64{3, 3, -1}, "OEIS A006253, perfect matchings of C4 x Pn"},
}

// recurrenceLaws has each strip with a few lengths, the last far beyond 128 bits.
func recurrenceLaws() (all []Law) {
	for _, s := range strips {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 12, 40, 100, 200, 400} {
			if n*s.step > 800/cross(s.board) {
				continue
			}
			board := fmt.Sprintf(s.board, n*s.step)
			all = append(all, Law{
				fmt.Sprintf("%s with %s", board, strings.Join(s.pieces, ", ")),
				inFlow(board, "", s.pieces...),
				linear(n, s.terms, s.factors),
				s.source,
			})
		}
	}
	return all
}

// cross is the number of cells of a strip's cross section.
func cross(board string) int {
	n := 1
	for side := range strings.SplitSeq(board, "x") {
		if k := int(side[0] - '0'); side != "%d" {
			n *= k
		}
	}
	return n
}

// choiceLaws are monominoes: a choice for each cell, with bounds or without.
func choiceLaws() (all []Law) {
	const (
		atMost = "cover: at-most, "
		source = "a choice for each cell"
	)
	add := func(name, puzzle string, n *big.Int) { all = append(all, Law{name, puzzle, n, source}) }
	power := func(base, n int64) *big.Int { return new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil) }
	mono := func(name, copies string) string { return fmt.Sprintf("{name: %s, box: 1x1, copies: %s}", name, copies) }

	add("2^200", inFlow("10x20", atMost, anyOf("monomino")), power(2, 200))
	add("1", inFlow("10x20", "", anyOf("monomino")), big.NewInt(1))
	add("4^144", inFlow("12x12", atMost, mono("a", "any"), mono("b", "any"), mono("c", "any")), power(4, 144))
	add("5^100 of 5 colours", inFlow("10x10", "", mono("a", "any"), mono("b", "any"), mono("c", "any"), mono("d", "any"), mono("e", "any")), power(5, 100))
	add("C(256,128)", inFlow("16x16", atMost, mono("a", "128")), new(big.Int).Binomial(256, 128))
	add("2^225 less the first", inFlow("15x15", atMost, mono("a", "2..")), new(big.Int).Sub(power(2, 225), big.NewInt(226)))
	atMost3 := new(big.Int)
	for k := range int64(4) {
		atMost3.Add(atMost3, new(big.Int).Binomial(2500, k))
	}
	add("3 or less of 2500", inFlow("50x50", atMost, mono("a", "0..3")), atMost3)
	// 144!/(40! 50! 54!)
	multinomial := new(big.Int).Mul(new(big.Int).Binomial(144, 40), new(big.Int).Binomial(104, 50))
	add("a multinomial", inFlow("12x12", "", mono("a", "40"), mono("b", "50"), mono("c", "any")), multinomial)
	add("its last counted", inFlow("12x12", "", mono("a", "40"), mono("b", "50"), mono("c", "54")), multinomial)
	return all
}

// TestDominoTilings: values that others computed.
func TestDominoTilings(t *testing.T) {
	for _, known := range []struct {
		m, n  int
		count string
	}{
		{1, 1, "0"},
		{1, 2, "1"},
		{2, 2, "2"},
		{2, 3, "3"},
		{3, 3, "0"},
		{3, 4, "11"},
		{4, 4, "36"},
		{7, 10, "0"},
		{8, 8, "12988816"},
		{20, 20, "1269984011256235834242602753102293934298576249856"},
	} {
		if known.m == 7 { // odd by even, either way round
			if a, b := DominoTilings(7, 10), DominoTilings(10, 7); a.Cmp(b) != 0 || a.Sign() <= 0 {
				t.Errorf("7x10 %v, 10x7 %v", a, b)
			}
			continue
		}
		if got := DominoTilings(known.m, known.n); got.String() != known.count {
			t.Errorf("%dx%d: %v, want %s", known.m, known.n, got, known.count)
		}
	}
}

// TestMacMahon: OEIS A008793.
func TestMacMahon(t *testing.T) {
	for n, want := range []int64{1, 2, 20, 980, 232848, 267227532} {
		if got := macMahon(n, n, n); got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%d: %v, want %d", n, got, want)
		}
	}
}

// TestLaws checks the sweep against all laws, and diagrams and residues against the laws that are
// small enough.
func TestLaws(t *testing.T) {
	var sizes [3]int // counts below 2^64, below 2^128, beyond
	onDisk := 0
	for _, law := range Laws() {
		p := lawProblem(t, law)
		bits := law.Count.BitLen()
		sizes[min(bits/64, 2)]++
		r := lawCount(t, law, p, count.Sweep, count.Options{})
		checkLawResidues(t, law, p)
		if r.States < 20_000 {
			lawCount(t, law, p, count.Diagram, count.Options{})
		}
		if bits < 20 {
			lawCount(t, law, p, count.Search, count.Options{})
		}
		if r.States > 4_000_000 && lawOnDisk(t, law, p) {
			onDisk++
		}
	}
	t.Logf("counts below 2^64, 2^128, and beyond: %v; %d on disk", sizes, onDisk)
	if sizes[1] < 20 || sizes[2] < 20 || onDisk == 0 {
		t.Error("too few of a sort")
	}
}

func lawProblem(t *testing.T, law Law) *cover.Problem {
	t.Helper()
	p, err := puzzlefile.Parse("law", []byte(law.Puzzle))
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	m, err := p.Model(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	return m.Problem
}

func lawCount(t *testing.T, law Law, p *cover.Problem, e count.Engine, o count.Options) *count.Result {
	t.Helper()
	r, err := count.Count(context.Background(), p, e, o)
	if err != nil {
		t.Fatalf("%s, %s: %v", law.Name, e, err)
	}
	if r.Count.Cmp(law.Count) != 0 {
		t.Errorf("%s, %s: %v, want %v (%s)", law.Name, e, r.Count, law.Count, law.Source)
	}
	return r
}

// checkLawResidues: modulo a prime of 61 bits and one of 20.
func checkLawResidues(t *testing.T, law Law, p *cover.Problem) {
	t.Helper()
	moduli := []uint64{1<<61 - 1, 1_000_003}
	got, _, err := count.Residues(context.Background(), p, moduli, nil, count.Options{})
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	for i, m := range moduli {
		if want := new(big.Int).Mod(law.Count, new(big.Int).SetUint64(m)); want.Uint64() != got[i] {
			t.Errorf("%s modulo %d: %d, want %v", law.Name, m, got[i], want)
		}
	}
}

// lawOnDisk counts with some of the memory, and reports whether levels went to disk. The least
// memory that suffices is unknown, so it tries several.
func lawOnDisk(t *testing.T, law Law, p *cover.Problem) bool {
	t.Helper()
	r := lawCount(t, law, p, count.Sweep, count.Options{Limits: count.Limits{Threads: 1}})
	for percent := int64(60); percent >= 42; percent -= 2 {
		o := count.Options{Limits: count.Limits{Threads: 1, Memory: r.Bytes * percent / 100, Disk: t.TempDir()}}
		r, err := count.Count(context.Background(), p, count.Sweep, o)
		if errors.Is(err, cover.ErrMemory) {
			break
		}
		if err != nil || r.Count.Cmp(law.Count) != 0 {
			t.Fatalf("%s on disk: %v, want %v", law.Name, err, law.Count)
		}
		if r.Disk > 0 {
			return true
		}
	}
	return false
}
