package cover_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

const dominoText = puzzletest.Running + "order a d b e c f\norder a b c d e f\n"

func write(t *testing.T, p *cover.Problem) string {
	t.Helper()
	var text strings.Builder
	if err := p.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestTextOfTheRunningExample(t *testing.T) {
	if got := write(t, dominoes()); got != dominoText {
		t.Errorf("wrote\n%s\nwant\n%s", got, dominoText)
	}
	p, err := cover.Read("dominoes", strings.NewReader(dominoText))
	if err != nil || !reflect.DeepEqual(p, dominoes()) {
		t.Errorf("read %+v, %v", p, err)
	}
}

func TestReadIsLenient(t *testing.T) {
	const text = "# a comment\r\n\n \titem  x 0..1#no space\r\n" +
		"item 1 3..3\nitem 2 2..7\nitem ü 5..\norder x\noption ü*1 2*03 x\norder"
	want := &cover.Problem{
		Items: []cover.Item{
			{Name: "x", Max: 1},
			{Min: 3, Max: 3},
			{Min: 2, Max: 7},
			{Name: "ü", Min: 5, Max: cover.Unbounded},
		},
		Options: []cover.Option{{{Item: 0, Times: 1}, {Item: 2, Times: 3}, {Item: 3, Times: 1}}},
		Orders:  [][]int{{0}, {}},
	}
	p, err := cover.Read("lenient", strings.NewReader(text))
	if err != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("read %+v, %v, want %+v", p, err, want)
	}
	const canonical = "item x 0..1\nitem 1 3\nitem 2 2..7\nitem ü 5..\noption x 2*3 ü\norder x\norder\n"
	if got := write(t, p); got != canonical {
		t.Errorf("wrote\n%s\nwant\n%s", got, canonical)
	}
}

func TestReadRejects(t *testing.T) {
	const items = "item a 1\nitem b 0..\n"
	for _, test := range []struct{ text, want string }{
		{"itme a 1", `:1: invalid cover: unknown word "itme", expected item, option or order`},
		{"item", ":1: invalid cover: the item line is malformed, expected item NAME MIN..MAX"},
		{"item a", `:1: invalid cover: item "a" has no bounds, expected item NAME N or item NAME MIN..MAX`},
		{"item a 1 2", "expected item NAME MIN..MAX"},
		{"item a*2 1", `item name "a*2" has a '*'`},
		{"\nitem a 1\nitem a 2", `:3: invalid cover: item "a" is declared twice`},
		{"item x 1\nitem 2 1\nitem y 1\nitem 2 1", `:4: invalid cover: item "2" is declared twice`},
		{"item a x", `bounds "x": "x" is not a whole number in range, expected 0..2147483646`},
		{"item a ..2", `bounds "..2": "" is not a whole number in range`},
		{"item a -1..2", `"-1" is not a whole number in range`},
		{"item a +1", `"+1" is not a whole number in range`},
		{"item a 3..2", `bounds "3..2": the upper bound is less than the lower bound, expected 3 or more`},
		{"item a 1..2..3", `"2..3" is not a whole number in range`},
		{"item a 2147483647", "is not a whole number in range"},
		{"item a 0..99999999999999999999", "is not a whole number in range"},
		{items + "option", ":3: invalid cover: the option uses no item (a line of an option is: option NAME NAME:COLOUR NAME*TIMES …)"},
		{items + "option c", `:3: invalid cover: unknown item "c", expected an item that a line above defines`},
		{items + "option *2", `unknown item ""`},
		{items + "option a b a", `the option names item "a" twice`},
		{items + "option b*0", `the multiplicity in "b*0": "0" is not a whole number in range, expected 1..1048576`},
		{items + "option b*1048577", "is not a whole number in range"},
		{items + "option b*2*3", `"2*3" is not a whole number in range`},
		{items + "option b*", `"" is not a whole number in range`},
		{items + "option a b\noption a\noption b a", ":5: invalid cover: the option repeats the option of line 3, expected distinct options"},
		{items + "order a x", `unknown item "x"`},
		{items + "order a a", `the order names item "a" twice`},
		{items + "order b", `the order contains item "b", whose max is over 1`},
		{items + strings.Repeat("order a\n", cover.MaxOrders+1), ":259: invalid cover: too many orders"},
		{"item \xff 1", "the line is not text, expected UTF-8"},
		{"it\x00\x1b", `unknown word "it\x00\x1b"`},
		{strings.Repeat("é", 1000), `unknown word "` + strings.Repeat("é", 40) + `"…, expected`},
		{strings.Repeat("\U0001d11e", 1000), `unknown word "` + strings.Repeat("\U0001d11e", 40) + `"…, expected`},
	} {
		_, err := cover.Read("t.cover", strings.NewReader(test.text))
		switch {
		case !errors.Is(err, cover.ErrInvalid):
			t.Errorf("%q: got %v, want an ErrInvalid", test.text, err)
		case !strings.HasPrefix(err.Error(), "t.cover:") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("got %v, want t.cover:… %s", err, test.want)
		}
	}
}

// endless is an input without end: lines of comment, or one line of one byte.
type endless string

