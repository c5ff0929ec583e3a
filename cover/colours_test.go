package cover_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// colouredText is the example of the package comment.
const colouredText = `item p 1
item q 1
item x 0..1
item y 0..1
option p x:R
option p x:G y
option q x:R y:1
option q x:G
option q y
`

// randomCover has colours every other time.
func randomCover(rng *rand.Rand, k int) *cover.Problem {
	if k%2 == 0 {
		return oracle.Random(rng)
	}
	return oracle.RandomColoured(rng)
}

func readText(t *testing.T, text string) *cover.Problem {
	t.Helper()
	p, err := cover.Read("t", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTextWithColours(t *testing.T) {
	p := readText(t, colouredText)
	one := func(item int, colour int32) cover.Use { return cover.Use{Item: item, Times: 1, Colour: colour} }
	want := []cover.Option{
		{one(0, 0), one(2, 1)},
		{one(0, 0), one(2, 2), one(3, 0)},
		{one(1, 0), one(2, 1), one(3, 3)},
		{one(1, 0), one(2, 2)},
		{one(1, 0), one(3, 0)},
	}
	if !reflect.DeepEqual(p.Options, want) || !slices.Equal(p.Colours, []string{"R", "G", "1"}) {
		t.Errorf("read %v with the colours %q", p.Options, p.Colours)
	}
	if got := write(t, p); got != colouredText {
		t.Errorf("wrote\n%s\nwant\n%s", got, colouredText)
	}
	if got := strings.Join(p.Words(2), " "); got != "q x:R y:1" {
		t.Errorf("words %s", got)
	}
	solutions, err := oracle.Solutions(p)
	if err != nil || !reflect.DeepEqual(solutions, [][]int{{0, 2}, {0, 4}, {1, 3}}) {
		t.Errorf("solutions %v, %v", solutions, err)
	}
}

// TestNamesWithColons: a name of an item is that item, as it was before there were colours.
func TestNamesWithColons(t *testing.T) {
	for text, want := range map[string]string{
		"item x:R 0..1\noption x:R":                                    "[[{0 1 0}]]",
		"item x 0..1\nitem x:R 0..1\noption x:R":                       "[[{1 1 0}]]",
		"item x:R 0..1\noption x:R:R":                                  "[[{0 1 1}]]",
		"item x: 0..1\nitem : 0..1\noption x: :":                       "[[{0 1 0} {1 1 0}]]",
		"item a 0..1\nitem b 0..1\noption b:S a:R":                     "[[{0 1 1} {1 1 2}]]",
		"item x 0..1\nitem y 0..1\nitem x:R 1\noption y:R\noption x:R": "[[{1 1 1}] [{2 1 0}]]",
	} {
		p := readText(t, text)
		if got := spell(p); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if back := readText(t, write(t, p)); !reflect.DeepEqual(back, p) {
			t.Errorf("%q: read back as %+v, want %+v", text, back, p)
		}
	}
}

func TestColoursAreRefused(t *testing.T) {
	const items = "item p 1\nitem x 0..1\n"
	for text, want := range map[string]string{
		items + "option p x:R x:G":            `:3: invalid cover: the option names item "x" twice`,
		items + "option p x x:G":              `the option names item "x" twice`,
		items + "option p:R":                  `has a colour of item "p", whose bounds are 1..1, expected 0..1`,
		items + "option x:R*2":                `has 2 uses of item "x" with a colour, expected one use`,
		items + "option x:":                   `"x:" has no colour, expected NAME:COLOUR`,
		items + "option y:R":                  `unknown item "y:R"`,
		items + "option :R":                   `unknown item ":R"`,
		items + "option x:R:G":                `unknown item "x:R:G"`,
		items + "order x:R":                   `unknown item "x:R"`,
		items + "option x:R\nitem x:R 1":      `:4: invalid cover: item name "x:R" is ambiguous: an option above uses the name for item 1 with the colour "R"`,
		items + "option p x:R\noption x:R  p": "the option repeats the option of line 3",
	} {
		if _, err := cover.Read("t", strings.NewReader(text)); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestTooManyColours(t *testing.T) {
	var text strings.Builder
	text.WriteString("item x 0..1\n")
	for c := range cover.MaxColours + 1 {
		text.WriteString("option x:" + string(rune(0x10000+c)) + "\n")
	}
	_, err := cover.Read("t", strings.NewReader(text.String()))
	if err == nil || err.Error() != "t:65538: invalid cover: too many colours, expected at most 65536" {
		t.Error(err)
	}
}

// TestColoursTakeMemory: names count, though one option has all of them.
func TestColoursTakeMemory(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		item := string(rune('a'+i%26)) + string(rune('a'+i/26))
		text.WriteString("item " + item + " 0..1\noption " + item + ":" + item + "\n")
	}
	const memory = 100 * (128 + 48 + 16 + 100)
	if _, err := cover.ReadWithin(t.Context(), "t", strings.NewReader(text.String()), memory); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("got %v, want an ErrMemory", err)
	}
}

func TestColoursThatCannotBeWritten(t *testing.T) {
	for want, names := range map[string][2]string{
		`colour 2 is named ""`:                {"R", ""},
		`colour 1 is named "a:b"`:             {"a:b", "R"},
		`colour 1 is named "a b"`:             {"a b", "R"},
		`colours 1 and 2 are both called "R"`: {"R", "R"},
		`item 2 is named "x:G", which is also the text of a use with a colour in option 0`: {"R", "G"},
	} {
		p := &cover.Problem{
			Items:   []cover.Item{{Name: "x", Max: 1}, {Name: "x:R", Max: 1}, {Name: "x:G", Max: 1}},
			Colours: names[:],
			Options: []cover.Option{{{Item: 0, Times: 1, Colour: 2}}},
		}
		var text strings.Builder
		if err := p.WriteText(&text); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), want) || text.Len() > 0 {
			t.Errorf("%q: %v, want %s", names, err, want)
		}
	}
}

