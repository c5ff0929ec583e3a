package render

import (
	"context"
	"io"
	"testing"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// packing returns a packing of many pentominoes on a board of 6x10.
func packing(b *testing.B) (*tiling.Puzzle, []tiling.Placement) {
	b.Helper()
	p, err := puzzlefile.Inline("6x10", []string{"pentominoes"}, "", "")
	if err != nil {
		b.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	taken, t := map[int]bool{}, []tiling.Placement(nil)
	for _, pl := range m.Placements {
		free := true
		for _, c := range pl.Cells {
			free = free && !taken[c]
		}
		if free {
			t = append(t, pl)
			for _, c := range pl.Cells {
				taken[c] = true
			}
		}
	}
	return p, t
}

// BenchmarkText draws a tiling of 6x10 by pentominoes with letters.
func BenchmarkText(b *testing.B) {
	p, t := packing(b)
	for b.Loop() {
		if err := Text(io.Discard, p, t, TextOptions{Letters: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSVG draws the same tiling as SVG.
func BenchmarkSVG(b *testing.B) {
	p, t := packing(b)
	for b.Loop() {
		if err := Picture(io.Discard, p, t, PictureOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTextWriter writes one tiling after another.
func BenchmarkTextWriter(b *testing.B) {
	p, t := packing(b)
	w := FormatOf("text").Begin(io.Discard, p, Options{Text: TextOptions{Letters: true}})
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Add(Tiling{Placements: t}); err != nil {
			b.Fatal(err)
		}
	}
}
