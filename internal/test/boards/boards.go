// Package boards has problems for the tests of package band and of the packages that use it: boards
// on all lattices, with bounded copies, optional cells and colours, with counts of several limbs,
// and boards without any tiling.
package boards

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// Board is a problem with its name.
type Board struct {
	Name    string
	Problem *cover.Problem
}

var quick = [][]string{
	{"1x1", "monomino"},
	{"1x1", "domino"}, // cannot be tiled
	{"1x1", "monomino=0..1"},
	{"2x3", "domino=any"},
	{"3x3", "domino=any"}, // has an odd cell
	{"6x6", "tetrominoes=any"},
	{"5x5", "pentominoes=any"},
	{"4x5", "tetrominoes"}, // has no tiling
	{"7x7", "tetrominoes=any", "monomino=1..3"},
	{"4x15", "I5=any", "monomino=2.."},
	{"6x10", "domino=any", "monomino=any"},
	{"2x2x4", "domino=any"},
	{"3x20", "pentominoes"},
}

var quickly = []string{
	"lozenges-hexagon-3", "tetrahexes-4x7", "dominoes-torus-4x4", "mutilated-chessboard", "soma", "squares-7x9",
	"derangements-8", "petersen-colourings", "queens-8", "pentominoes-5x5-choose-5", "aztec-diamond-4", "mono-dom-tro-8x8",
}

var slow = []string{
	"bedlam", "conways-box", "macmahon-squares-4x6", "n-pentacubes-5x5x5", "pentominoes-8x8-corners", "pentominoes-8x8-square",
	"solid-pentominoes-2x5x6", "solid-pentominoes-3x4x5", "sudoku-17", "tetris-cube", "dominoes-20x20",
	"tetrominoes-10x10",
}

func example(t testing.TB, name string) *cover.Problem {
	t.Helper()
	data, err := examples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if examples.IsPuzzleFile(name) {
		return puzzletest.Parse(t, string(data)).Problem
	}
	c, err := exchange.Read(t.Context(), "dlx", name, data, exchange.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c.Cover
}

// Some returns problems that are counted quickly.
func Some(t testing.TB) []Board { return choose(t, quickly, 6) }

// All returns the problems of Some and, in the long run, many more.
func All(t testing.TB) []Board {
	if !testkit.IsLong() {
		return Some(t)
	}
	return choose(t, slices.DeleteFunc(examples.Names(), func(name string) bool { return slices.Contains(slow, name) }), 20)
}

func choose(t testing.TB, names []string, covers int) (all []Board) {
	for _, b := range quick {
		all = append(all, Board{fmt.Sprint(b), puzzletest.Inline(t, b[0], b[1:]...).Problem})
	}
	for _, name := range names {
		all = append(all, Board{name, example(t, name)})
	}
	rng := rand.New(rand.NewPCG(18, 3))
	for i := range covers {
		all = append(all, Board{fmt.Sprint("cover ", i), oracle.Random(rng)}, Board{fmt.Sprint("coloured cover ", i), oracle.RandomColoured(rng)})
	}
	return all
}
