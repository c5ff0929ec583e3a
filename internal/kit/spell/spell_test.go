package spell

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"domino", "trominoes", "pentominoes", "solid-pentominoes", "soma", "X5", "F5", "PAVAGE_ENGINE"}
	for word, want := range map[string]string{
		"pentomino":               "pentominoes",
		"pentominos":              "pentominoes",
		"Pentominoes":             "pentominoes",
		"solidpentominoes":        "solid-pentominoes",
		"dominoe":                 "domino",
		"odmino":                  "domino",
		"dominoes":                "domino", // trominoes is the same number of edits away
		"dominos":                 "domino",
		"DOMINOES":                "domino",
		"tromino":                 "trominoes",
		"X6":                      "X5",
		"x5":                      "X5",
		"PAVAGE_ENGIN":            "PAVAGE_ENGINE",
		"Pent":                    "pentominoes",
		"so":                      "",
		"Q5":                      "", // X5 and F5 are as near
		"zebra":                   "",
		"":                        "",
		"Q":                       "",
		strings.Repeat("x", 1000): "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%.20s: %q, want %q", word, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"größe", "grosse", 3}, {"ab", "ba", 1}, {"soma", "smoa", 1}, {"count", "cuont", 1}, {"ca", "abc", 3}, {"abcd", "badc", 2}} {
		if got, back := edits(c.a, c.b), edits(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%s to %s: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

// TestCurrent: a former name is replaced only in a list that has its successor and not the name
// itself, and no successor has another successor.
func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"walk", []string{"auto", "diagram", "sweep"}, "sweep"},
		{"levels", []string{"sweep"}, "sweep"},
		{"levels", []string{"auto", "diagram"}, "levels"},
		{"determinants", []string{"auto", "list", "dimer"}, "dimer"},
		{"determinants", []string{"dimer", "determinants"}, "determinants"},
		{"method", []string{"board", "engine"}, "engine"},
		{"engine", []string{"method"}, "method"},
		{"method", []string{"engine", "method"}, "method"},
		{"sweep", []string{"sweep"}, "sweep"},
		{"zebra", []string{"sweep"}, "zebra"},
		{"", []string{"sweep"}, ""},
	} {
		if got := Current(c.name, c.names); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.name, c.names, got, c.want)
		}
	}
	for old, now := range former {
		if next := former[now]; next != "" && next != old {
			t.Errorf("%s was replaced by %s, a former name itself", old, now)
		}
	}
}
