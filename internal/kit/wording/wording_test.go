package wording

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                       `""`,
		"a\nb":                   `"a\nb"`,
		strings.Repeat("é", 40):  `"` + strings.Repeat("é", 40) + `"`,
		strings.Repeat("é", 41):  `"` + strings.Repeat("é", 40) + `"…`,
		strings.Repeat("9", 999): `"` + strings.Repeat("9", 40) + `"…`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for words, want := range map[string]string{"": "", "a": "a", "a b": "a or b", "a b c": "a, b or c"} {
		if got := List(strings.Fields(words)); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 cells", 1: "1 cell", 2: "2 cells"} {
		if got := Plural(n, "cell"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]bool{"": true, "é b": true, "ééé": true, "éééé": false, "a\n": false, "\x1b[": false} {
		if got := Printable(s, 3); got != want {
			t.Errorf("%q: %t, want %t", s, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "31": 31, "07": 7, "32": -1, "007": -1, "": -1, "-1": -1, "+1": -1, "1_": -1, "0x": -1,
		strings.Repeat("9", 1<<20): -1,
	} {
		if n, ok := Number(text, 31); ok != (want >= 0) || ok && n != want {
			t.Errorf("%.10s: %d, %t, want %d", text, n, ok, want)
		}
	}
}
