package interchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pavage/pavage/bdd"
)

type (
	reader func(context.Context, io.Reader, int, bdd.Limits) (*bdd.Diagram, error)
	writer func(context.Context, io.Writer, *bdd.Diagram) error
)

// formats are the formats that are written and read.
var formats = []struct {
	name  string
	read  reader
	write writer
}{{"graphillion", ReadGraphillion, WriteGraphillion}, {"sapporo", ReadSAPPORO, WriteSAPPORO}}

// family makes the diagram of sets.
func family(t testing.TB, vars int, sets ...[]int) *bdd.Diagram {
	t.Helper()
	l, err := bdd.NewList(vars, bdd.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		if err := l.Add(set); err != nil {
			t.Fatal(err)
		}
	}
	d, err := l.Diagram(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRoundTrips: written families of all kinds are read back.
func TestRoundTrips(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	diagrams := []*bdd.Diagram{family(t, 0), family(t, 0, nil), family(t, 7), family(t, 7, nil), family(t, MaxVars, []int{0, MaxVars - 1})}
	for range 100 {
		diagrams = append(diagrams, random(t, rng, 1+rng.IntN(12)))
	}
	for _, f := range formats {
		for _, d := range diagrams {
			var b bytes.Buffer
			if err := f.write(t.Context(), &b, d); err != nil {
				t.Fatal(err)
			}
			again, err := f.read(t.Context(), iotest.OneByteReader(bytes.NewReader(b.Bytes())), d.Vars(), bdd.Limits{})
			if err != nil || !again.Equal(d) {
				t.Fatalf("%s: %d nodes are not read again: %v", f.name, d.Size(), err)
			}
		}
	}
}

// random is the diagram of some random sets.
func random(t testing.TB, rng *rand.Rand, vars int) *bdd.Diagram {
	var sets [][]int
	seen := map[string]bool{}
	for range rng.IntN(40) {
		var set []int
		for v := range vars {
			if rng.IntN(2) == 0 {
				set = append(set, v)
			}
		}
		if key := fmt.Sprint(set); !seen[key] {
			seen[key] = true
			sets = append(sets, set)
		}
	}
	return family(t, vars, sets...)
}

// TestFiles: the files of testdata are the families in its README.
func TestFiles(t *testing.T) {
	dominoes := [][]int{{0, 1}, {2, 3}}
	for _, f := range []struct {
		name string
		read reader
		want *bdd.Diagram
	}{
		{"dominoes.dump", ReadGraphillion, family(t, 4, dominoes...)},
		{"empty.dump", ReadGraphillion, family(t, 3)},
		{"unit.dump", ReadGraphillion, family(t, 3, nil)},
		{"dominoes.export", ReadSAPPORO, family(t, 4, dominoes...)},
		{"complement.export", ReadSAPPORO, family(t, 3, nil, []int{0}, []int{0, 2}, []int{1})},
		{"empty.export", ReadSAPPORO, family(t, 3)},
	} {
		got, err := f.read(t.Context(), bytes.NewReader(file(t, f.name)), f.want.Vars(), bdd.Limits{})
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
		} else if !got.Equal(f.want) {
			t.Errorf("%s is read as %v", f.name, slices.Collect(got.AllSets()))
		}
	}
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLoose: a dump that is not reduced is reduced.
func TestLoose(t *testing.T) {
	text := string(file(t, "loose.dump"))
	got, err := ReadGraphillion(t.Context(), strings.NewReader(text), 4, bdd.Limits{})
	if err != nil || !got.Equal(family(t, 4, []int{0, 1}, []int{0, 2, 3}, []int{2, 3})) {
		t.Fatalf("%v", err)
	}
}

// TestWrongTexts: texts that do not have the format are refused, with the line.
func TestWrongTexts(t *testing.T) {
	dump, export := string(file(t, "dominoes.dump")), string(file(t, "dominoes.export"))
	changed := func(text, old, new string) string {
		t.Helper()
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q occurs not once in %q", old, text)
		}
		return strings.Replace(text, old, new, 1)
	}
	for _, test := range []struct {
		read       reader
		text, want string
	}{
		{ReadGraphillion, "", "line 0: the text ends here"},
		{ReadGraphillion, "B\n", "line 1: the text ends here"},
		{ReadGraphillion, ".\n", `line 1: the line is ".", expected the four words of a node`},
		{ReadGraphillion, "B\n.\nx", `line 3: "x" follows`},
		{ReadGraphillion, "B\n2 1 B T\n.\n", `line 2: the line begins with "2", expected only a dot`},
		{ReadGraphillion, "hello\n", `line 1: the line is "hello"`},
		{ReadGraphillion, "PAVAGE compiled", "line 1: the line has 2 words"},
		{ReadGraphillion, changed(dump, ".", ""), "line 5: the text ends here"},
		{ReadGraphillion, changed(dump, "8 1 4 6\n", ""), "line 4: there are 2 nodes without a parent"},
		{ReadGraphillion, changed(dump, "6 2 B T", "2 2 B T"), "line 3: two nodes have the number 2, expected distinct numbers"},
		{ReadGraphillion, changed(dump, "6 2 B T", "6 2 B T T"), "line 3: the line has 5 words"},
		{ReadGraphillion, changed(dump, "8 1 4 6", "8 1 4 7"), "line 4: node 7 is not on a line above, expected each child above its parents"},
		{ReadGraphillion, changed(dump, "8 1 4 6", "8 2 4 6"), "line 4: the child 6 has a wrong variable, expected a variable after the variable of its parent"},
		{ReadGraphillion, changed(dump, "8 1 4 6", "8 0 4 6"), "line 4: the variable is 0, expected 1 to 4"},
		{ReadGraphillion, changed(dump, "2 4 B T", "2 5 B T"), `line 1: the variable is "5", expected a number from 0 to 4`},
		{ReadGraphillion, changed(dump, "2 4 B T", "02 4 B T"), `line 1: the number of the node is "02"`},
		{ReadGraphillion, changed(dump, "2 4 B T", "2 4 F T"), `line 1: a child is "F"`},
		{ReadGraphillion, changed(dump, "2 4 B T", "9223372036854775808 4 B T"), "line 1: the number of the node"},
		{ReadGraphillion, changed(dump, "2 4 B T", "2 4 B T"+strings.Repeat(" ", 255)), "line 1: the line has more than 255 bytes"},
		{ReadSAPPORO, "", `line 0: the line is malformed, expected the word "_i", then the highest level`},
		{ReadSAPPORO, changed(export, "_o 1", "_o 2"), "line 2: there are 2 roots, expected 1"},
		{ReadSAPPORO, changed(export, "_n 4", "_n 5"), "line 8: the line has 1 word, expected a node"},
		{ReadSAPPORO, changed(export, "_n 4", "_n 3"), "line 7: the line has 4 words, expected one word: the root"},
		{ReadSAPPORO, changed(export, "_i 4", "_i 5"), `line 1: the highest level is "5"`},
		{ReadSAPPORO, changed(export, "8 1 F T", "8 0 F T"), "line 4: the level is 0, expected 1 to 4"},
		{ReadSAPPORO, changed(export, "8 1 F T", "9 1 F T"), "line 4: the number of the node is 9, expected an even number"},
		{ReadSAPPORO, changed(export, "2 4 4 6", "2 4 5 6"), "line 7: lo is 5, expected an even number"},
		{ReadSAPPORO, changed(export, "4 2 F 8", "4 1 F 8"), "line 5: the child 8 has a wrong variable, expected a variable after the variable of its parent"},
		{ReadSAPPORO, export + "6\n", `line 9: "6" follows`},
		{ReadSAPPORO, strings.TrimSuffix(export, "2\n") + "6\n", "line 8: there are 1 nodes without a parent"},
		{ReadSAPPORO, strings.TrimSuffix(export, "2\n"), "line 7: the line has 0 words, expected one word: the root"},
	} {
		_, err := test.read(t.Context(), strings.NewReader(test.text), 4, bdd.Limits{})
		if !errors.Is(err, ErrText) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

// TestCut: a text that was cut is never read.
func TestCut(t *testing.T) {
	for _, f := range formats {
		var b bytes.Buffer
		if err := f.write(t.Context(), &b, random(t, rand.New(rand.NewPCG(3, 3)), 9)); err != nil {
			t.Fatal(err)
		}
		for n := range b.Len() - 1 {
			if d, err := f.read(t.Context(), bytes.NewReader(b.Bytes()[:n]), 9, bdd.Limits{}); err == nil {
				t.Errorf("%s: %d bytes of %d are read as %d nodes", f.name, n, b.Len(), d.Size())
			}
		}
	}
}

// TestKnuth: the text has the numbers of options, and its last line is the root.
func TestKnuth(t *testing.T) {
	for _, test := range []struct {
		d    *bdd.Diagram
		want string
	}{
		{family(t, 4, []int{0, 1}, []int{2, 3}), "2: (~40?0:1)\n3: (~30?0:2)\n4: (~20?0:1)\n5: (~10?3:4)\n6: (~0?0:5)\n"},
		{family(t, 4), "2: (~0?0:0)\n"},
		{family(t, 4, nil), "2: (~0?0:1)\n"},
	} {
		var b strings.Builder
		if err := WriteKnuth(t.Context(), &b, test.d, func(v int) int { return 10 * (v + 1) }); err != nil || b.String() != test.want {
			t.Errorf("got %q, %v; want %q", b.String(), err, test.want)
		}
	}
}

// TestLimits: memory, the number of variables and the context end the work.
func TestLimits(t *testing.T) {
	if _, err := ReadGraphillion(t.Context(), strings.NewReader(""), MaxVars+1, bdd.Limits{}); !errors.Is(err, ErrVars) || errors.Is(err, bdd.ErrLimit) {
		t.Errorf("too many variables: %v", err)
	}
	wide := family(t, MaxVars+1, []int{3})
	var b bytes.Buffer
	for _, f := range formats {
		if err := f.write(t.Context(), &b, wide); !errors.Is(err, ErrVars) || errors.Is(err, bdd.ErrLimit) {
			t.Errorf("%s: too many variables are written: %v", f.name, err)
		}
		b.Reset()
		var set []int
		for v := range 3000 {
			set = append(set, v)
		}
		if err := f.write(t.Context(), &b, family(t, 3000, set)); err != nil {
			t.Fatal(err)
		}
		for _, bytes := range []int64{1, 1 << 14, 1 << 17, 300_000} {
			if _, err := f.read(t.Context(), strings.NewReader(b.String()), 3000, bdd.Limits{Bytes: bytes}); !errors.Is(err, bdd.ErrLimit) {
				t.Errorf("%s: %d bytes are enough: %v", f.name, bytes, err)
			}
		}
		if _, err := f.read(t.Context(), strings.NewReader(b.String()), 3000, bdd.Limits{Bytes: 1 << 20}); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := f.read(ended, strings.NewReader(b.String()), 3000, bdd.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: read after the end: %v", f.name, err)
		}
		if err := f.write(ended, io.Discard, wide); err == nil {
			t.Errorf("%s: written after the end", f.name)
		}
	}
}

// fuzz: a text is refused, or it is a diagram that is written and read back.
func fuzz(f *testing.F, read reader, write writer, pattern string) {
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		f.Fatal("no files: ", err)
	}
	for _, name := range names {
		f.Add(file(f, filepath.Base(name)), uint8(4))
	}
	f.Fuzz(func(t *testing.T, text []byte, vars uint8) {
		d, err := read(t.Context(), bytes.NewReader(text), int(vars), bdd.Limits{Bytes: 1 << 20})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		var b bytes.Buffer
		if err := write(t.Context(), &b, d); err != nil {
			t.Fatal(err)
		}
		again, err := read(t.Context(), &b, int(vars), bdd.Limits{})
		if err != nil || !again.Equal(d) {
			t.Errorf("%d nodes are not read again: %v", d.Size(), err)
		}
	})
}

func FuzzGraphillion(f *testing.F) { fuzz(f, ReadGraphillion, WriteGraphillion, "*.dump") }

func FuzzSAPPORO(f *testing.F) { fuzz(f, ReadSAPPORO, WriteSAPPORO, "*.export") }
