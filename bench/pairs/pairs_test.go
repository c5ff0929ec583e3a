package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/tiling/puzzlefile"
)

// TestMain is a program to be measured, if it is asked to be: it prints its arguments, or fails.
func TestMain(m *testing.M) {
	switch os.Getenv("PAIRS_TEST") {
	case "prints":
		if os.Getenv("PAVAGE_THREADS") == "1" {
			fmt.Println(os.Args[1])
		}
	case "fails":
		fmt.Fprintln(os.Stderr, "no such thing")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

func TestOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PAVAGE_THREADS", "2")
	t.Setenv("PAIRS_TEST", "prints")
	r, err := once(self, []string{"72"}, time.Hour)
	if err != nil || r.failure != "" || r.answer() != "72" || r.printed != sha256.Sum256([]byte("72\n")) {
		t.Errorf("%+v, %v, want the answer 72", r, err)
	}
	t.Setenv("PAIRS_TEST", "fails")
	if r, err := once(self, []string{"72"}, time.Hour); err != nil || r.failure != "fails (3)" {
		t.Errorf("%+v, %v, want a failure with code 3", r, err)
	}
	if _, err := once(filepath.Join(t.TempDir(), "nothing"), nil, time.Hour); err == nil {
		t.Error("a program that is not there ran")
	}
}

// printed is a run that has printed a text.
func printed(text string) run {
	return run{printed: sha256.Sum256([]byte(text)), head: text, lines: strings.Count(text, "\n")}
}

func TestAnswersAreCompared(t *testing.T) {
	failed := run{failure: "fails (3)"}
	for _, c := range []struct {
		answer string
		pair   [2]run
		ok     bool
	}{
		{"7", [2]run{printed("7\n"), printed("7\n")}, true},
		{"", [2]run{printed("7\n"), printed("7\n")}, true},
		{"", [2]run{printed("7\n"), printed("8\n")}, false},
		{"8", [2]run{printed("7\n"), printed("7\n")}, false},
		{"7", [2]run{failed, printed("7\n")}, true},
		{"7", [2]run{failed, printed("8\n")}, false},
		{"", [2]run{failed, printed("7\n")}, true},
		{"", [2]run{failed, failed}, false},
	} {
		if err := (row{answer: c.answer}).check(c.pair); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestAnother(t *testing.T) {
	b := &bench{runs: 5, patience: time.Minute}
	for _, c := range []struct {
		pairs int
		spent time.Duration
		want  bool
	}{
		{0, time.Hour, true},
		{1, time.Hour, false},
		{4, time.Second, true},
		{5, time.Second, false},
		{5, time.Millisecond, true},
		{50, time.Millisecond, false},
	} {
		if got := b.another(c.pairs, c.spent); got != c.want {
			t.Errorf("after %d pairs and %v: %v, want %v", c.pairs, c.spent, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	p := &pairs{}
	for i, seconds := range [][2]float64{{2, 1}, {8, 2}, {3, 3}} {
		var pair [2]run
		for k, s := range seconds {
			pair[k] = printed("16\n")
			pair[k].user, pair[k].memory = time.Duration(s*float64(time.Second)), int64(10+i)*1_000_000
		}
		p.last, p.all = pair, append(p.all, pair)
	}
	if got, want := p.text(row{name: "a"}), "| a | 16 | 3.00 | 2.00 | 0.50 | 11 | 11 | 1.00 | 3 |"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.last[0].failure = "fails (3)"
	if got, want := p.text(row{name: "a"}), "| a | 16 | fails (3) | 2.00 |  | fails (3) | 11 |  | 3 |"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPuzzles: each puzzle that a row names is there and can be read, and each that is there is named.
func TestPuzzles(t *testing.T) {
	named := map[string]bool{}
	for _, r := range rows {
		for _, w := range r.words("puzzles") {
			if strings.HasPrefix(w, "puzzles/") {
				named[w] = true
			}
		}
	}
	err := fs.WalkDir(puzzles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !named[path] {
			t.Errorf("no row names %s", path)
		}
		delete(named, path)
		text, err := puzzles.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".yaml") {
			_, err = puzzlefile.Parse(path, text)
		}
		return err
	})
	if err != nil || len(named) > 0 {
		t.Errorf("%v; not there are %v", err, named)
	}
}
