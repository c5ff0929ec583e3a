package shuffle

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// chances returns the exact probability of a and d in each empty cell of each level.
func (s *Sampler) chances() []([][]*big.Rat) {
	t := s.table
	if t == nil {
		t = &table{n: s.place.n, entries: make([]int32, 4*s.place.n*s.place.n)} // all fixed
		for at := range t.entries {
			t.entries[at] = fixed
		}
	}
	levels := make([]([][]*big.Rat), s.place.n+1)
	for k, l := range t.exactFaces()[:s.place.n+1] {
		for _, row := range l {
			chances := []*big.Rat{}
			for _, f := range row {
				chances = append(chances, f.chance())
			}
			levels[k] = append(levels[k], chances)
		}
	}
	return levels
}

// state returns the matching as a string.
func (s *planes) state() string {
	var b []byte
	for _, plane := range [][]uint64{s.a, s.b, s.c, s.d} {
		for _, w := range plane {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	return string(b)
}

// restore sets the matching to a state.
func (s *planes) restore(state string) {
	for _, plane := range [][]uint64{s.a, s.b, s.c, s.d} {
		for i := range plane {
			plane[i] = binary.LittleEndian.Uint64([]byte(state[:8]))
			state = state[8:]
		}
	}
}

// law returns the exact probability of each matching that Draw may return: it tries all outcomes of
// all coins, level by level, and joins equal matchings.
func (s *Sampler) law(t *testing.T) map[string]*big.Rat {
	t.Helper()
	chances := s.chances()
	d := &draw{Sampler: s, planes: newPlanes(s.place.n)}
	states := map[string]*big.Rat{d.state(): big.NewRat(1, 1)}
	type cell struct{ i, j int }
	for k := 1; k <= s.place.n; k++ {
		next := map[string]*big.Rat{}
		for state, probability := range states {
			var coins []cell
			empty := func(i, word int, empty uint64) (uint64, error) {
				ad := uint64(0)
				for ; empty > 0; empty &= empty - 1 {
					j := 64*word + bits.TrailingZeros64(empty)
					switch p := chances[k][i][j]; {
					case p.IsInt() && p.Sign() > 0:
						ad |= empty & -empty
					case p.Sign() > 0:
						coins = append(coins, cell{i, j})
					}
				}
				return ad, nil
			}
			d.restore(state)
			if err := d.grow(k, empty); err != nil {
				t.Fatal(err)
			}
			tossed := coins
			for outcome := range 1 << len(tossed) {
				p := new(big.Rat).Set(probability)
				sides := map[cell]bool{}
				for at, c := range tossed {
					chance := chances[k][c.i][c.j]
					if sides[c] = outcome>>at&1 > 0; !sides[c] {
						chance = new(big.Rat).Sub(big.NewRat(1, 1), chance)
					}
					p.Mul(p, chance)
				}
				d.restore(state)
				err := d.grow(k, func(i, word int, empty uint64) (uint64, error) {
					ad, err := uint64(0), error(nil)
					for ; empty > 0; empty &= empty - 1 {
						c := cell{i, 64*word + bits.TrailingZeros64(empty)}
						if side, coin := sides[c]; side || !coin && chances[k][c.i][c.j].Sign() > 0 {
							ad |= empty & -empty
						}
					}
					return ad, err
				})
				if err != nil {
					t.Fatal(err)
				}
				if state := d.state(); next[state] == nil {
					next[state] = p
				} else {
					next[state].Add(next[state], p)
				}
			}
		}
		states = next
	}
	law := map[string]*big.Rat{}
	for state, p := range states {
		d.restore(state)
		edges, perfect := d.edges(d.place.n)
		if !perfect {
			t.Fatalf("%v is drawn with a probability of %v", edges, p)
		}
		if m := name(edges); law[m] == nil {
			law[m] = p
		} else {
			law[m].Add(law[m], p)
		}
	}
	return law
}

// TestExactLaw compares the exact probability of each matching with its weight: the recurrence, the
// steps of growth, the limit of vanishing edges, and stretched boards.
func TestExactLaw(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(6, 30))
	check := func(name string, b, embedded *Board) {
		t.Helper()
		s, err := New(t.Context(), embedded, Config{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, total := b.matchings(), new(big.Rat)
		for _, w := range want {
			total.Add(total, w)
		}
		law := s.law(t)
		if len(law) != len(want) {
			t.Fatalf("%s: %d of %d matchings are drawn", name, len(law), len(want))
		}
		for m, p := range law {
			if w := want[m]; w == nil || new(big.Rat).Quo(w, total).Cmp(p) != 0 {
				t.Fatalf("%s: %s has the probability %v instead of %v", name, m, p, w)
			}
		}
	}
	largest := testkit.Size(5, 6)
	for _, name := range slices.Sorted(maps.Keys(small)) {
		b := *small[name]
		if len(b.matchings()) == 0 {
			continue
		}
		for _, weighted := range []bool{false, true} {
			if b.Weights = nil; weighted {
				for range b.ends() {
					b.Weights = append(b.Weights, anyWeight(rng, 1+rng.IntN(4)*rng.IntN(10)))
				}
			}
			if _, p, err := embed(t.Context(), b.turned()); err == nil && p.n <= largest {
				check(name, &b, &b)
			}
			// one row or column, or a quarter of them
			for range 2 {
				rows, cols := make([]bool, b.Rows), make([]bool, b.Cols)
				if i := rng.IntN(b.Rows + b.Cols); i < b.Rows {
					rows[i] = true
				} else {
					cols[i-b.Rows] = true
				}
				stretched := b.stretch(rows, cols)
				if _, p, err := embed(t.Context(), stretched.turned()); err == nil && p.n <= largest {
					check(fmt.Sprint(name, rows, cols), &b, stretched)
				}
			}
		}
	}
}

// TestStretch compares the matchings of boards with the matchings of stretched boards.
func TestStretch(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(7, 30))
	for _, name := range slices.Sorted(maps.Keys(small)) {
		b := small[name]
		for range testkit.Size(3, 30) {
			rows, cols := make([]bool, b.Rows), make([]bool, b.Cols)
			for i := range rows {
				rows[i] = rng.IntN(2) == 0
			}
			for i := range cols {
				cols[i] = rng.IntN(2) == 0
			}
			// The keys are only the edges: each matching of b is a matching of the stretched board.
			want := slices.Sorted(maps.Keys(b.matchings()))
			got := slices.Sorted(maps.Keys(b.stretch(rows, cols).matchings()))
			if !slices.Equal(got, want) {
				t.Fatalf("%s, rows %v, columns %v: %d matchings instead of %d", name, rows, cols, len(got), len(want))
			}
		}
	}
}

// reference draws a matching like Draw, but compares each coin with the exact probability.
func (s *Sampler) reference(t *testing.T, chances []([][]*big.Rat), key [32]byte) string {
	t.Helper()
	d := s.newDraw(key)
	for k := 1; k <= s.place.n; k++ {
		row, coins := -1, rand.PCG{}
		err := d.grow(k, func(i, word int, empty uint64) (uint64, error) {
			if i != row {
				row, coins = i, d.stream(k, i, 0)
			}
			ad := uint64(0)
			for ; empty > 0; empty &= empty - 1 {
				j := 64*word + bits.TrailingZeros64(empty)
				p := chances[k][i][j]
				if p.IsInt() {
					if p.Sign() > 0 {
						ad |= empty & -empty
					}
					continue
				}
				more := d.stream(k, i, j+1)
				coin := new(big.Int).SetUint64(coins.Uint64())
				for range 8 {
					coin.Lsh(coin, 64).Or(coin, new(big.Int).SetUint64(more.Uint64()))
				}
				if new(big.Rat).SetFrac(coin, new(big.Int).Lsh(big.NewInt(1), 9*64)).Cmp(p) < 0 {
					ad |= empty & -empty
				}
			}
			return ad, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	edges, _ := d.edges(d.place.n)
	return name(edges)
}

// TestSameLevels draws the same keys with levels that are cut into parts for several goroutines,
// and with coins that are decided in double-double numbers.
func TestSameLevels(t *testing.T) {
	keys := [][32]byte{key(1), key(2), key(3)}
	for _, b := range []*Board{rectangle(130, 134), hexagon(45, 44, 45)} {
		var want [][]int32
		for way, slack := range []float64{0, 1e-4, 1e-3} {
			s, err := New(t.Context(), b, Config{Threads: 1 + way})
			if err != nil {
				t.Fatal(err)
			}
			s.slack, s.table.depth = slack, 1+way
			drawn, err := s.Draw(t.Context(), keys, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = drawn
			}
			if !slices.EqualFunc(drawn, want, slices.Equal) || s.table.double != (way > 0) {
				t.Errorf("order %d, slack %g, double-double pairs %v: other matchings", s.place.n, slack, s.table.double)
			}
		}
	}
}

// TestSameMatchings draws the same keys with float64 or double-double pairs, with a third of the
// coins decided again, with pairs between pairs, in several goroutines, alone or together. The
// matchings are those of reference.
func TestSameMatchings(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 30))
	keys := make([][32]byte, testkit.Size(20, 200))
	for i := range keys {
		keys[i] = key(rng.Uint64())
	}
	for _, board := range []string{"4x5", "2x7", "hexagon 2,2,2", "hexagon 1,2,3", "notch", "T", "stairs", "hole", "ring", "S"} {
		for _, digits := range []int{0, 1, 90} {
			b := *small[board]
			b.Weights = nil
			for range b.ends() {
				b.Weights = append(b.Weights, anyWeight(rng, digits))
			}
			first, err := New(t.Context(), &b, Config{})
			if err != nil {
				t.Fatalf("%s: %v", board, err)
			}
			chances := first.chances()
			var want []string
			for _, k := range keys {
				want = append(want, first.reference(t, chances, k))
			}
			for way := range 16 {
				s, err := New(t.Context(), &b, Config{Threads: 1 + way%4})
				if err != nil {
					t.Fatal(err)
				}
				s.slack = []float64{0, 0.03, 0.5, 2}[way/4]
				s.table.double, s.table.depth = rng.IntN(2) == 0, 1+rng.IntN(3)
				if err := s.table.prepare(t.Context()); err != nil {
					t.Fatal(err)
				}
				for at := 0; at < len(keys); {
					end := min(len(keys), at+1+rng.IntN(12))
					drawn, err := s.Draw(t.Context(), keys[at:end], nil)
					if err != nil {
						t.Fatalf("%s: %v", board, err)
					}
					for _, edges := range drawn {
						if got := name(edges); got != want[at] {
							t.Fatalf("%s, digits %d, slack %v: the key %d draws %s instead of %s", board, digits, s.slack, at, got, want[at])
						}
						at++
					}
				}
				if s.slack >= 0.5 && digits < 90 && !s.table.double {
					t.Errorf("%s: all coins were decided with float64 numbers", board)
				}
			}
		}
	}
}
