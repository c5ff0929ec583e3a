package job

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// compiledTo runs a Compile, and opens the file that it makes.
func compiledTo(t testing.TB, folder, name string, r *Compile, w Watch) (Puzzle, *Compiled) {
	t.Helper()
	var b bytes.Buffer
	w.Output = &b
	a, err := Do(t.Context(), r, Limits{}, w)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	if a.Bytes != int64(b.Len()) {
		t.Errorf("%d bytes told, %d written", a.Bytes, b.Len())
	}
	return opened(t, folder, name, b.Bytes()), a
}

// opened writes a file and reads it as a verb does.
func opened(t testing.TB, folder, name string, data []byte) Puzzle {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := readFile(path)
	if err != nil || p.opened == nil {
		t.Fatalf("%s is no compiled file: %v", name, err)
	}
	return p
}

func readFile(path string) (Puzzle, error) {
	f, err := os.Open(path)
	if err != nil {
		return Puzzle{}, err
	}
	defer f.Close()
	return ReadPuzzle(path, f)
}

// tilingsOf returns the tilings that a request writes, one per line, and the error.
func tilingsOf(t testing.TB, r Request) ([]string, error) {
	t.Helper()
	var out render.Writer
	var b strings.Builder
	_, err := Run(t.Context(), r, Limits{}, Watch{
		Begin:  func(p *tiling.Puzzle) error { out = render.FormatOf("json").Begin(&b, p, render.Options{}); return nil },
		Tiling: func(x render.Tiling) error { return out.Add(x) },
	})
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), err
}

func cursorsOf(t testing.TB, p Puzzle, c Conditions) []string {
	t.Helper()
	var all []string
	_, err := Do(t.Context(), &List{Puzzle: p, Conditions: c}, Limits{}, Watch{Tiling: func(x render.Tiling) error {
		all = append(all, x.Cursor)
		return nil
	}})
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	slices.Sort(all)
	return all
}

func countedFile(t testing.TB, r *Count) string {
	t.Helper()
	a, err := Do(t.Context(), r, Limits{}, Watch{})
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return a.Count
}

// someCovers calls do with random puzzles and functions that return random conditions.
func someCovers(t *testing.T, seed uint64, n int, do func(rng *rand.Rand, p Puzzle, conditions func() Conditions)) {
	rng := rand.New(rand.NewPCG(14, seed))
	for range n {
		p := Puzzle{Name: "f", Text: newPhrasing(rng).text()}
		m, err := (&work{}).conditioned(t.Context(), &p, &Conditions{})
		if err != nil {
			continue // such as two pieces with the same name
		}
		do(rng, p, func() Conditions { return someConditions(rng, m) })
	}
}

// TestCompileSentFile: a compiled file in a request keeps its conditions when it is compiled again.
func TestCompileSentFile(t *testing.T) {
	var b bytes.Buffer
	board := Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}
	first := &Compile{Puzzle: board, Conditions: Conditions{With: []string{"0,0=domino:1"}}}
	if _, err := Do(t.Context(), first, Limits{}, Watch{Output: &b}); err != nil {
		t.Fatal(err)
	}
	_, again := compiledTo(t, t.TempDir(), "again.pavage", &Compile{Puzzle: Puzzle{Data: b.Bytes()}, Conditions: Conditions{Without: []string{"3,3=domino:1"}}}, Watch{})
	want := countedFile(t, &Count{Puzzle: board, Conditions: Conditions{With: []string{"0,0=domino:1"}, Without: []string{"3,3=domino:1"}}})
	if again.Count != want || again.Conditions == nil || len(again.Conditions.With) != 1 {
		t.Errorf("%s tilings, conditions %+v, want %s", again.Count, again.Conditions, want)
	}
}

