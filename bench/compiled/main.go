// Compiled writes bench/compiled.md: the time and memory to write, open, draw from and load a
// compiled file.
//
//	go run ./bench/compiled [-dir DIR] [-memory BYTES] [-rows REGEXP] [-commit ID] > bench/compiled.md
//
// One process compiles and writes each diagram. Two other processes open the file: one draws from
// the file, the other loads the whole file first. All three draw 1,000 tilings with the same seed,
// and must draw the same tilings.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pavage/pavage/bench/report"
	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

const draws = 1000

var rows = []struct{ name, board, pieces string }{
	{"dominoes on 8x8", "8x8", "domino"},
	{"monominoes, dominoes, trominoes on 8x8", "8x8", "monomino domino trominoes"},
	{"dominoes, trominoes on 11x11", "11x11", "domino trominoes"},
	{"monominoes, dominoes on 17x17", "17x17", "monomino domino"},
}

type figures struct {
	Nodes                    int
	Bytes                    int64 // length of the file
	Compile, Write           float64
	Open, First, Draws, Load float64
	Digest                   string // digest of the drawn tilings
	Peak                     int64
}

type bench struct {
	dir, part, board, pieces string
	memory                   int64
}

func main() {
	var b bench
	flag.StringVar(&b.dir, "dir", os.TempDir(), "`DIR` for the files, which are removed")
	flag.Int64Var(&b.memory, "memory", 6<<30, "`BYTES` that a process may use")
	only := flag.String("rows", "", "only rows that match `REGEXP`")
	commit := flag.String("commit", "unknown", "`ID` of the measured commit")
	flag.StringVar(&b.part, "part", "", "for a process of the bench: what it does: write, draw or load")
	flag.StringVar(&b.board, "board", "", "for a process of the bench: the board")
	flag.StringVar(&b.pieces, "pieces", "", "for a process of the bench: the pieces")
	flag.Parse()
	if err := b.run(*only, *commit); err != nil {
		fmt.Fprintln(os.Stderr, "compiled:", err)
		os.Exit(1)
	}
}

