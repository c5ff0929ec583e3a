package job

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// sources are requests whose tilings are drawn in each way that there is.
var sources = map[string]struct {
	request Sample
	limits  Limits
}{
	"diagram":   {request: Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "diagram"}},
	"classes":   {request: Sample{Puzzle: Puzzle{Board: "4x6", Pieces: []string{"domino=any"}}, Distinct: DistinctUsual}},
	"sweep":     {request: Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "sweep"}},
	"shuffling": {request: Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "shuffling"}},
	"trees":     {request: Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "trees"}},
	"coupling":  {request: Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "coupling"}},
	"sweep in little memory": {
		request: Sample{Puzzle: Puzzle{Board: "8x8", Pieces: []string{"domino=any", "monomino=any"}}, Method: "sweep"},
		limits:  Limits{Memory: 2 << 20},
	},
	"cover": {request: Sample{Puzzle: Puzzle{Text: "item a 1\nitem b 1\nitem c 1\noption a b\noption c\noption a b c\n"}}},
}

func prepared(t testing.TB, r Sample, l Limits) *Source {
	t.Helper()
	s, err := r.Prepare(context.Background(), l, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawnLines are the lines of a draw and its answer.
func drawnLines(t testing.TB, s *Source, number, seed Whole) string {
	t.Helper()
	var out bytes.Buffer
	w := Lines(&out)
	answer, err := s.Draw(context.Background(), Draws{Number: number, Seed: &seed}, w)
	if err == nil {
		err = w.Answer(answer)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSourceDrawsAsRunDoes: draws from a source are, byte for byte, the output of Run for the same
// number and seed, also while other goroutines draw.
func TestSourceDrawsAsRunDoes(t *testing.T) {
	for name, c := range sources {
		t.Run(name, func(t *testing.T) {
			s := prepared(t, c.request, c.limits)
			if s.Bytes() <= 0 {
				t.Errorf("the source holds %d bytes", s.Bytes())
			}
			var all sync.WaitGroup
			for seed := range Whole(4) {
				number := 100 * seed
				r := c.request
				r.Number, r.Seed = number, &seed
				var want bytes.Buffer
				if _, err := Do(context.Background(), &r, c.limits, Lines(&want)); err != nil {
					t.Fatal(err)
				}
				all.Go(func() {
					if got := drawnLines(t, s, number, seed); got != want.String() {
						t.Errorf("%d tilings of seed %d differ from Run's: %.300s", number, seed, got)
					}
				})
			}
			all.Wait()
		})
	}
}

// TestSourceThreads: a source writes the same bytes with any number of threads, in every format of
// lines, with and without repeats, and hands the same tilings over.
func TestSourceThreads(t *testing.T) {
	for name, c := range sources {
		number, seed := Whole(98), Whole(2) // the number of classes
		if name == "cover" {
			number = 2
		}
		for _, unique := range []bool{false, true} {
			for _, format := range []string{"text", "json", "compact"} {
				want := ""
				for _, threads := range []int{1, 2, 3, 8} {
					limits := c.limits
					limits.Threads = threads
					r := c.request
					r.Number, r.Seed, r.Unique = number, &seed, unique
					var out, single bytes.Buffer
					for _, w := range []*bytes.Buffer{&out, &single} {
						var writer render.Writer
						watch := Watch{
							Begin: func(p *tiling.Puzzle) error {
								writer = render.FormatOf(format).Begin(w, p, render.Options{})
								return nil
							},
							Tiling: func(one render.Tiling) error { return writer.Add(one) },
						}
						if w == &out {
							watch.Lines = func() *render.Lines { return writer.(*render.Lines) }
						}
						if a, err := Do(t.Context(), &r, limits, watch); err != nil || a.Drawn != number {
							t.Fatalf("%s, %s: %+v, %v", name, format, a, err)
						}
					}
					if want == "" {
						want = out.String()
					}
					if out.String() != want || single.String() != want {
						t.Errorf("%s, %s, unique %v: %d threads write other bytes", name, format, unique, threads)
					}
				}
			}
		}
	}
}

// TestTilingOfARank: a rank names the tiling that a draw reports with it, different ranks name
// different tilings, and numbers out of range are refused.
func TestTilingOfARank(t *testing.T) {
	for name, c := range sources {
		t.Run(name, func(t *testing.T) {
			s := prepared(t, c.request, c.limits)
			ctx, seed := context.Background(), Whole(1)
			if c.request.matches() {
				if _, err := s.Tiling(ctx, "0"); KindOf(err) != BadInput || !strings.Contains(err.Error(), "no rank") {
					t.Errorf("a rank: %v", err)
				}
				return
			}
			line := func(tile render.Tiling) string { return fmt.Sprint(tile.JSON(s.Puzzle())) }
			_, err := s.Draw(ctx, Draws{Number: 3, Seed: &seed}, Watch{Tiling: func(tile render.Tiling) error {
				rank := tile.Rank
				if rank == nil {
					rank = tile.SweepRank
				}
				again, err := s.Tiling(ctx, rank.String())
				if err != nil || line(again) != line(tile) {
					t.Errorf("rank %v is of %s, %v, want %s", rank, line(again), err, line(tile))
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			n, _ := new(big.Int).SetString(s.about.Count, 10)
			for _, wrong := range []*big.Int{big.NewInt(-1), n, new(big.Int).Add(n, n)} {
				_, err := s.Tiling(ctx, wrong.String())
				if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), "less than "+s.about.Count) && wrong.Sign() >= 0 {
					t.Errorf("rank %v: %v", wrong, err)
				}
			}
			for word, rank := range map[string]string{"last": n.Sub(n, big.NewInt(1)).String(), "first": "000"} {
				named, err := s.Tiling(ctx, word)
				numbered, wrong := s.Tiling(ctx, rank)
				if err != nil || wrong != nil || len(named.Placements)+len(named.Options) == 0 || line(named) != line(numbered) {
					t.Errorf("the %s tiling is %v, %v, that of %s is %v, %v", word, named, err, rank, numbered, wrong)
				}
			}
		})
	}
}

// TestAllTilingsOfRanks: the ranks below the count are all tilings, each once.
func TestAllTilingsOfRanks(t *testing.T) {
	for _, method := range []string{"diagram", "sweep"} {
		s := prepared(t, Sample{Puzzle: dominoes, Method: method}, Limits{})
		seen := map[string]bool{}
		for rank := range int64(3) {
			tile, err := s.Tiling(context.Background(), fmt.Sprint(rank))
			if err != nil {
				t.Fatal(err)
			}
			seen[fmt.Sprint(tile.Placements)] = true
		}
		if len(seen) != 3 {
			t.Errorf("by %s: %v", method, seen)
		}
	}
}

// TestSourceWithoutTiling: a puzzle without a tiling has a source, and a clear error.
func TestSourceWithoutTiling(t *testing.T) {
	for _, method := range []string{"diagram", "sweep"} {
		s := prepared(t, Sample{Puzzle: Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}, Method: method}, Limits{})
		if _, err := s.Draw(context.Background(), Draws{Number: 1}, Watch{}); !errors.Is(err, ErrNoTiling) {
			t.Errorf("a draw by %s: %v", method, err)
		}
		if _, err := s.Tiling(context.Background(), "0"); !errors.Is(err, ErrNoTiling) || KindOf(err) != BadInput {
			t.Errorf("tiling 0 by %s: %v", method, err)
		}
	}
}

// TestSourceStops: draws end with their context and with an error of the receiver, and report how
// many tilings were drawn; a closed source draws no more.
func TestSourceStops(t *testing.T) {
	full := errors.New("full")
	for name, c := range sources {
		s := prepared(t, c.request, c.limits)
		for _, end := range []error{full, context.Canceled} {
			ctx, cancel := context.WithCancel(context.Background())
			answer, err := s.Draw(ctx, Draws{Number: 1 << 40}, Watch{Tiling: func(render.Tiling) error {
				cancel()
				if end == full {
					return full
				}
				return nil
			}})
			cancel()
			if answer == nil || end == full && !errors.Is(err, full) || end != full && KindOf(err) != Interruption {
				t.Errorf("%s, ended by %v: %+v, %v", name, end, answer, err)
			}
		}
		refused := func(*tiling.Puzzle) error { return full }
		if _, err := s.Draw(context.Background(), Draws{Number: 1}, Watch{Begin: refused}); !errors.Is(err, full) {
			t.Errorf("%s: nobody takes the tilings: %v", name, err)
		}
	}
}

// TestPrepareEnds: requests that Run refuses are refused, and the watch receives the end of the
// stage.
func TestPrepareEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&Sample{Puzzle: dominoes}).Prepare(ctx, Limits{}, Watch{}); KindOf(err) != Interruption {
		t.Errorf("canceled: %v", err)
	}
	if _, err := (&Sample{Puzzle: dominoes, Method: "dice"}).Prepare(context.Background(), Limits{}, Watch{}); KindOf(err) != BadInput {
		t.Errorf("an unknown method: %v", err)
	}
	if _, err := (&Sample{Puzzle: Puzzle{Example: "bedlam"}}).Prepare(context.Background(), Limits{Time: 1}, Watch{}); KindOf(err) != Limit {
		t.Errorf("no time: %v", err)
	}
	for _, method := range []string{"diagram", "sweep"} {
		var last Progress
		told := 0
		r := Sample{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: method}
		s, err := r.Prepare(context.Background(), Limits{}, Watch{Progress: func(p Progress) { last = p; told++ }})
		if err != nil || last.Fraction != 1 {
			t.Fatalf("by %s: progress ends with %+v, %v", method, last, err)
		}
		before := told
		if _, err := s.Draw(context.Background(), Draws{Number: 5}, Watch{}); err != nil || told != before {
			t.Errorf("by %s: the watch is told of later work, %v", method, err)
		}
	}
}

// TestCouplingTells: draws by coupling report each run of the chains as progress, and come without
// a count and a rank; they end soon after their context.
func TestCouplingTells(t *testing.T) {
	seed := Whole(1)
	r := &Sample{Puzzle: Puzzle{Board: "46x46", Pieces: []string{"domino=any"}}, Number: 2, Seed: &seed, Method: "coupling"}
	var told []Progress
	lines := ""
	answer, err := Do(t.Context(), r, Limits{}, Watch{
		Progress: func(p Progress) {
			if p.Doing == Drawing {
				told = append(told, p)
			}
		},
		Tiling: func(tile render.Tiling) error {
			lines += fmt.Sprint(tile.Rank, tile.SweepRank, len(tile.Placements), " ")
			return nil
		},
	})
	if err != nil || answer.Method != "coupling" || answer.Count != "" || answer.Drawn != 2 || lines != "<nil> <nil> 1058 <nil> <nil> 1058 " {
		t.Fatalf("%+v, %v, %s", answer, err, lines)
	}
	for i, p := range told[1:] {
		if before := told[i]; p.Done <= before.Done || p.Fraction < before.Fraction || p.Unit != "sweeps" {
			t.Errorf("%+v after %+v", p, before)
		}
	}
	if len(told) < 10 {
		t.Errorf("%d runs were told of", len(told))
	}
	r.Puzzle.Board = "300x300"
	ctx := testkit.AfterLooks(t, 1000)
	if _, err := Do(ctx, r, Limits{}, Watch{}); KindOf(err) != Limit || ctx.Late() > 100 {
		t.Errorf("%v, %d looks late", err, ctx.Late())
	}
	r.Weights = []string{"domino=2"}
	if err := Validate(r); KindOf(err) != BadInput {
		t.Errorf("weights: %v", err)
	}
}