// TestCompiledIsItsPuzzle: the answers about a compiled file equal the answers about its puzzle,
// under conditions of the file and of the request.
func TestCompiledIsItsPuzzle(t *testing.T) {
	folder := t.TempDir()
	someCovers(t, 1, testkit.Size(40, 400), func(rng *rand.Rand, p Puzzle, conditions func() Conditions) {
		c, d := conditions(), conditions()
		file, _ := compiledTo(t, folder, "a.pavage", &Compile{Puzzle: p, Conditions: c}, Watch{})
		both, err := conditionsOf(append(c.words(), d.words()...))
		if err != nil {
			t.Fatal(err)
		}
		want := countedFile(t, &Count{Puzzle: p, Conditions: both})
		for _, engine := range []string{"", "diagram", "search"} {
			if got := countedFile(t, &Count{Puzzle: file, Conditions: d, Engine: engine}); got != want {
				t.Fatalf("%s\nwith %v and %v: %s by %q, want %s", p.Text, c, d, got, engine, want)
			}
		}
		if got, want := cursorsOf(t, file, d), cursorsOf(t, p, both); !slices.Equal(got, want) {
			t.Fatalf("%s\nwith %v and %v lists %v, want %v", p.Text, c, d, got, want)
		}
		weights := []string{"#0=3"}
		for _, pair := range [][2]Request{
			{&Sample{Puzzle: file, Number: 5, Seed: whole(3)}, &Sample{Puzzle: p, Number: 5, Seed: whole(3), Method: "diagram", Conditions: c}},
			{&Sample{Puzzle: file, Number: 5, Seed: whole(3), Unique: true}, &Sample{Puzzle: p, Number: 5, Seed: whole(3), Unique: true, Method: "diagram", Conditions: c}},
			{&Sample{Puzzle: file, Number: 5, Seed: whole(3), Weights: weights}, &Sample{Puzzle: p, Number: 5, Seed: whole(3), Weights: weights, Method: "diagram", Conditions: c}},
			{&List{Puzzle: file}, &List{Puzzle: p, Conditions: c}},
			{&Query{Puzzle: file, Unrank: []string{"last"}}, &Query{Puzzle: p, Unrank: []string{"last"}, Method: "diagram", Conditions: c}},
		} {
			got, err := tilingsOf(t, pair[0])
			want, wantErr := tilingsOf(t, pair[1])
			if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s\nwith %v: %T of the file\n%v %v, want\n%v %v", p.Text, c, pair[0], got, err, want, wantErr)
			}
		}
	})
}

// TestSetAlgebra: operations on files of one puzzle agree with operations on lists of their
// tilings, also through the texts of other programs.
func TestSetAlgebra(t *testing.T) {
	folder := t.TempDir()
	someCovers(t, 2, testkit.Size(40, 300), func(rng *rand.Rand, p Puzzle, conditions func() Conditions) {
		var files []Puzzle
		var lists [][]string
		for i := range 3 {
			c := conditions()
			file, a := compiledTo(t, folder, fmt.Sprintf("%d.pavage", i), &Compile{Puzzle: p, Conditions: c}, Watch{})
			if list := cursorsOf(t, p, c); a.Count != fmt.Sprint(len(list)) {
				t.Fatalf("%s holds %s, want %v", p.Text, a.Count, list)
			} else {
				files, lists = append(files, file), append(lists, list)
			}
		}
		r, want := &Compile{Puzzle: files[0]}, lists[0]
		for i := 1; i < 3; i++ {
			do := []string{"union", "intersect", "minus"}[rng.IntN(3)]
			r.Operations = append(r.Operations, Operation{do, files[i]})
			want = listsCombined(do, want, lists[i])
		}
		made, a := compiledTo(t, folder, "made.pavage", r, Watch{})
		if got := cursorsOf(t, made, Conditions{}); !slices.Equal(got, want) || a.Count != fmt.Sprint(len(want)) || a.Derived == "" {
			t.Fatalf("%s\n%s: %s tilings, %v, want %v", p.Text, a.Derived, a.Count, got, want)
		}
		if _, err := tilingsOf(t, &Query{Puzzle: made, Unrank: []string{"last"}}); (err == nil) != (len(want) > 0) {
			t.Fatal(err)
		}
		for _, format := range wordsOf(&Compile{}, "dump_format") {
			var dump bytes.Buffer
			if _, err := Do(t.Context(), &Convert{Puzzle: made, To: format}, Limits{}, Watch{Output: &dump}); err != nil {
				t.Fatal(err)
			}
			again, _ := compiledTo(t, folder, "again.pavage", &Compile{Puzzle: made, Dump: "d", DumpFormat: format}, Watch{Input: &dump})
			if got := cursorsOf(t, again, Conditions{}); !slices.Equal(got, want) {
				t.Fatalf("%s\n%s by %s: %v, want %v", p.Text, a.Derived, format, got, want)
			}
		}
		goesOn(t, made)
	})
}

