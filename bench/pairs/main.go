package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/pavage/pavage/bench/report"
)

//go:embed puzzles
var puzzles embed.FS

type bench struct {
	programs [2]string // paths of the old and the new version
	folder   string
	runs     int
	patience time.Duration // after this processor time, no further pair is run for a row
	limit    time.Duration // time limit of a run, by the clock
}

func main() {
	b := &bench{patience: 2 * time.Minute}
	flag.StringVar(&b.programs[0], "before", "", "the old `PROGRAM`")
	flag.StringVar(&b.programs[1], "now", "", "the new `PROGRAM`")
	flag.IntVar(&b.runs, "runs", 5, "`PAIRS` of runs of a row, fewer of a long row")
	flag.DurationVar(&b.limit, "limit", 10*time.Minute, "a run is ended after this `TIME`")
	only := flag.String("rows", "", "only rows that match `REGEXP`")
	flag.Parse()
	if err := b.run(os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

const heading = `# Pairs: this version and one before

Made by ` + "`make bench-pairs BEFORE=…`" + ` on %s; %s.

- before: %s
- now: %s

Each command ran with both programs in turn, on one thread, %d times each (short ones more often,
long ones less), after a run that does not count. Times are user seconds of whole processes, memory is
the peak of a process; both are medians. A ratio, now / before, is the median of the ratios of the
pairs. Both versions printed the same.

| | answer | before s | now s | ratio | before MB | now MB | ratio | pairs |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
`

func (b *bench) run(w io.Writer, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.folder, err = os.MkdirTemp("", "pairs"); err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	if err := os.CopyFS(b.folder, puzzles); err != nil {
		return err
	}
	var versions [2]string
	for i, p := range b.programs {
		out, err := exec.Command(p, "version").Output()
		if err != nil {
			return err
		}
		versions[i] = strings.TrimSpace(string(out))
	}
	fmt.Fprintf(w, heading, report.Today(), report.Machine(), versions[0], versions[1], b.runs)
	var wrong error
	for _, r := range rows {
		if !match.MatchString(r.name) {
			continue
		}
		p, err := b.pairs(r)
		if err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("%s: %w", r.name, err))
			continue
		}
		if _, err := fmt.Fprintln(w, p.text(r)); err != nil {
			return err
		}
	}
	return wrong
}

func (b *bench) pairs(r row) (*pairs, error) {
	words := r.words(filepath.Join(b.folder, "puzzles"))
	p := &pairs{}
	spent := time.Duration(0)
	for warm := true; b.another(len(p.all), spent); warm = false {
		for i, program := range b.programs {
			var err error
			if p.last[i], err = once(program, words, b.limit); err != nil {
				return nil, err
			}
			spent += p.last[i].user
		}
		if err := r.check(p.last); err != nil {
			return nil, err
		}
		// The first pair may wait for the disk, so it is left out if it is short.
		if !warm || spent > b.patience/4 {
			p.all = append(p.all, p.last)
		}
	}
	return p, nil
}

// another reports whether a row needs another pair. The system measures time in ticks, so short
// runs need more pairs.
func (b *bench) another(pairs int, spent time.Duration) bool {
	switch {
	case pairs == 0:
		return true
	case pairs < b.runs:
		return spent < b.patience
	}
	return pairs < 10*b.runs && spent < time.Second
}

func (r row) check(pair [2]run) error {
	if pair[0].failure != "" && pair[1].failure != "" {
		return fmt.Errorf("both versions fail: %s, %s", pair[0].failure, pair[1].failure)
	}
	for i, x := range pair {
		if x.failure == "" && r.answer != "" && x.answer() != r.answer {
			return fmt.Errorf("the answer of version %d is %s, expected %s", i, x.answer(), r.answer)
		}
	}
	if pair[0].failure == "" && pair[1].failure == "" && pair[0].printed != pair[1].printed {
		return fmt.Errorf("the versions print different things: %s and %s", pair[0].answer(), pair[1].answer())
	}
	return nil
}
