package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// fuzzRead: nothing panics; an error is one line with the name of the file, and wraps ErrPuzzle or
// is about a cover that is too large; a result without an error is a valid puzzle or cover.
func fuzzRead(f *testing.F, format string) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if Recognise(data) == format && len(data) < 1<<11 {
			f.Add(data)
			f.Add(data[:len(data)/2])
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Recognise(data)
		c, err := Read(context.Background(), format, "f", data, Options{Memory: 1 << 24})
		if err != nil {
			checkError(t, err)
			return
		}
		if c.Cover != nil {
			err = c.Cover.Validate()
		} else {
			err = c.Puzzle.Validate()
		}
		if err != nil {
			t.Fatalf("read, but %v", err)
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	switch {
	case errors.Is(err, cover.ErrMemory):
	case !errors.Is(err, tiling.ErrPuzzle):
		t.Fatalf("%v does not wrap ErrPuzzle", err)
	case strings.Contains(text, "\n") || len(text) > 1000 || !strings.HasPrefix(text, "f:"):
		t.Fatalf("error of %d bytes, want one line that begins with the file: %.200q", len(text), text)
	}
}

func FuzzDLX(f *testing.F)       { fuzzRead(f, "dlx") }
func FuzzBurrTools(f *testing.F) { fuzzRead(f, "xmpuzzle") }
func FuzzPolycube(f *testing.F)  { fuzzRead(f, "polycube") }
func FuzzLetters(f *testing.F)   { fuzzRead(f, "letters") }
func FuzzDIMACS(f *testing.F)    { fuzzRead(f, "dimacs") }
func FuzzEdges(f *testing.F)     { fuzzRead(f, "edges") }

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// burr returns a file of BurrTools with these shapes and this problem.
func burr(shapes, problem string) string {
	return `<puzzle version="2"><gridType type="0"/><colors><color/></colors><shapes>` + shapes + `</shapes><problems><problem>` + problem + `</problem></problems></puzzle>`
}

const (
	one  = `<voxel x="1" y="1" z="1" type="0">#</voxel>`
	fill = `<shapes><shape id="0"/></shapes><result id="1"/>`
)

// TestBadFiles: each mistake has its own error.
func TestBadFiles(t *testing.T) {
	good := packed(burr(one+one, fill))
	for _, c := range []struct{ format, text, want string }{
		{"edges", "# nothing\n\n", "no edge, expected a line for each edge"},
		{"edges", "a b\na b 1\n", `f:2:5: the line has a third word, "1", expected only the two ends of an edge`},
		{"edges", "a b\n\nc\n", "f:3:1: the line has one word, expected the two ends"},
		{"edges", "a a\n", `the edge goes from "a" to itself`},
		{"xmpuzzle", good[:len(good)-12], "the file ends too early"},
		{"xmpuzzle", good[:20], "the file ends too early"},
		{"xmpuzzle", good[:3], "the file begins like a gzip file, but its header is damaged or ends too early"},
		{"xmpuzzle", packed(strings.Repeat(" ", maxXMLBytes+1)), "the unpacked file is too long, expected at most 16777216 bytes"},
		{"xmpuzzle", strings.Repeat("<a>", 100), `the first element is "a", expected <puzzle>`},
		{"xmpuzzle", `<puzzle version="2">` + strings.Repeat("<a>", 100), "nested too deep, expected a depth of at most 16"},
		{"xmpuzzle", `<puzzle version="2"><comment>&lol;</comment></puzzle>`, "this is not XML: invalid character entity &lol;"},
		{"xmpuzzle", `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><puzzle version="2"/>`, "a document type or another declaration"},
		{"xmpuzzle", `<?xml version="1.0" encoding="ISO-8859-1"?><puzzle version="2"/>`, `"ISO-8859-1": expected UTF-8`},
		{"xmpuzzle", "<\x00p\x00u\x00z\x00z\x00l\x00e\x00", "the text is in UTF-16"},
		{"xmpuzzle", `<puzzle version="2"><` + strings.Repeat("a", 2000) + `></b></puzzle>`, "this is not XML: element <aaaa"},
		{"xmpuzzle", `<puzzle version="3"/>`, `the version of the puzzle is "3", expected 1 or 2`},
		{"xmpuzzle", `<puzzle version="2"/>`, "the file contains no problem to count"},
		{"xmpuzzle", burr(one+one, fill) + "<a/>", "an element follows the end"},
		{"xmpuzzle", burr(`<voxel x="4096" y="4096" z="4096" type="0">#</voxel>`, fill), "the box of a shape has 68719476736 cells"},
		{"xmpuzzle", burr(`<voxel x="99999999999" y="1" z="1" type="0">#</voxel>`, fill), "x of element \"voxel\" is \"99999999999\", expected a number from 0 to 4096"},
		{"xmpuzzle", burr(`<voxel x="0" y="1" z="1" type="0"></voxel>`, fill), "side x of a shape is 0"},
		{"xmpuzzle", burr(`<voxel x="2" y="1" z="1" type="0">#</voxel>`, fill), "a shape has 1 cell, but its box has 2"},
		{"xmpuzzle", burr(`<voxel x="1" y="1" z="1" type="0">##</voxel>`, fill), "a shape has more cells than its box"},
		{"xmpuzzle", burr(`<voxel x="1" y="1" z="1" type="0"> #</voxel>`, fill), `the cells of a shape contain " "`},
		{"xmpuzzle", burr(`<voxel x="1" y="1" z="1" type="0">#64</voxel>`, fill), "a cell has a colour over 63"},
		{"xmpuzzle", burr(`<voxel x="1" y="1" z="1" type="0">#2</voxel>`+one, fill), "a cell has the colour 2, but there are only 1 colours"},
		{"xmpuzzle", burr(one+one, fill+`<bitmap><pair piece="0" result="1"/></bitmap>`), "a pair has the colours 0 and 1, but there are only 1 colours"},
		{"xmpuzzle", burr(`<voxel x="1" y="1" z="1" type="0">+</voxel>`+one, fill), "a piece has a cell '+'"},
		{"xmpuzzle", burr(one, fill), "the result is the shape with the id 1, but there are only 1 shapes"},
		{"xmpuzzle", burr(one+one, `<shapes><shape id="7"/></shapes><result id="1"/>`), "a piece is the shape with the id 7"},
		{"xmpuzzle", burr(one, `<shapes><shape id="0"/></shapes><result id="0"/>`), "shape 0 is both a piece and the result"},
		{"xmpuzzle", burr(one+one, `<shapes><shape id="0" count="9999999"/></shapes><result id="1"/>`), `count of element "shape" is`},
		{"xmpuzzle", burr(one+one, `<shapes><shape id="0" min="2" max="1"/></shapes><result id="1"/>`), "min 2 and max 1"},
		{"xmpuzzle", burr(one+one, `<shapes><shape id="0"/></shapes>`), "the problem has no result"},
		{"xmpuzzle", strings.Replace(burr(one+one, fill), `type="0"/>`, `type="2"/>`, 1), "the grid has spheres"},
		{"xmpuzzle", strings.Replace(burr(one+strings.Replace(one, `y="1" z="1" type="0">#`, `y="1" z="2" type="0">##`, 1), fill), `type="0"/>`, `type="1"/>`, 1), "the grid has triangles, but a shape has more than one layer"},
		{"xmpuzzle", strings.Replace(burr(one+strings.Replace(one, "#", "+", 1), `<shapes><shape id="0" min="0" max="1"/></shapes><result id="1"/>`), "<problem>", `<problem maxHoles="0">`, 1), "maxHoles is 0, but "},
		{"polycube", "D:xDim=1:yDim=1:zDim=1\n", `f:1:1: the puzzle after "D" has no end`},
		{"polycube", "D:xDim=1:yDim=1:zDim=1\nL\n. .\n~D\n", `f:2:1: the drawing after "L" has no end`},
		{"polycube", "D:xDim=1:yDim=1\n~D\n", "zDim is \"\""},
		{"polycube", "D:xDim=9999:yDim=1:zDim=1\n~D\n", "xDim is \"9999\", expected a number from 1 to 4096"},
		{"polycube", "D:xDim=2:yDim=1:zDim=1\nC:name=a:layout=0 0 0\n~D\n", "the pieces have 1 cells in all, expected the 2 cells of the box"},
		{"polycube", "D:xDim=1:yDim=1:zDim=2:oneSide\n~D\n", "oneSide of a box with zDim 2"},
		{"polycube", "D:xDim=2:yDim=1:zDim=1\nC:name=a:type=S:layout=0 0 0\nC:name=b:type=S:layout=0 0 0\n~D\n", "f:3:1: stationary piece \"b\" has the cell 0 0 0, which another"},
		{"polycube", "D:xDim=2:yDim=1:zDim=1\nC:name=a:layout=0 0 0, 0 0 0\n~D\n", `a cell of piece "a" is given twice`},
		{"polycube", "D:xDim=2:yDim=1:zDim=1\nC:name=a:color=red\n~D\n", "unknown setting \"color\""},
		{"letters", "AB\nA?\n", "f:2:2: the row contains '?'"},
		{"letters", "\n\n", "no letters"},
		{"dimacs", "p cnf 2 1\n1 2 0\n", "f:2:1: the clause allows variables 1 and 2 to be true at once"},
		{"dimacs", "p cnf 2 1\n-1 2 0\n", "f:2:1: no exact cover has this clause"},
		{"dimacs", "p cnf 99999999 0\n", "\"99999999\" variables and \"0\" clauses"},
		{"dimacs", "p cnf 9999999 0\n", "there are 9999999 variables, but all clauses together have fewer"},
		{"dimacs", "c t pmc\np cnf 1 1\n1 0\n", `f:1:3: the line "c t" names the problem "pmc"`},
		{"dimacs", "p cnf 1 1\nc p show 1 0\n1 0\n", "f:2:3: the comment asks for a projected or weighted count"},
		{"dimacs", "p cnf 1 1\n1 2 0\n", "the clause has \"2\""},
		{"dimacs", "p cnf 1 1\n1 0\n1 0\n", `there are more clauses than the line "p cnf" declares`},
	} {
		_, err := Read(context.Background(), c.format, "f", []byte(c.text), Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.60q: error %v, want one with %q", c.format, c.text, err, c.want)
			continue
		}
		checkError(t, err)
	}
}

func TestProblems(t *testing.T) {
	text := `<puzzle version="2"><gridType type="0"/><shapes>` + one + one + `</shapes><problems><problem name="a">` + fill + `</problem><problem>` + fill + `</problem></problems></puzzle>`
	for wish, want := range map[string]string{"": `2 problems; choose one with --problem: 1 "a", 2`, "3": `no problem "3"`, "b": `no problem "b"`, "a": "", "2": ""} {
		_, err := Read(context.Background(), "xmpuzzle", "f", []byte(text), Options{Problem: wish})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("problem %q: error %v, want %q", wish, err, want)
		}
	}
}