func (e endless) Read(b []byte) (int, error) {
	for n := 0; n < len(b); {
		n += copy(b[n:], e)
	}
	return len(b), nil
}

func TestReadLimits(t *testing.T) {
	comments := endless("#" + strings.Repeat(".", 1<<10-2) + "\n")
	tooManyItems := func() io.Reader {
		var text bytes.Buffer
		for i := range cover.MaxItems + 1 {
			fmt.Fprintf(&text, "item %d 1\n", i)
		}
		return &text
	}
	for _, test := range []struct {
		input io.Reader
		want  string
	}{
		{comments, "t:65537: invalid cover: the input is too long, expected at most 67108864 bytes"},
		{endless("x"), "t:1: invalid cover: the line is too long, expected at most 16777216 bytes"},
		{io.LimitReader(comments, cover.MaxTextBytes), ""},
		{tooManyItems(), "t:1048577: invalid cover: too many items, expected at most 1048576"},
	} {
		_, err := cover.Read("t", test.input)
		if got := fmt.Sprint(err); got != test.want && (test.want != "" || err != nil) {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestReadPassesErrorsOn(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("item a 1\n"), iotest.ErrReader(io.ErrClosedPipe))
	_, err := cover.Read("t", broken)
	if !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, cover.ErrInvalid) || !strings.HasPrefix(err.Error(), "t:2: ") {
		t.Errorf("got %v", err)
	}
}

func TestWriteTextRejects(t *testing.T) {
	for want, items := range map[string][]cover.Item{
		"has bounds 1..0":                   {{Min: 1}},
		`named "a b"`:                       {{Name: "a b"}},
		`named "a\u00a0b"`:                  {{Name: "a\u00a0b"}},
		`named "a*b"`:                       {{Name: "a*b"}},
		`named "#"`:                         {{Name: "#"}},
		`named "\xff"`:                      {{Name: "\xff"}},
		`items 0 and 2 are both called "a"`: {{Name: "a"}, {Name: "b"}, {Name: "a"}},
		`items 0 and 1 are both called "1"`: {{Name: "1"}, {}},
	} {
		var text strings.Builder
		err := (&cover.Problem{Items: items}).WriteText(&text)
		if !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), want) || text.Len() != 0 {
			t.Errorf("got %v after %d bytes, want %s", err, text.Len(), want)
		}
	}
}

// full is a disk with room for a number of bytes.
type full int

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), int(*f))
	*f -= full(n)
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestWriteTextPassesErrorsOn(t *testing.T) {
	disk := full(100)
	if err := dominoes().WriteText(&disk); disk != 0 || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("%v, and room for %d bytes left", err, disk)
	}
}

func TestTextRoundTripsRandomCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 1000 {
		p := randomCover(rng, k)
		text := write(t, p)
		back, err := cover.Read("random", strings.NewReader(text))
		if err == nil && k%2 == 1 { // colours have other numbers now, but only once
			p = back
			back, err = cover.Read("again", strings.NewReader(write(t, p)))
		}
		if err != nil || !reflect.DeepEqual(back, p) || write(t, p) != text {
			t.Fatalf("%s\nwas read as %+v, %v, want %+v", text, back, err, p)
		}
	}
}

// FuzzRead: nothing makes Read panic, and a text that is read is valid, and is written and read
// back the same.
func FuzzRead(f *testing.F) {
	f.Add(dominoText)
	f.Add("item 0 2..\nitem b 1..3 # c\noption 0*2 b\n\norder\n")
	f.Add("item a 0..0\norder a\nitem \u2003x 1\noption a a")
	f.Add("option \xff\r\nitem a 4294967296..")
	f.Add(colouredText)
	f.Add("item x 0..1\nitem x:R 0..1\noption x:G x:R\nitem x:G 1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := cover.Read("fuzz", strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, cover.ErrInvalid) || strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error %q", err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Errorf("read an invalid problem: %v", err)
		}
		written := write(t, p)
		back, err := cover.Read("written", strings.NewReader(written))
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("%q\nwas read back as %+v, %v, want %+v", written, back, err, p)
		}
	})
}

func TestIsText(t *testing.T) {
	for text, want := range map[string]bool{
		"item a 1":                     true,
		"item a":                       false,
		"# c\n\n  \n item a 0.. # c\n": true,
		"item: 3":                      false,
		"item a 1 b: 3":                false,
		"board: 2x3\nitem a 1":         false,
		"option a":                     false,
		"{\"board\": \"2x3\"}":         false,
		"":                             false,
		"# only":                       false,
		"item":                         false,
	} {
		if got := cover.IsText([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWords(t *testing.T) {
	p := &cover.Problem{
		Items:   []cover.Item{{Name: "a", Max: 1}, {Max: 3}, {Name: "c", Min: 2, Max: cover.Unbounded}},
		Options: []cover.Option{{{Item: 0, Times: 1}, {Item: 1, Times: 2}, {Item: 2, Times: 1}}},
	}
	if got := strings.Join(p.Words(0), " "); got != "a 1*2 c" {
		t.Error(got)
	}
	for i, want := range []string{"0..1", "0..3", "2.."} {
		if got := p.Items[i].Bounds(); got != want {
			t.Errorf("item %d: %s, want %s", i, got, want)
		}
	}
}
