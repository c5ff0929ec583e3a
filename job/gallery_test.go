package job

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

const (
	galleryPage    = "../doc/gallery.md"
	galleryFolder  = "../doc/gallery"
	updateGallery  = "go test ./job -run TestGallery -update"
	drawnSoon      = 2.0 // limit of the seconds to draw a random tiling of an example
	galleryOpening = `# Gallery

These puzzles are inside the program. ` + "`pavage count name:soma`" + ` counts the tilings of the Soma cube, ` + "`pavage examples`" + ` lists
all puzzles, and ` + "`pavage show name:soma`" + ` draws the board and the pieces. This page is made by a test.
`
)

// galleryKinds are the parts of the page.
var galleryKinds = []struct{ kind, title string }{
	{"square", "Boards of squares"},
	{"triangle", "Boards of triangles"},
	{"hexagon", "Boards of hexagons"},
	{"cube", "Boxes of cubes"},
	{kindOfCover, "Exact covers without a board"},
}

// TestGallery: doc/gallery.md describes each example, with a picture if it has a board and a
// tiling.
func TestGallery(t *testing.T) {
	b, err := Do(t.Context(), new(Examples), Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	page := bytes.NewBufferString(galleryOpening)
	pictures := 0
	for _, part := range galleryKinds {
		fmt.Fprintf(page, "\n## %s\n", part.title)
		for _, e := range b.Examples {
			if e.Kind != part.kind {
				continue
			}
			picture := e.Kind != kindOfCover && e.Count != "0"
			writeExhibit(t, page, e, picture)
			if picture {
				pictures++
				checkPicture(t, e.Name)
			}
		}
	}
	writeLarge(t, page)
	golden(t, galleryPage, page.Bytes())
	files, err := filepath.Glob(galleryFolder + "/*.svg")
	if err != nil || len(files) != pictures || len(b.Examples) < 60 {
		t.Errorf("%d examples, %d pictures for %d of them (%v): %s", len(b.Examples), len(files), pictures, err, updateGallery)
	}
}

const countedSoon = 0.1

// TestKnownCounts: the counts of the examples are the counts in their comments.
func TestKnownCounts(t *testing.T) {
	b, err := Do(t.Context(), new(Examples), Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, e := range b.Examples {
		r := &Count{Puzzle: Puzzle{Example: e.Name}}
		if f := Predict(t.Context(), r, Limits{}); !testkit.IsLong() && (!f.Known || f.Seconds > countedSoon) {
			continue
		}
		counted++
		if c, err := Do(t.Context(), r, Limits{}, Watch{}); err != nil || c.Count != e.Count {
			t.Errorf("%s: %v, %v, want %s", e.Name, c, err, e.Count)
		}
	}
	t.Logf("%d of %d examples counted", counted, len(b.Examples))
	if counted < len(b.Examples)/2 {
		t.Errorf("%d of %d examples counted, want at least half", counted, len(b.Examples))
	}
}

// writeExhibit writes the section of one example.
func writeExhibit(t *testing.T, page *bytes.Buffer, e Example, picture bool) {
	fmt.Fprintf(page, "\n### %s\n\n", e.Title)
	if picture {
		fmt.Fprintf(page, "![%s](gallery/%s.svg)\n\n", e.Title, e.Name)
	}
	if about := remarks(t, e.Name); about != "" {
		fmt.Fprintf(page, "%s\n\n", about)
	}
	what, detail := "tilings", ""
	if e.Kind == kindOfCover {
		what = "solutions"
	}
	if e.Count == "1" {
		what = strings.TrimSuffix(what, "s")
	}
	if e.Detail != "" {
		detail = " (" + e.Detail + ")"
	}
	fmt.Fprintf(page, "`name:%s`: %s %s%s. Source: %s.\n", e.Name, e.Count, what, detail, e.Source)
}

// remarks returns the comment of an example without its count and source.
func remarks(t *testing.T, name string) string {
	data, err := examples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	mark := string(data[:1])
	var lines []string
	for i, line := range strings.Split(string(data), "\n") {
		line, isComment := strings.CutPrefix(line, mark)
		if !isComment || strings.HasPrefix(line, " Known count:") {
			break
		}
		if title := mark == "|" && i == 0; !title {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// checkPicture compares the picture of an example, only in the long run: all pictures need a
// minute.
func checkPicture(t *testing.T, name string) {
	file := filepath.Join(galleryFolder, name+".svg")
	if !*update && !testkit.IsLong() {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%v: %s", err, updateGallery)
		}
		return
	}
	one, seed := Whole(1), Whole(1)
	var r Request = &Sample{Puzzle: Puzzle{Example: name}, Number: one, Seed: &seed}
	if f := Predict(context.Background(), r, Limits{}); !f.Known || f.Seconds > drawnSoon {
		r = &List{Puzzle: Puzzle{Example: name}, Number: &one}
	}
	golden(t, file, drawn(t, r, "svg", render.PictureOptions{}))
}

// drawn returns the picture of the tilings of a request.
func drawn(t *testing.T, r Request, format string, o render.PictureOptions) []byte {
	t.Helper()
	var picture bytes.Buffer
	var out render.Writer
	watch := Watch{
		Begin: func(p *tiling.Puzzle) error {
			out = render.FormatOf(format).Begin(&picture, p, render.Options{Picture: o})
			return nil
		},
		Tiling: func(one render.Tiling) error { return out.Add(one) },
	}
	if _, err := Run(t.Context(), r, Limits{}, watch); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return picture.Bytes()
}

// largeTilings are random tilings of large boards, drawn as PNG.
var largeTilings = []struct {
	name, title, about, command string
	puzzle                      Puzzle
	number                      Whole
	options                     render.PictureOptions
}{
	{
		"aztec-500", "The arctic circle",
		`One of the 2^125250 tilings of the Aztec diamond of order 500 by dominoes. Each kind of dominoes has a colour. Outside of a
circle the tiling is frozen: each corner has dominoes of only one kind (W. Jockusch, J. Propp and P. Shor, 1998).`,
		"pavage sample --board diamond:500 --piece domino=any --seed 1 --color-by kind --scale 1 --png aztec-500.png",
		Puzzle{Board: "diamond:500", Pieces: []string{"domino=any"}},
		1,
		render.PictureOptions{ColorBy: "kind", Cell: 1},
	},
	{
		"lozenges-60", "Lozenges in a hexagon of side 60",
		`Each of the three kinds of lozenges has a colour. The tiling is frozen near the corners (H. Cohn, M. Larsen and J. Propp,
1998), and looks like a pile of cubes in the corner of a room.`,
		"pavage sample --lattice triangle --board hexagon:60 --piece lozenge=any --seed 1 --color-by kind --scale 7 --png lozenges-60.png",
		Puzzle{Lattice: "triangle", Board: "hexagon:60", Pieces: []string{"lozenge=any"}},
		1,
		render.PictureOptions{ColorBy: "kind", Cell: 7},
	},
	{
		"loops-100", "Loops of two tilings",
		`Two tilings of 100x100 by dominoes, one over the other. Together they form loops; dominoes that are in both tilings are
grey. The longest loop has the strongest colour.`,
		"pavage sample --board 100x100 --piece domino=any --seed 1 -n 2 --double --scale 8 --png loops-100.png",
		Puzzle{Board: "100x100", Pieces: []string{"domino=any"}},
		2,
		render.PictureOptions{Double: true, Cell: 8},
	},
}

// largest is the largest size of a picture of the gallery, in bytes.
const largest = 300_000

// writeLarge writes the section on large tilings, and compares their pictures in the long run.
func writeLarge(t *testing.T, page *bytes.Buffer) {
	fmt.Fprintf(page, "\n## Random tilings of large boards\n")
	for _, e := range largeTilings {
		fmt.Fprintf(page, "\n### %s\n\n![%s](gallery/%s.png)\n\n%s\n\n```console\n$ %s\n```\n", e.title, e.title, e.name, e.about, e.command)
		file := filepath.Join(galleryFolder, e.name+".png")
		if *update || testkit.IsLong() {
			e.options.Format = pen.PNG
			seed := Whole(1)
			golden(t, file, drawn(t, &Sample{Puzzle: e.puzzle, Number: e.number, Seed: &seed}, "png", e.options))
		}
		if info, err := os.Stat(file); err != nil || info.Size() > largest {
			t.Errorf("%s: no file, or one of over %d bytes (%v): %s", file, largest, err, updateGallery)
		}
	}
}

// golden compares a file with the wanted text, or writes it with -update.
func golden(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the examples say (%v): %s", file, err, updateGallery)
	}
}
