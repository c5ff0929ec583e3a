package differential

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Kind is what sort of thing a case is.
type Kind string

// The kinds. Large and wide cases are beyond the oracle, and often beyond 64 bits.
const (
	Abstract Kind = "cover"  // of oracle.Random
	Grid     Kind = "grid"   // of oracle.RandomGrid
	Flat     Kind = "flat"   // a puzzle on a square board
	Solid    Kind = "solid"  // a puzzle on a cube board
	Large    Kind = "large"  // a puzzle on a square board of 36 to 225 cells
	Wide     Kind = "wide"   // its levels may go to disk
	Padded   Kind = "padded" // a cover that is large, but not hard

	// Coloured covers have campaigns of their own: of oracle.RandomColoured, RandomMatching
	// and Paint.
	Coloured Kind = "coloured"
)

// kindWeights are how often the kinds come up. A wide case costs the time of a hundred others.
var kindWeights = []weighted[Kind]{{Abstract, 96}, {Grid, 88}, {Padded, 8}, {Flat, 136}, {Solid, 64}, {Large, 8}, {Wide, 2}}

// Case is a problem to compare answers on. It is made of a source of random
// numbers and of nothing else.
type Case struct {
	Kind  Kind
	Again string // how to see it again
	// Problem is the cover that is counted: the cover of the puzzle, if there is one.
	Problem *cover.Problem

	puzzle  *puzzle       // nil for a cover
	padding *padding      // of a padded cover
	model   *tiling.Model // of the puzzle's text
	draws   uint64        // seeds the random numbers of the checks
}

// FromSeed is the case of a seed. The error is about a puzzle that was meant to
// be good, whose text is then in the case.
func FromSeed(seed uint64) (*Case, error) {
	rng := rand.New(rand.NewPCG(seed, 0x7061766167650001))
	c := &Case{
		Kind:  draw(rng, kindWeights),
		Again: fmt.Sprintf("go test ./internal/test/differential -run TestCases -args -seed=%d -cases=1", seed),
		draws: seed,
	}
	return c, guarded(func() error { return c.fill(rng) })
}

// ColouredFromSeed is the coloured case of a seed.
func ColouredFromSeed(seed uint64) (*Case, error) {
	c := &Case{
		Kind:  Coloured,
		Again: fmt.Sprintf("go test ./internal/test/differential -run TestColoured -args -seed=%d -coloured=1", seed),
		draws: seed,
	}
	return c, guarded(func() error { return c.fill(rand.New(rand.NewPCG(seed, 0x7061766167650002))) })
}

// FromBytes is the case that bytes spell: every random decision uses the next byte, so that a
// fuzzer which changes a byte changes a decision. Decisions after the last byte use random numbers
// seeded by the number of bytes.
func FromBytes(kind Kind, data []byte) (*Case, error) {
	h := fnv.New64a()
	h.Write(data)
	c := &Case{Kind: kind, Again: fmt.Sprintf("FromBytes(%q, []byte(%q))", kind, data), draws: h.Sum64()}
	rng := rand.New(&byteSource{data: data, rest: rand.NewPCG(1, uint64(len(data)))})
	return c, guarded(func() error { return c.fill(rng) })
}

// byteSource makes eight times the next byte: small random numbers are made
// of either end of a word.
type byteSource struct {
	data []byte
	rest rand.Source
}

func (s *byteSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.rest.Uint64()
	}
	b := s.data[0]
	s.data = s.data[1:]
	return uint64(b) * 0x0101010101010101
}

// fill makes the problem.
func (c *Case) fill(rng *rand.Rand) error {
	switch c.Kind {
	case Abstract:
		c.Problem = oracle.Random(rng)
	case Grid:
		c.Problem = oracle.RandomGrid(rng)
	case Coloured:
		c.Problem = randomColoured(rng)
	case Padded:
		c.setPadding(randomPadding(rng))
	default:
		return c.setPuzzle(randomPuzzle(rng, c.Kind))
	}
	return nil
}

// guarded makes an error of a panic.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// setPuzzle writes and parses the puzzle, as if it came from a file.
func (c *Case) setPuzzle(p *puzzle) error {
	c.puzzle = p
	m, err := p.model()
	if err == nil {
		c.model, c.Problem = m, m.Problem
	}
	return err
}

// model parses the puzzle's text and makes its model.
func (p *puzzle) model() (*tiling.Model, error) {
	text := p.text()
	parsed, err := puzzlefile.Parse("case", []byte(text))
	if err != nil {
		return nil, fmt.Errorf("a good puzzle is refused: %w", err)
	}
	return parsed.Model(context.Background())
}

// String is the puzzle, if there is one, or else the cover, as text.
func (c *Case) String() string {
	if c.puzzle != nil {
		return c.puzzle.text()
	}
	return coverText(c.Problem)
}

// coverText is the text form of a cover, or why there is none.
func coverText(p *cover.Problem) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	if err := p.WriteText(&b); err != nil {
		return fmt.Sprintf("%v\n%+v\n", err, p)
	}
	for _, s := range p.Symmetries {
		fmt.Fprintf(&b, "# symmetry %v\n", s)
	}
	return b.String()
}

// weighted is a choice and how often it is made.
type weighted[T any] struct {
	what   T
	weight int
}

// draw draws one of the choices.
func draw[T any](rng *rand.Rand, choices []weighted[T]) T {
	sum := 0
	for _, c := range choices {
		sum += c.weight
	}
	at := rng.IntN(sum)
	for _, c := range choices {
		if at -= c.weight; at < 0 {
			return c.what
		}
	}
	panic("unreachable: the weights sum up")
}

// TestCasesAreRepeatable: a seed, or bytes, are all that a case is made of.
func TestCasesAreRepeatable(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(300) {
		a, err := FromSeed(seed)
		b, err2 := FromSeed(seed)
		if err != nil || err2 != nil || a.Kind != b.Kind || a.String() != b.String() || a.draws != b.draws {
			t.Fatalf("seed %d: %v and %v (%v, %v)", seed, a, b, err, err2)
		}
		different[a.String()] = true
	}
	if len(different) < 250 {
		t.Errorf("only %d different cases", len(different))
	}
}

// TestFromBytes: short strings are cases, too, and equal bytes, which some ways to draw would
// reject for ever.
func TestFromBytes(t *testing.T) {
	for _, k := range kindWeights {
		for _, b := range []string{"", "\x00", "\xff", "\x80"} {
			if _, err := FromBytes(k.what, []byte(strings.Repeat(b, 300))); err != nil {
				t.Errorf("%s of 300 times %q: %v", k.what, b, err)
			}
		}
	}
}
