package compiled_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// BenchmarkDraws draws from a diagram in memory, and from its file.
func BenchmarkDraws(b *testing.B) {
	about, c := compile(b, puzzletest.Inline(b, "8x8", "monomino=any", "domino=any", "trominoes=any").Problem)
	path := filepath.Join(b.TempDir(), "a.pavage")
	if err := os.WriteFile(path, written(b, about, c), 0o666); err != nil {
		b.Fatal(err)
	}
	from := map[string]*sample.Source{"memory": sample.Of(c, "")}
	for way, open := range ways {
		if way == "stream" || way == "bytes" { // as whole
			continue
		}
		f, err := open(b.Context(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		from[way] = sample.Of(f, "")
	}
	for _, way := range []string{"memory", "whole", "mapped", "kept"} {
		b.Run("from="+way, func(b *testing.B) {
			for b.Loop() {
				for range from[way].Draws(b.Context(), sample.Seeded(1), 1000) {
				}
			}
		})
	}
}
