package differential

import (
	"strings"
	"testing"
)

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

// TestFromBytes: a byte is a choice. Short strings are cases, too, and equal
// bytes, which some ways to draw would reject for ever.
func TestFromBytes(t *testing.T) {
	for _, k := range kindWeights {
		changed := 0
		data := []byte("of every choice one byte is made up here")
		first, err := FromBytes(k.what, data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			data[i] ^= 0x55
			other, err := FromBytes(k.what, data)
			if err != nil {
				t.Fatal(err)
			}
			if other.String() != first.String() {
				changed++
			}
			data[i] ^= 0x55
		}
		if changed < 3 {
			t.Errorf("%s: %d of 20 bytes change anything", k.what, changed)
		}
		for _, b := range []string{"", "\x00", "\xff", "\x80"} {
			if _, err := FromBytes(k.what, []byte(strings.Repeat(b, 300))); err != nil {
				t.Errorf("%s of 300 times %q: %v", k.what, b, err)
			}
		}
	}
}

// TestText is a puzzle in all its ways of writing.
func TestText(t *testing.T) {
	p := &puzzle{solid: true, size: place{2, 1, 2}, cells: []byte("#o.#"), motions: "free", shapes: []shape{
		{name: "domino", known: true, cells: familiar[0].cells, least: 1, most: 1, style: 1},
		{name: "a", cells: []place{{0, 0, 0}, {1, 0, 1}}, least: 0, most: 2},
		{name: "b", cells: []place{{0, 0, 1}, {0, 1, 0}}, motions: "fixed", least: 2, most: unlimited},
	}}
	want := `lattice: cube
board: |
  #o

  .#
motions: free
pieces:
  - domino
  - {name: a, cells: [[0, 0, 0], [1, 0, 1]], copies: 0..2}
  - {name: b, shape: ".#\n#.", motions: fixed, copies: 2..}
`
	if got := p.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := p.model(); err != nil {
		t.Error(err)
	}
}

func TestMotions(t *testing.T) {
	for _, test := range []struct {
		solid                 bool
		free, oneSided, fixed int
	}{{false, 8, 4, 1}, {true, 48, 24, 1}} {
		free, oneSided, fixed := allowed(test.solid, "free"), allowed(test.solid, "one-sided"), allowed(test.solid, "fixed")
		if len(free) != test.free || len(oneSided) != test.oneSided || len(fixed) != test.fixed {
			t.Errorf("solid %v: %d, %d and %d motions", test.solid, len(free), len(oneSided), len(fixed))
		}
	}
}

func TestReadDIMACS(t *testing.T) {
	p, err := readDIMACS(strings.NewReader("c a comment\np cnf 2 2\n1 -2 0\n2 0\n"))
	if err != nil || len(p.Items) != 6 || len(p.Options) != 4 {
		t.Errorf("%+v, %v", p, err)
	}
	for _, bad := range []string{"p cnf 2", "p cnf 2 1\n", "p cnf 2 1\n1 2\n", "p cnf 2 1\n1 0 2 0\n", "p cnf 1 1\nx 0\n", "p cnf 1 1\n-2 0\n"} {
		if p, err := readDIMACS(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: %+v", bad, p)
		}
	}
}