func (b *bench) run(only, commit string) error {
	if b.part != "" {
		debug.SetMemoryLimit(b.memory)
		parts := map[string]func(context.Context, string) (*figures, error){"write": b.write, "draw": b.draw, "load": b.load}
		f, err := parts[b.part](context.Background(), filepath.Join(b.dir, "a"+compiled.Extension))
		if err != nil {
			return err
		}
		f.Peak = machine.PeakMemory()
		return json.NewEncoder(os.Stdout).Encode(f)
	}
	rows, err := b.matching(only)
	if err != nil {
		return err
	}
	fmt.Printf(heading, commit, report.Today(), report.Machine())
	for _, r := range rows {
		if err := b.row(r.name, r.board, r.pieces); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

const heading = `# Compiled files: costs

Made by ` + "`make bench-compiled`" + ` of commit %s on %s; %s. The file
was just written, so it is in the system's file cache. A process opens it and draws
1,000 tilings: "open" is the time until the count is read, "first" the time of the first draw,
"draws" the time of all 1,000. "load" reads the whole file into memory, checks it and counts again. The draws
from memory, from the file and after loading were the same. The first peak of memory is of a process that draws:
mostly pages of the file, which the system can reclaim. The second is of a process that loads.

| | nodes | compile s | write s | file MB | bytes a node | open ms | first ms | draws ms | peak MB | load s | peak MB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

func (b *bench) matching(only string) (found []struct{ name, board, pieces string }, err error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if match.MatchString(r.name) {
			found = append(found, r)
		}
	}
	return found, nil
}

func (b *bench) row(name, board, pieces string) error {
	dir, err := os.MkdirTemp(b.dir, "compiled")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all [3]figures
	for i, part := range []string{"write", "draw", "load"} {
		f, err := b.process(dir, part, board, pieces)
		if err != nil {
			return err
		}
		if all[i] = f; f.Digest != all[0].Digest {
			return fmt.Errorf("%q drew other tilings than the diagram in memory", part)
		}
	}
	w, d, l := all[0], all[1], all[2]
	fmt.Printf("| %s | %d | %.1f | %.2f | %.1f | %.1f | %.2f | %.2f | %.1f | %.0f | %.2f | %.0f |\n", name, w.Nodes, w.Compile, w.Write,
		float64(w.Bytes)/1e6, float64(w.Bytes)/float64(w.Nodes), 1e3*d.Open, 1e3*d.First, 1e3*d.Draws, float64(d.Peak)/1e6,
		l.Load, float64(l.Peak)/1e6)
	return nil
}

func (b *bench) process(dir, part, board, pieces string) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	c := exec.Command(self, "-dir", dir, "-part", part, "-board", board, "-pieces", pieces, "-memory", fmt.Sprint(b.memory))
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return f, fmt.Errorf("%s: %w", part, err)
	}
	return f, json.Unmarshal(out, &f)
}

func timed(seconds *float64, do func() error) error {
	begun := time.Now()
	err := do()
	*seconds = time.Since(begun).Seconds()
	return err
}

func (b *bench) write(ctx context.Context, path string) (f *figures, err error) {
	pieces := strings.Fields(b.pieces)
	for i := range pieces {
		pieces[i] += "=any"
	}
	p, err := puzzlefile.Inline(b.board, pieces, "", "")
	if err != nil {
		return nil, err
	}
	m, err := p.Model(ctx)
	if err != nil {
		return nil, err
	}
	f = new(figures)
	var c *count.Compiled
	if err := timed(&f.Compile, func() (err error) {
		c, err = count.Compile(ctx, m.Problem, count.Options{Limits: count.Limits{Memory: b.memory}})
		return err
	}); err != nil {
		return nil, err
	}
	puzzle, err := json.Marshal(map[string]any{"board": b.board, "pieces": pieces})
	if err != nil {
		return nil, err
	}
	about := &compiled.About{
		Puzzle: puzzle, Options: len(m.Problem.Options), Digest: compiled.Digest(m.Problem),
	}
	if err := timed(&f.Write, func() error { return compiled.WriteFile(ctx, path, about, c) }); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f.Nodes, f.Bytes = c.Diagram.Size(), info.Size()
	return f, f.drawFrom(ctx, sample.Of(c, ""))
}

func (b *bench) draw(ctx context.Context, path string) (f *figures, err error) {
	f = new(figures)
	var file *compiled.File
	if err := timed(&f.Open, func() (err error) {
		file, err = compiled.Open(ctx, path, compiled.Options{})
		return err
	}); err != nil {
		return nil, err
	}
	defer file.Close()
	s := sample.Of(file, "")
	if err := timed(&f.First, func() error {
		for _, err := range s.Draws(ctx, sample.Seeded(2), 1) {
			return err
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return f, f.drawFrom(ctx, s)
}

func (b *bench) load(ctx context.Context, path string) (f *figures, err error) {
	file, err := compiled.Open(ctx, path, compiled.Options{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f = new(figures)
	var c *count.Compiled
	if err := timed(&f.Load, func() (err error) {
		c, err = file.Load(ctx, &cover.Problem{}, b.memory)
		return err
	}); err != nil {
		return nil, err
	}
	return f, f.drawFrom(ctx, sample.Of(c, ""))
}

func (f *figures) drawFrom(ctx context.Context, s *sample.Source) error {
	h := sha256.New()
	err := timed(&f.Draws, func() error {
		for d, err := range s.Draws(ctx, sample.Seeded(1), draws) {
			if err != nil {
				return err
			}
			fmt.Fprintln(h, d.Rank, d.Options)
		}
		return nil
	})
	f.Digest = hex.EncodeToString(h.Sum(nil))
	return err
}