// TestImagesKeepColours: that two colours stand at the same places does not make them one.
func TestImagesKeepColours(t *testing.T) {
	p := readText(t, "item p 1\nitem q 1\nitem x 0..1\nitem y 0..1\noption p x:R\noption q y:G\noption q y")
	if _, err := p.Images(cover.Symmetry{1, 0, 3, 2}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("red goes to green: %v", err)
	}
	p = readText(t, "item p 1\nitem q 1\nitem x 0..1\nitem y 0..1\noption p x:R\noption p x:G\noption q y:G\noption q y:R")
	if images, err := p.Images(cover.Symmetry{1, 0, 3, 2}); err != nil || !slices.Equal(images, []int{3, 2, 1, 0}) {
		t.Errorf("images %v, %v", images, err)
	}
}

// TestQuotientWithColours: p and q go to each other, x stays.
func TestQuotientWithColours(t *testing.T) {
	p := readText(t, `item p 1
item q 1
item x 0..1
option p x:R
option q x:R
option p x
option q x
option p
option q`)
	q, err := p.Quotient(cover.Symmetry{1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := spell(q.Problem); got != "[[{0 1 0} {1 1 1}] [{0 1 0}]]" {
		t.Errorf("options %s: one use with a colour, none of two without", got)
	}
	// A symmetry that maps x to y: each of them with two colours, or with and without one.
	p = readText(t, "item x 0..1\nitem y 0..1\nitem z 0..1\noption x:R y:G\noption x:G y:R\noption x y:B\noption x:B y\noption x:B y:B z")
	if q, err = p.Quotient(cover.Symmetry{1, 0, 2}); err != nil {
		t.Fatal(err)
	}
	if got := spell(q.Problem); got != "[[{0 1 3} {1 1 0}]]" {
		t.Errorf("options %s", got)
	}
}

// TestResidualWithColours: an item that the chosen options use with a colour may be used with it
// again.
func TestResidualWithColours(t *testing.T) {
	p := readText(t, "item x 0..1\nitem p 0..1\nitem q 0..1\noption p x:R\noption q x:R\noption q x:G\noption q x\noption q")
	r := p.Residual([]int{0})
	if !slices.Equal(r.Options, []int{1, 4}) || r.Problem.Validate() != nil {
		t.Errorf("left are %v of %+v", r.Options, r.Problem)
	}
	if r := p.Residual([]int{3}); !slices.Equal(r.Options, []int{}) {
		t.Errorf("x was used without a colour, left are %v", r.Options)
	}
	for _, taken := range [][]int{{0, 2}, {2, 0}, {0, 3}, {3, 0}} {
		if r := p.Residual(taken); r != nil {
			t.Errorf("%v do not fit together, got %+v", taken, r)
		}
	}
	if r := p.Residual([]int{0, 1}); r == nil || len(r.Options) != 0 {
		t.Errorf("two with one colour: %+v", r)
	}
}

// spell are the options of a problem as Go prints them.
func spell(p *cover.Problem) string { return fmt.Sprint(p.Options) }
