package clues_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/clues"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// benchmarks are boards with a fair draw of a solution each.
var benchmarks = []struct {
	name, board string
	pieces      []string
}{
	{"dominoes-8x8", "8x8", []string{"domino=any"}},
	{"tetrominoes-8x8", "8x8", []string{"tetrominoes=any"}},
	{"pentominoes-8x8", "8x8", []string{"pentominoes", "O4"}},
	{"dominoes-12x12", "12x12", []string{"domino=any"}},
	{"tetrominoes-12x12", "12x12", []string{"tetrominoes=any"}},
	{"pentominoes-10x12", "10x12", []string{"pentominoes=any"}},
}

// walls are candidates as in puzzles with walls: of the pairs of neighbours on a board of a width,
// those that lie in different pieces. A clue bars all options that have both.
func walls(p *cover.Problem, solution []int, cells, width int) (all []cover.Bound) {
	covers := func(o, cell int) bool {
		return slices.ContainsFunc(p.Options[o], func(u cover.Use) bool { return u.Item == cell })
	}
	for a := range cells {
		for _, b := range []int{a + 1, a + width} {
			if b >= cells || b == a+1 && b%width == 0 {
				continue
			}
			c := cover.Bound{Name: fmt.Sprint(a, "|", b)}
			for o := range p.Options {
				if covers(o, a) && covers(o, b) {
					c.Options = append(c.Options, o)
				}
			}
			if c.IsKept(solution) {
				all = append(all, c)
			}
		}
	}
	return all
}

// placements are candidates that each give an option of the solution.
func placements(solution []int) (all []cover.Bound) {
	for _, o := range solution {
		all = append(all, cover.Bound{Name: fmt.Sprint(o), Options: []int{o}, Min: 1, Max: 1})
	}
	return all
}

func BenchmarkMinimal(b *testing.B) {
	for _, c := range benchmarks {
		p := puzzletest.Inline(b, c.board, c.pieces...).Problem
		var rows, columns int
		if _, err := fmt.Sscanf(c.board, "%dx%d", &rows, &columns); err != nil {
			b.Fatal(err)
		}
		cells := rows * columns
		source, err := sample.From(b.Context(), p, sample.Request{}, count.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var solutions [][]int
		for d, err := range source.Draws(b.Context(), sample.Seeded(1), 50) {
			if err != nil {
				b.Fatal(err)
			}
			solutions = append(solutions, slices.Sorted(slices.Values(d.Options)))
		}
		for _, kind := range []string{"walls", "placements"} {
			for g := clues.Easy; g <= clues.Hard; g++ {
				b.Run(fmt.Sprint(c.name, "/", kind, "/", g), func(b *testing.B) {
					number, found, k := 0, 0, 0
					for b.Loop() {
						s := solutions[k%len(solutions)]
						candidates := placements(s)
						if kind == "walls" {
							candidates = walls(p, s, cells, columns)
						}
						f, err := clues.New(b.Context(), p, s, candidates, 0)
						if err != nil {
							b.Fatal(err)
						}
						if got, err := f.Minimal(b.Context(), rand.New(rand.NewPCG(uint64(k), 0)), g); err == nil {
							number += len(got)
							found++
						}
						k++
					}
					b.ReportMetric(float64(number)/float64(max(1, found)), "clues/op")
					b.ReportMetric(float64(k-found), "ambiguous")
				})
			}
		}
	}
}
