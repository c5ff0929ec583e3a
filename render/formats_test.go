package render_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// example is the 2x3 board with dominoes and two of its tilings.
func example(t testing.TB) (*tiling.Puzzle, []render.Tiling) {
	t.Helper()
	p, err := puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	pick := func(options ...int) render.Tiling {
		t := render.Tiling{Model: m, Numbers: options}
		for _, o := range options {
			t.Placements = append(t.Placements, m.Placements[o])
		}
		return t
	}
	tilings := []render.Tiling{pick(0, 2, 6), pick(1, 3, 4)}
	tilings[0].Rank = big.NewInt(2)
	tilings[1].Cursor, tilings[1].SweepRank = "1.3.4", big.NewInt(0)
	return p, tilings
}

// TestFormats writes the most tilings that each format holds, and one more.
func TestFormats(t *testing.T) {
	p, tilings := example(t)
	names := map[string]bool{}
	for _, f := range render.Formats {
		if names[f.Name] || render.FormatOf(f.Name) != f || !strings.HasPrefix(f.Extension, ".") || !strings.Contains(f.MediaType, "/") {
			t.Errorf("%s: a second of the name, or no extension or media type", f.Name)
		}
		names[f.Name] = true
		var out bytes.Buffer
		w := f.Begin(&out, p, render.Options{})
		n := f.Most
		if n == 0 {
			n = 3
		}
		for k := range n {
			if err := w.Add(tilings[k%2]); err != nil {
				t.Errorf("%s, tiling %d: %v", f.Name, k, err)
			}
		}
		if err := w.Add(tilings[0]); (f.Most > 0) != errors.Is(err, render.ErrInvalid) {
			t.Errorf("%s: a tiling too many: %v", f.Name, err)
		}
		if err := w.Close(); err != nil || out.Len() == 0 {
			t.Errorf("%s: %d bytes, error %v", f.Name, out.Len(), err)
		}
	}
	if render.FormatOf("pcx") != nil {
		t.Error("a format that is not in the table")
	}
}

// TestFormatsWithoutTilings: no tiling makes no document, not an empty one.
func TestFormatsWithoutTilings(t *testing.T) {
	p, _ := example(t)
	for _, f := range render.Formats {
		var out bytes.Buffer
		if err := f.Begin(&out, p, render.Options{}).Close(); err != nil || out.Len() > 0 {
			t.Errorf("%s: %q, error %v, want nothing", f.Name, out.String(), err)
		}
	}
}

// TestFormatsAtOnce: a tiling that can be written alone is, before the next one is
// asked for.
func TestFormatsAtOnce(t *testing.T) {
	p, tilings := example(t)
	for name, want := range map[string]string{
		"json": `{"rank":"2","placements":[{"piece":"domino","cells":[[0,0],[0,1]]},{"piece":"domino","cells":[[1,0],[1,1]]},{"piece":"domino","cells":[[0,2],[1,2]]}]}` + "\n",
		"text": "tiling 1, rank 2\n┌───────┬───┐\n│       │   │\n├───────┤   │\n│       │   │\n└───────┴───┘\n",
	} {
		var out bytes.Buffer
		w := render.FormatOf(name).Begin(&out, p, render.Options{})
		if err := w.Add(tilings[0]); err != nil || out.String() != want {
			t.Errorf("%s: %v, %q, want %q", name, err, out.String(), want)
		}
		if err := w.Add(tilings[1]); err != nil {
			t.Error(err)
		}
		if second := strings.TrimPrefix(out.String(), want); !strings.HasPrefix(second, "\ntiling 2, sweep rank 0\n") &&
			!strings.HasPrefix(second, `{"sweep_rank":"0","cursor":"1.3.4",`) {
			t.Errorf("%s: then %q", name, second)
		}
	}
}
