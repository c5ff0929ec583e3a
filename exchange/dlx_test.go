package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/tiling"
)

// read reads a valid file of a format.
func read(t *testing.T, format, text string) *Content {
	t.Helper()
	c, err := Read(context.Background(), format, "f", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// solutions counts the solutions of a small cover or puzzle.
func solutions(t *testing.T, c *Content) int {
	t.Helper()
	p := c.Cover
	if p == nil {
		m, err := c.Puzzle.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p = m.Problem
	}
	n, err := oracle.Count(p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDLXCounts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"exact", "| dominoes on a 2x2 board: cells a b / c d\na b c d\na b\nc d\na c\nb d\n", 2},
		{"colours", "p q | x y\np x:R\np x:G y\nq x:R y:1\nq x:G\nq y\n", 3},
		{"bounds", "1:2|A B 2|#\nA #\nA B\nB #\nA\nB\n", 2},
		{"bar before a name", "a |s t\na s\na t\n", 2},
		{"equal options", "a b\na\na\nb\nb\nb\n", 6},
		{"equal options in another order", "a b\na b\nb a\n", 2},
		{"none", "a b\na\n", 0},
		{"no options", "a b\n", 0},
		{"at least none", "0:1|a\na\n", 2},
		{"no newline at the end, carriage returns, blank lines", "\r\n a\tb \r\n\r\n| x\r\na b\r\na\r\nb", 2},
		{"a mark of the byte order", "\ufeffa b\na b\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := read(t, "dlx", c.text)
			if got := solutions(t, content); got != c.want {
				t.Errorf("%d solutions, want %d", got, c.want)
			}
			if len(content.Warnings) > 0 {
				t.Errorf("warnings %q, want none", content.Warnings)
			}
			if c.want > 0 && Recognise([]byte(c.text)) != "dlx" {
				t.Error("not recognised")
			}
		})
	}
}

func TestDLXTitleAndWarnings(t *testing.T) {
	c := read(t, "dlx", "|\n| Queens \n| more\na_long_name b\na_long_name b\n")
	if c.Title != "Queens" || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "8 bytes") {
		t.Errorf("title %q and warnings %q, want Queens and one of a long name", c.Title, c.Warnings)
	}
}

func TestDLXMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: there is no line of items"},
		{"| only\n", "f:1:1: there is no line of items"},
		{"a a\n", "f:1:3: item \"a\" is given twice"},
		{"a | b | c\n", "f:1:7: the line of items has a second '|'"},
		{"a:b\n", "f:1:1: bad item \"a:b\""},
		{"a | 1:2|b\n", "f:1:5: bad item \"1:2|b\""},
		{"0|a\n", "f:1:1: bounds of \"0|a\": the upper bound is 0"},
		{"3:2|a\n", "f:1:1: bounds of \"3:2|a\": \"3:2\" runs backwards, expected 2:3"},
		{"x|a\n", "f:1:1: bounds of \"x|a\": \"x\" is not a number"},
		{"12345678|a\n", "at most 7 digits"},
		{"+1|a\n", "f:1:1: bounds of"},
		{"a b\na c\n", "f:2:3: unknown item \"c\""},
		{"a b\na b a\n", "f:2:5: item \"a\" is given twice in the option, expected each item once"},
		{"a | x\na x:R x:G\n", "f:2:7: item \"x\" is given twice in the option, the second time as \"x:G\", expected each item once"},
		{"a | x\n\nx\n", "f:3:1: the option has only secondary items"},
		{"a | x\na:R\n", "f:2:1: primary item \"a\" has a colour"},
		{"a | x\na x:RG\n", "f:2:3: the colour \"RG\" of item \"x\" is not allowed, expected one character"},
		{"a | x\na x:\n", "f:2:3: the colour \"\" of item"},
		{"a\na |3\n", "f:2:3: \"|3\" in the option is not an item"},
		{"a\nb\xff\n", "f:2:2: the byte 0xff here is not UTF-8"},
		{"\xff\xfea\x00", "f:1:1: the text is in UTF-16"},
	} {
		_, err := Read(context.Background(), "dlx", "f", []byte(c.text), Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, tiling.ErrPuzzle) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", c.text, err, c.want)
		}
	}
}

func TestDLXLimits(t *testing.T) {
	text := []byte("a b\n" + strings.Repeat("a\n", 1000))
	items := []byte(strings.Repeat("x", 100))
	for k := range 1000 {
		items = fmt.Appendf(items, " i%d", k)
	}
	for _, text := range [][]byte{items, []byte(strings.Repeat("x", 20_000))} {
		if _, err := Read(context.Background(), "dlx", "f", text, Options{Memory: 10_000}); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("a long line of items: %v", err)
		}
	}
	clauses := []byte("p cnf 2 200\n" + strings.Repeat("1 0\n", 200))
	if _, err := Read(context.Background(), "dimacs", "f", clauses, Options{Memory: 10_000}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("many clauses: %v", err)
	}
	if _, err := Read(context.Background(), "dlx", "f", text, Options{Memory: 10_000}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("error %v, want one about memory", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	many := []byte("a b\n" + strings.Repeat("a\n", 20_000))
	if _, err := Read(ctx, "dlx", "f", many, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestOursAreNotRecognised: puzzle files and covers of Pavage are not recognised as other formats.
func TestOursAreNotRecognised(t *testing.T) {
	for _, text := range []string{
		"", "\n\n", "board: 2x3\npieces: [domino=any]\n", "# board 2x3\nboard: 2x3\npieces:\n  - domino\n",
		"{\"board\": \"2x3\",\n\"pieces\": [\"domino\"]}", "---\nboard: 2x3\n", "%YAML 1.2\n---\nboard: 2x3\n",
		"item a 1\nitem b 1\noption a b\n", "item item 1\noption item\n", "? board\n: 2x3\n",
		"title: a b\n\nboard: |\n  ##\n  ##\npieces: [{name: domino, copies: any}]\n",
	} {
		if f := Recognise([]byte(text)); f != "" {
			t.Errorf("%q is recognised as %s", text, f)
		}
	}
}

// TestFewerClauses: the header of a formula declares one clause more than the file has.
func TestFewerClauses(t *testing.T) {
	c := read(t, "dimacs", "p cnf 2 3\n1 2 0\n-1 -2 0\n")
	want := `[the line "p cnf" declares 1 clause more than the file has]`
	if fmt.Sprint(c.Warnings) != want {
		t.Errorf("remarks %q, want %s", c.Warnings, want)
	}
}