// listsCombined returns the result of an operation on sorted lists.
func listsCombined(do string, a, b []string) (all []string) {
	for _, x := range a {
		if do == "union" || slices.Contains(b, x) == (do == "intersect") {
			all = append(all, x)
		}
	}
	for _, x := range b {
		if do == "union" && !slices.Contains(a, x) {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
}

// goesOn checks that the list of a derived family can be continued after each tiling.
func goesOn(t *testing.T, p Puzzle) {
	t.Helper()
	var all []string
	keep := Watch{Tiling: func(x render.Tiling) error { all = append(all, x.Cursor); return nil }}
	if _, err := Do(t.Context(), &List{Puzzle: p}, Limits{}, keep); err != nil {
		t.Fatal(err)
	}
	want := all
	for i, after := range want[:min(3, len(want))] {
		all = nil
		if _, err := Do(t.Context(), &List{Puzzle: p, After: &after}, Limits{}, keep); err != nil || !slices.Equal(all, want[i+1:]) {
			t.Fatalf("after %s: %v %v, want %v", after, all, err, want[i+1:])
		}
	}
}

// TestCompiledInARequest: of a file in a request only the puzzle and the conditions are trusted,
// and the file has its own key.
func TestCompiledInARequest(t *testing.T) {
	folder := t.TempDir()
	a, _ := compiledTo(t, folder, "a.pavage", &Compile{Puzzle: dominoes}, Watch{})
	b, _ := compiledTo(t, folder, "b.pavage", &Compile{Puzzle: dominoes, Conditions: Conditions{With: []string{"#0"}}}, Watch{})
	c, _ := compiledTo(t, folder, "c.pavage", &Compile{Puzzle: a, Operations: []Operation{{"minus", b}}}, Watch{})
	keys := map[[32]byte]string{}
	for name, want := range map[string]string{"a.pavage": "3", "b.pavage": "1", "c.pavage": ""} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		r := &Count{Puzzle: Puzzle{Data: data}}
		got, err := Do(t.Context(), r, Limits{}, Watch{})
		if want == "" {
			if KindOf(err) != BadInput || !strings.Contains(err.Error(), "which a request cannot use") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || got.Count != want || got.Engine == "diagram" {
			t.Errorf("%s: %+v, %v, want %s", name, got, err, want)
		}
		key, shared, err := Key(r)
		if other, seen := keys[key]; seen || !shared || err != nil {
			t.Errorf("%s has the key of %s: %v", name, other, err)
		}
		keys[key] = name
	}
	for _, p := range []Puzzle{a, b, c} {
		key, shared, err := Key(&Count{Puzzle: p})
		if other, seen := keys[key]; seen || !shared || err != nil {
			t.Errorf("%s has the key of %s: %v", p.Name, other, err)
		}
		keys[key] = p.Name
	}
}

// TestConditionsOfAFile: samples by weight satisfy the conditions of a compiled file, whether the
// file is on this machine or in the request. Such a source is not saved.
func TestConditionsOfAFile(t *testing.T) {
	board, apart := Puzzle{Board: "2x4", Pieces: []string{"domino=any", "monomino=any"}}, Conditions{Apart: []string{"monomino,monomino"}}
	folder := t.TempDir()
	here, _ := compiledTo(t, folder, "f"+CompiledExtension, &Compile{Puzzle: board, Conditions: apart}, Watch{})
	data, err := os.ReadFile(here.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Sample{{Puzzle: board, Conditions: apart}, {Puzzle: here}, {Puzzle: Puzzle{Data: data}}} {
		q, err := Do(t.Context(), &Query{Puzzle: r.Puzzle, Conditions: r.Conditions, Weights: []string{"domino=2"}}, Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		r.Number, r.Seed, r.Weights = 1, new(Whole), []string{"domino=2"}
		if a, err := Do(t.Context(), &r, Limits{}, Watch{}); err != nil || a.Weight != q.Weight || a.Weight == "" {
			t.Errorf("%+v: %+v, %v, want weight %s", r.Puzzle, a, err, q.Weight)
		}
		r.Weights = nil
		s, err := r.Prepare(t.Context(), Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Save(io.Discard); errors.Is(err, ErrNotSaved) != (r.Puzzle.Name != "") {
			t.Errorf("%+v: saving: %v", r.Puzzle, err)
		}
	}
}

// TestBadCompiled: data that is not a valid file of this version is refused with a one-line error.
func TestBadCompiled(t *testing.T) {
	folder := t.TempDir()
	compiledTo(t, folder, "a.pavage", &Compile{Puzzle: dominoes}, Watch{})
	good, err := os.ReadFile(filepath.Join(folder, "a.pavage"))
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(folder, "bad.pavage")
	refused := func(data []byte, what string) error {
		t.Helper()
		if err := os.WriteFile(bad, data, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := readFile(bad)
		if err == nil {
			_, err = Do(t.Context(), &Count{Puzzle: p}, Limits{}, Watch{})
		}
		if KindOf(explained(t.Context(), err)) != BadInput || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := Do(t.Context(), &Count{Puzzle: Puzzle{Data: data}}, Limits{}, Watch{}); err == nil {
			t.Errorf("%s: counted where it came with a request", what)
		}
		return err
	}
	for i := range good {
		flipped := slices.Clone(good)
		flipped[i] ^= 1
		refused(flipped, fmt.Sprintf("byte %d flipped", i))
		refused(good[:i], fmt.Sprintf("cut at byte %d", i))
	}
	if _, err := readFile(folder); err == nil {
		t.Error("a folder is read")
	}
}

// TestFilesOfTwoPuzzles: files of different options are not combined, and the error names the
// difference.
func TestFilesOfTwoPuzzles(t *testing.T) {
	folder := t.TempDir()
	a, _ := compiledTo(t, folder, "a.pavage", &Compile{Puzzle: dominoes}, Watch{})
	for want, p := range map[string]Puzzle{
		"it has 10 placements, expected 7 placements, as in a.pavage":                                    {Board: "2x4", Pieces: []string{"domino=any"}},
		"its placement 1 is domino [[1,0],[1,1]], expected domino [[0,1],":                               {Board: "3x2", Pieces: []string{"domino=any"}},
		"its item 6 is domino with the bounds 0..3, expected domino with the bounds 0.., as in a.pavage": {Board: "2x3", Pieces: []string{"domino=0..3"}},
		"its item 0 is 0,0 with the bounds 0..1, expected 0,0 with the bounds 1, as in a.pavage":         {Board: "2x3", Pieces: []string{"domino=any"}, Cover: "at-most"},
	} {
		b, _ := compiledTo(t, folder, "b.pavage", &Compile{Puzzle: p}, Watch{})
		_, err := Do(t.Context(), &Compile{Puzzle: a, Operations: []Operation{{"union", b}}}, Limits{}, Watch{Output: &bytes.Buffer{}})
		if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), "b.pavage belongs to another puzzle: "+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDerivedIsRefused: work that needs all tilings of a puzzle refuses a derived family.
func TestDerivedIsRefused(t *testing.T) {
	folder := t.TempDir()
	a, _ := compiledTo(t, folder, "a.pavage", &Compile{Puzzle: dominoes}, Watch{})
	b, _ := compiledTo(t, folder, "b.pavage", &Compile{Puzzle: a, Conditions: Conditions{With: []string{"#0"}}}, Watch{})
	c, _ := compiledTo(t, folder, "c.pavage", &Compile{Puzzle: a, Operations: []Operation{{"minus", b}}}, Watch{})
	for _, r := range []Request{
		&Count{Puzzle: c, Engine: "sweep"}, &Count{Puzzle: c, Distinct: DistinctUsual}, &Residues{Puzzle: c, Moduli: []Whole{7}},
		&Estimate{Puzzle: c}, &Verify{Puzzle: c}, &Certify{Puzzle: c}, &Sample{Puzzle: c, Method: "sweep"}, &List{Puzzle: c, Distinct: DistinctUsual},
		&Query{Puzzle: c, Unrank: []string{"0"}, Method: "sweep"}, &Convert{Puzzle: c, To: "cover"}, &Convert{Puzzle: c, To: "puzzle"},
		&Sequence{Boxes: Boxes{Puzzle: c, Rows: "2", Columns: "2"}},
	} {
		_, err := Run(t.Context(), r, Limits{}, Watch{Output: &bytes.Buffer{}})
		if want := "holds a derived family (a.pavage minus b.pavage)"; KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", r.Kind(), err, want)
		}
	}
	if _, err := Do(t.Context(), &Show{Puzzle: c}, Limits{}, Watch{}); err != nil {
		t.Error(err)
	}
}

// TestDumpOfOthers: a dump with a set that is not a tiling is refused.
func TestDumpOfOthers(t *testing.T) {
	r := &Compile{Puzzle: dominoes, Dump: "some.dump"}
	_, err := Do(t.Context(), r, Limits{}, Watch{Output: &bytes.Buffer{}, Input: strings.NewReader("2 3 B T\n3 1 2 T\n.\n")})
	if want := "some.dump: the set {1} is not a tiling, expected only tilings"; KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestCopiesInLittleMemory: if the numbers by copies of all nodes of a file do not fit in memory, a
// sweep over the levels of the puzzle computes them. The answer reports the effort.
func TestCopiesInLittleMemory(t *testing.T) {
	p := Puzzle{Board: "7x7", Pieces: []string{"monomino=any", "domino=any", "I3=any"}}
	file, _ := compiledTo(t, t.TempDir(), "a.pavage", &Compile{Puzzle: p}, Watch{})
	ask := func(q *Query, memory int64) *Queried {
		q.Puzzle, q.ByCopies = file, []string{"domino", "I3"}
		a, err := Do(t.Context(), q, Limits{Threads: 1, Memory: memory}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	whole := ask(&Query{}, 0)
	little := ask(&Query{}, whole.Bytes/2)
	if whole.Method != queryDiagram || little.Method != querySweep || little.Reason == "" {
		t.Errorf("by %s and by %s, since %q", whole.Method, little.Method, little.Reason)
	}
	if fmt.Sprint(little.ByCopies) != fmt.Sprint(whole.ByCopies) {
		t.Error("levels tell other numbers than the diagram")
	}
	if whole.Effort.Nodes == 0 || whole.Bytes == 0 || little.Effort.States == 0 || little.Bytes == 0 || little.Bytes > whole.Bytes/2 {
		t.Errorf("it took %+v and %d bytes, and %+v and %d bytes", whole.Effort, whole.Bytes, little.Effort, little.Bytes)
	}
	if _, err := Do(t.Context(), &Query{Puzzle: file, ByCopies: []string{"domino", "I3"}, Method: queryDiagram}, Limits{Memory: whole.Bytes / 2}, Watch{}); KindOf(err) != Limit {
		t.Errorf("a diagram was asked for, and %v", err)
	}
}

// TestQuestionsInLittleMemory: if the diagram of a file does not fit in memory, the levels of the
// puzzle give the answer, if they can.
func TestQuestionsInLittleMemory(t *testing.T) {
	folder, two := t.TempDir(), Whole(2)
	p := Puzzle{Board: "9x9", Pieces: []string{"monomino=any", "domino=any"}}
	file, _ := compiledTo(t, folder, "a.pavage", &Compile{Puzzle: p}, Watch{})
	derived, _ := compiledTo(t, folder, "b.pavage", &Compile{Puzzle: file, Operations: []Operation{{Do: "union", With: file}}}, Watch{})
	loaded, err := file.opened.Load(t.Context(), &cover.Problem{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	little := loaded.Result.Bytes
	for _, q := range []*Query{
		{Marginals: "placements"},
		{Pairs: []string{"0,0=domino,8,8=domino"}},
		{Weights: []string{"domino=1/2"}},
		{Marginals: "pieces", Conditions: Conditions{With: []string{"0,0=domino"}}},
	} {
		q.Puzzle = file
		whole, err := Do(t.Context(), q, Limits{Threads: 1}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		short, err := Do(t.Context(), q, Limits{Threads: 1, Memory: little}, Watch{})
		if err != nil {
			t.Errorf("%+v: %v", q, err)
			continue
		}
		if whole.Method != queryDiagram || short.Method != querySweep || short.Reason == "" {
			t.Errorf("by %s and by %s, since %q", whole.Method, short.Method, short.Reason)
		}
		if fmt.Sprint(short.Cells, short.Pairs, short.Weight) != fmt.Sprint(whole.Cells, whole.Pairs, whole.Weight) {
			t.Errorf("%+v: levels tell other numbers than the diagram", q)
		}
	}
	for _, q := range []*Query{
		{Puzzle: derived, Marginals: "pieces"},
		{Puzzle: file, Marginals: "pieces", Method: queryDiagram},
		{Puzzle: file, Best: &two, Weights: []string{"domino=2"}},
	} {
		if _, err := Do(t.Context(), q, Limits{Threads: 1, Memory: little}, Watch{}); KindOf(err) != Limit {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestCompileOfAService: settings that only the local program accepts are refused with a one-line
// error.
func TestCompileOfAService(t *testing.T) {
	small := Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	for want, r := range map[string]*Compile{
		"dump is given, but a request to a service cannot contain a dump":          {Puzzle: small, Dump: "a.dump"},
		"union is a puzzle, expected a compiled file; a service combines no files": {Puzzle: small, Operations: []Operation{{Do: "union", With: small}}},
	} {
		_, err := Do(t.Context(), r, Limits{}, Watch{Output: &bytes.Buffer{}})
		if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
