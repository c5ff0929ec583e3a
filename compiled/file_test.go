package compiled_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// compile makes the diagram of a problem and a file's description of it.
func compile(t testing.TB, p *cover.Problem) (*compiled.About, *count.Compiled) {
	t.Helper()
	c, err := count.Compile(t.Context(), p, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &compiled.About{
		Puzzle: []byte(`{"name":"p.yaml","from":"x","pieces":["domino"],"values":{"n":"3"}}`), Data: []byte("board: …\xff"),
		Title:      "A puzzle",
		Conditions: []string{"--with domino@0,0"}, Derived: "the union of a and b",
		Options: len(p.Options), Digest: compiled.Digest(p), Notes: []byte("{}"),
	}, c
}

// written are the bytes of a file.
func written(t testing.TB, a *compiled.About, c *count.Compiled) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := compiled.Write(t.Context(), &b, a, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ways read a file in all ways.
var ways = map[string]func(ctx context.Context, path string, data []byte) (*compiled.File, error){
	"whole": func(ctx context.Context, path string, _ []byte) (*compiled.File, error) {
		return compiled.Open(ctx, path, compiled.Options{})
	},
	"mapped": func(ctx context.Context, path string, _ []byte) (*compiled.File, error) {
		return compiled.Open(ctx, path, compiled.Options{Whole: -1})
	},
	"kept": func(ctx context.Context, path string, _ []byte) (*compiled.File, error) {
		return compiled.Open(ctx, path, compiled.Options{Whole: -1, Unmapped: true})
	},
	"stream": func(ctx context.Context, _ string, data []byte) (*compiled.File, error) {
		return compiled.Read(ctx, bytes.NewReader(data), 0)
	},
	"bytes": func(ctx context.Context, _ string, data []byte) (*compiled.File, error) {
		return compiled.FromBytes(ctx, data)
	},
}

// draws are some draws of a seed, with their ranks, or an error.
func draws(t testing.TB, s *sample.Source, number uint64) string {
	t.Helper()
	var b bytes.Buffer
	for d, err := range s.Draws(t.Context(), sample.Seeded(7), number) {
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintln(&b, d.Rank, d.Options)
	}
	return b.String()
}

// checkSame writes a diagram, reads it in all ways, and compares.
func checkSame(t *testing.T, p *cover.Problem, number uint64) {
	t.Helper()
	about, c := compile(t, p)
	path := filepath.Join(t.TempDir(), "a.pavage")
	if err := compiled.WriteFile(t.Context(), path, about, c); err != nil {
		t.Fatal(err)
	}
	want, data := draws(t, sample.Of(c, ""), number), written(t, about, c)
	for way, open := range ways {
		f, err := open(t.Context(), path, data)
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if !reflect.DeepEqual(&f.About, about) || !slices.Equal(f.Family.Options, c.Options) || f.Length() != int64(len(data)) {
			t.Errorf("%s: %+v\nwant %+v", way, f.About, about)
		}
		if got := draws(t, sample.Of(f, ""), number); got != want {
			t.Errorf("%s: draws\n%s\nwant\n%s", way, got, want)
		}
		again, err := f.Load(t.Context(), p, 0)
		if err != nil || !again.Diagram.Equal(c.Diagram) || again.Result.Count.Cmp(c.Result.Count) != 0 || f.Count().Cmp(c.Result.Count) != 0 {
			t.Errorf("%s: load: %v", way, err)
		}
		if err := f.Of(p); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSame(t *testing.T) {
	checkSame(t, puzzletest.Inline(t, "2x3", "domino=any").Problem, 20)
	checkSame(t, puzzletest.Inline(t, "3x3", "domino=any").Problem, 20) // no tiling
	checkSame(t, puzzletest.Inline(t, "8x8", "monomino=any", "domino=any", "trominoes=any").Problem, 300)
	for seed := range uint64(100) {
		checkSame(t, oracle.Random(rand.New(rand.NewPCG(seed, 3))), 20)
	}
}

// TestKnownCount: the count of the 8x8 board with pieces of up to three cells.
func TestKnownCount(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "8x8", "monomino=any", "domino=any", "trominoes=any").Problem)
	f, err := compiled.FromBytes(t.Context(), written(t, about, c))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := new(big.Int).SetString("92109458286284989468604", 10)
	if f.Count().Cmp(want) != 0 {
		t.Errorf("%v tilings, want %v", f.Count(), want)
	}
}
