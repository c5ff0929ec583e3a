package endtoend

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/job"
)

// wanted is a count and its expected answer.
type wanted struct {
	r      *job.Count
	limits client.Limits
	// count is the right one modulo 2^64.
	count uint64
}

// check wants the answer of a job that is done to be right.
func (w wanted) check(t testing.TB, j *client.Job) {
	t.Helper()
	a := as[job.Counted](t, j.Answer)
	got, ok := new(big.Int).SetString(a.Count, 10)
	if !ok || new(big.Int).And(got, new(big.Int).SetUint64(1<<64-1)).Uint64() != w.count {
		t.Errorf("job %s of\n%s %q:\ncount %s, want %d modulo 2^64", j.ID, w.r.Puzzle.Board, w.r.Puzzle.Pieces, a.Count, w.count)
	}
}

// tiny is a random puzzle with its count by the oracle. In three of four cases the service counts
// it at once; limits make the others jobs for a child.
func tiny(t testing.TB, rng *rand.Rand) wanted {
	t.Helper()
	rows, columns := 2+rng.IntN(3), 3+rng.IntN(3)
	cells := []byte(strings.Repeat(strings.Repeat("#", columns)+"\n", rows))
	for range rng.IntN(4) {
		if at := rng.IntN(len(cells)); cells[at] == '#' {
			cells[at] = '.'
		}
	}
	pieces := [][]string{{"domino=any"}, {"domino=any", "monomino=0..2"}, {"I3=any", "domino=0..3"}, {"L3=any", "monomino=1..3"}}
	p := job.Puzzle{Board: string(cells), Pieces: pieces[rng.IntN(len(pieces))]}
	count, err := oracle.Count(puzzletest.Inline(t, p.Board, p.Pieces...).Problem)
	if err != nil {
		return tiny(t, rng) // too large for the oracle
	}
	w := wanted{r: &job.Count{Puzzle: p}, count: uint64(count)}
	if rng.IntN(4) == 0 {
		w.limits.Threads = 1
	}
	return w
}

// strips makes counts that run for some time in a child and leave checkpoints: dominoes on longer
// and longer boards, by a sweep. With a width of 16 a count costs 0.3 s of CPU for 30 rows, and 1.6
// for 60. Limits make it a job whatever its forecast.
type strips struct {
	width, rows int
	weights     []uint64 // by the cells of the next row that are covered, of rows rows
}

// next is another strip.
func (s *strips) next() wanted {
	s.rows++
	for s.weights == nil {
		s.weights = make([]uint64, 1<<s.width)
		s.weights[0] = 1
		for range s.rows - 1 {
			s.row()
		}
	}
	s.row()
	p := job.Puzzle{Board: fmt.Sprintf("%dx%d", s.rows, s.width), Pieces: []string{"domino=any"}}
	return wanted{&job.Count{Puzzle: p, Engine: "sweep"}, client.Limits{Threads: 1}, s.weights[0]}
}

// row lays dominoes on the cells of one row, one cell after another. A bit of an index is
// the cell of that column in this row, or, left of the cell at hand, in the next row.
func (s *strips) row() {
	for column := range s.width {
		bit := 1 << column
		next := make([]uint64, len(s.weights))
		for covered, n := range s.weights {
			if covered&bit != 0 {
				next[covered&^bit] += n
				continue
			}
			next[covered|bit] += n // down
			if right := bit << 1; column+1 < s.width && covered&right == 0 {
				next[covered|right] += n
			}
		}
		s.weights = next
	}
}

func newStrips(width, rows int) *strips { return &strips{width: width, rows: rows} }

// TestStrips: the counts that tests compare with are right.
func TestStrips(t *testing.T) {
	s := newStrips(8, 7)
	if got := s.next(); got.count != 12988816 || got.r.Puzzle.Board != "8x8" {
		t.Errorf("%+v", got)
	}
	if got := newStrips(2, 9).next().count; got != 89 {
		t.Error(got)
	}
}
