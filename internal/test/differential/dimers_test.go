package differential

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// dimerLaws are boards that only determinants can count, and many small ones; the long run has
// all sizes.
func dimerLaws() (all []Law) {
	squares, diamonds := []int{1, 2, 3, 10, 31, 50}, []int{1, 2, 7, 20, 40}
	if testkit.IsLong() {
		squares, diamonds = upTo(100), upTo(40)
	}
	for _, n := range squares {
		all = append(all, dominoLaw(n, n))
	}
	all = append(all, dominoLaw(3, 60), dominoLaw(7, 40), dominoLaw(41, 24))
	for _, n := range diamonds {
		all = append(all, aztecLaw(n))
	}
	for a := 1; a <= 8; a++ {
		for b := 1; b <= 8; b++ {
			for c := 1; c <= 8; c++ {
				if testkit.IsLong() || a <= b && b <= c { // the others are turned or mirrored
					all = append(all, lozengeLaw(a, b, c))
				}
			}
		}
	}
	return all
}

// upTo are 1, 2 … n.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// TestDimerLaws holds determinants to formulas, exactly and modulo primes.
func TestDimerLaws(t *testing.T) {
	testkit.Serial(t)
	for _, law := range dimerLaws() {
		p := lawProblem(t, law)
		lawCount(t, law, p, count.Dimer, count.Options{Limits: count.Limits{Threads: 1}})
	}
}

// TestDimersAndSweeps: on random boards of all lattices, with holes and on cylinders,
// a determinant counts as a sweep does.
func TestDimersAndSweeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 14))
	kinds := map[string]int{}
	for i := range testkit.Size(200, 2000) {
		b := randomDimers(rng)
		p := lawProblem(t, Law{Name: fmt.Sprintf("board %d", i), Puzzle: b.puzzle})
		sweep := dimersBy(t, b, p, count.Sweep, 1)
		if got := dimersBy(t, b, p, count.Dimer, 1+rng.IntN(2)); got.Cmp(sweep) != 0 {
			t.Fatalf("a determinant counts %v, a sweep %v\n%s", got, sweep, b.puzzle)
		}
		kinds[b.lattice]++
		if sweep.Sign() > 0 {
			kinds["some"]++
		}
		if sweep.BitLen() > 62 {
			kinds["beyond a prime"]++
		}
	}
	t.Log(kinds)
	for _, kind := range []string{"square", "cylinder", "triangle", "colours", "some", "beyond a prime"} {
		if kinds[kind] < 15 {
			t.Errorf("%d boards of kind %s: too few", kinds[kind], kind)
		}
	}
}

func dimersBy(t *testing.T, b dimers, p *cover.Problem, e count.Engine, threads int) *big.Int {
	t.Helper()
	r, err := count.Count(t.Context(), p, e, count.Options{Limits: count.Limits{Threads: threads}})
	if err != nil {
		t.Fatalf("%s: %v\n%s", e, err, b.puzzle)
	}
	return r.Count
}

// dimers is a puzzle of pieces of two cells.
type dimers struct{ lattice, puzzle string }

// randomDimers is a board of up to 14x14 with holes, of one of several kinds.
func randomDimers(rng *rand.Rand) dimers {
	side := func() int { return 2 + max(rng.IntN(13), rng.IntN(13)) }
	rows, columns, kind := side(), side(), rng.IntN(4)
	if kind == 0 {
		columns += columns % 2 // around an odd cylinder cells have no two colours
	}
	drawn := holed(rows, columns, rng)
	board := fmt.Sprintf("%q", drawn)
	switch kind {
	case 0:
		return dimers{"cylinder", fmt.Sprintf("{board: %s, wrap: columns, pieces: [%s]}", board, anyOf("domino"))}
	case 1:
		return dimers{"triangle", fmt.Sprintf("{lattice: triangle, board: %q, pieces: [%s]}", triangles(drawn), anyOf("lozenge"))}
	case 2: // two sorts of dominoes, of which one may not lie in some places
		return dimers{"colours", fmt.Sprintf("{board: %s, pieces: [%s, {name: tall, cells: [[0,0],[1,0]], copies: any, motions: fixed}]}", board, anyOf("domino"))}
	}
	return dimers{"square", fmt.Sprintf("{board: %s, pieces: [%s]}", board, anyOf("domino"))}
}

// triangles draws the cells of a board as triangles.
func triangles(board string) string {
	lines := strings.Split(board, "\n")
	for r, line := range lines {
		cells := []byte(line)
		for c := range cells {
			if cells[c] == '#' {
				cells[c] = "^v"[(r+c)%2]
			}
		}
		lines[r] = string(cells)
	}
	return strings.Join(lines, "\n")
}

// holed draws a board without some cells, mostly two neighbours at a time, so that many have
// tilings.
func holed(rows, columns int, rng *rand.Rand) string {
	lines := make([]string, rows)
	cells := []byte(strings.Repeat("#", rows*columns))
	if rows*columns%2 == 1 {
		cells[2*rng.IntN(rows*columns/2+1)] = '.' // of the more frequent colour
	}
	for range rng.IntN(rows*columns/8 + 1) {
		at, step := rng.IntN(rows*columns), 1
		if rng.IntN(2) == 0 {
			step = columns
		}
		if to := at + step; to < len(cells) && cells[at] == '#' && cells[to] == '#' {
			cells[at], cells[to] = '.', '.'
		}
	}
	if rng.IntN(8) == 0 {
		cells[rng.IntN(len(cells))] = '.'
	}
	cells[0] = '#' // there is a cell
	for r := range lines {
		lines[r] = string(cells[r*columns : (r+1)*columns])
	}
	return strings.Join(lines, "\n")
}
