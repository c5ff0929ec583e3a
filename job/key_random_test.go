package job

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// phrasing is one of many ways to write a small puzzle. Two phrasings may have the same meaning.
type phrasing struct {
	rng    *rand.Rand
	title  string
	remark string
	board  []string // a drawing
	copies []string // for each piece
	shapes []string // drawings
	names  []string
	cover  string
}

func newPhrasing(rng *rand.Rand) *phrasing {
	w := &phrasing{rng: rng, title: []string{"", "T", "U"}[rng.IntN(3)], cover: []string{"", "cover: at-most\n"}[rng.IntN(8)/7]}
	rows, columns := 1+rng.IntN(3), 2+rng.IntN(3)
	for range rows {
		row := []byte(strings.Repeat("#", columns))
		if rng.IntN(6) == 0 {
			row[rng.IntN(columns)] = "o."[rng.IntN(2)]
		}
		w.board = append(w.board, string(row))
	}
	shapes := []string{"#", "##", "###", "##\n#.", "##\n##", "##.\n.##", "#\n#"}
	for i := range 1 + rng.IntN(3) {
		w.shapes = append(w.shapes, shapes[rng.IntN(len(shapes))])
		w.copies = append(w.copies, []string{"1", "any", "any", "0..2", "1..", "2"}[rng.IntN(6)])
		w.names = append(w.names, fmt.Sprintf("%c%d", "pq"[rng.IntN(2)], i))
	}
	return w
}

// text returns the puzzle as a file.
func (w *phrasing) text() string {
	var b strings.Builder
	if w.title != "" {
		fmt.Fprintf(&b, "title: %s\n", w.title)
	}
	b.WriteString(w.remark)
	fmt.Fprintf(&b, "board: |\n  %s\n%spieces:\n", strings.Join(w.board, "\n  "), w.cover)
	for i, shape := range w.shapes {
		fmt.Fprintf(&b, "- {name: %s, shape: %q, copies: %s}\n", w.names[i], shape, w.copies[i])
	}
	return b.String()
}

// again returns another phrasing with the same meaning, or nearly the same meaning.
func (w *phrasing) again() *phrasing {
	rng, o := w.rng, *w
	o.board, o.shapes, o.copies, o.names = nil, nil, nil, nil
	for _, i := range rng.Perm(len(w.shapes)) {
		o.shapes, o.copies, o.names = append(o.shapes, w.shapes[i]), append(o.copies, w.copies[i]), append(o.names, w.names[i])
	}
	o.board = append(o.board, w.board...)
	switch rng.IntN(7) {
	case 0:
		o = *w
		o.remark = "# a remark\n"
	case 6:
		o = *w
		o.title = []string{"", "T", "U"}[rng.IntN(3)]
	case 1:
		for i := range o.board {
			o.board[i] = ".." + o.board[i]
		}
	case 2:
		for i := range o.names {
			o.names[i] = fmt.Sprint("r", i)
		}
	case 3:
		o.copies[0] = "0..3"
	case 4:
		o.board = append([]string{strings.Repeat(".", len(o.board[0]))}, o.board...)
	}
	return &o
}

// randomRequest returns a random request about a puzzle.
func randomRequest(rng *rand.Rand, p Puzzle) Request {
	engine := []string{"", "auto", "sweep", "search", "diagram"}[rng.IntN(5)]
	distinct := []Distinct{"", "", DistinctUsual, DistinctRotations, DistinctAll}[rng.IntN(5)]
	some := []*Whole{nil, whole(0), whole(2), whole(1000)}[rng.IntN(4)]
	boxes := Boxes{Puzzle: p, Rows: []string{"1..2", "2"}[rng.IntN(2)], Columns: "2..3"}
	switch rng.IntN(13) {
	case 0:
		return &Count{Puzzle: p, Engine: engine, Distinct: distinct, Explain: rng.IntN(4) == 0, Formula: rng.IntN(4) == 0}
	case 1:
		return &Residues{Puzzle: p, Moduli: []Whole{97, Whole(2 + rng.IntN(3))}}
	case 2:
		return &Certify{Puzzle: p, Engine: []string{"", "auto", "sweep", "diagram"}[rng.IntN(4)]}
	case 3:
		return &Estimate{Puzzle: p}
	case 4:
		return &Sample{
			Puzzle: p, Number: Whole(rng.IntN(4)), Seed: whole(Whole(rng.IntN(2))), Distinct: distinct,
			Method: []string{"", "auto", "diagram"}[rng.IntN(3)], Explain: rng.IntN(4) == 0,
		}
	case 5:
		return &List{Puzzle: p, Number: some, Distinct: distinct}
	case 6:
		return &Verify{Puzzle: p, Method: "list", Engine: engine, Distinct: distinct}
	case 7:
		return &Convert{Puzzle: p, To: wordsOf(&Convert{}, "to")[rng.IntN(2)]}
	case 8:
		return &Sequence{Boxes: boxes, Distinct: distinct, Engine: engine}
	case 9:
		return randomQuery(rng, p)
	case 10:
		return &Clues{Puzzle: p, Number: 1, Seed: whole(Whole(rng.IntN(2))), Kinds: []string{"wall", "piece"}[rng.IntN(2):]}
	case 11:
		return &Recurrence{Boxes: Boxes{Puzzle: p, Columns: "2"}, Terms: 200, Height: some}
	}
	return &Show{Puzzle: p}
}

// randomQuery returns a random question about all tilings.
func randomQuery(rng *rand.Rand, p Puzzle) *Query {
	r := &Query{Puzzle: p, Method: wordsOf(&Query{}, "method")[rng.IntN(3)]}
	switch rng.IntN(4) {
	case 0:
		r.Unrank = [][]string{{"first"}, {"last"}, {"0", "1"}}[rng.IntN(3)]
	case 1:
		r.Marginals = wordsOf(&Query{}, "marginals")[rng.IntN(4)]
	case 2:
		r.ByCopies = []string{AllPieces}
	case 3:
		r.Pairs = []string{"#0,#1"}
	}
	return r
}

// answered is the result of a request: the answer as JSON, and the output written beside it.
type answered struct {
	request Request
	answer  []byte
	output  string
	failed  bool
}

func answerOf(r Request) answered {
	var out bytes.Buffer
	w := Lines(&out)
	w.Output, w.Answer = &out, nil
	a, err := Run(context.Background(), r, Limits{Threads: 1}, w)
	if err != nil {
		return answered{request: r, failed: true}
	}
	text, err := json.Marshal(a)
	return answered{r, text, out.String(), err != nil}
}

// sameAs compares an answer from a store with the answer to a request with the same key.
func (a answered) sameAs(t *testing.T, b answered) {
	t.Helper()
	if a.failed || b.failed {
		if a.failed != b.failed {
			t.Errorf("one of them fails:\n%+v\n%+v", a.request, b.request)
		}
		return
	}
	got, err := DecodeAnswer(a.request.Kind(), a.answer)
	if err != nil {
		t.Fatal(err)
	}
	want, err := DecodeAnswer(b.request.Kind(), b.answer)
	if err != nil {
		t.Fatal(err)
	}
	if p := PuzzleOf(b.request); p != nil {
		if err := Retitle(context.Background(), got, p); err != nil {
			t.Fatal(err)
		}
	}
	if g, w := fmt.Sprint(says(t, got)), fmt.Sprint(says(t, want)); g != w {
		t.Errorf("%+v\nis answered\n%s\nwith the key of\n%+v\nwhich is answered\n%s", a.request, g, b.request, w)
	}
	if a.output != b.output {
		t.Errorf("%+v\nwrites\n%s\nwith the key of\n%+v\nwhich writes\n%s", a.request, a.output, b.request, b.output)
	}
}

// TestKeysOfRandomRequests: two random requests with the same key have the same answer, except for
// the fields in about.
func TestKeysOfRandomRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	seen := map[string]answered{}
	again := map[Kind]int{}
	for range testkit.Size(500, 4000) {
		w := newPhrasing(rng)
		for _, w := range []*phrasing{w, w.again()} {
			seed := rng.Uint64()
			for _, text := range []string{w.text(), w.again().text()} {
				r := randomRequest(rand.New(rand.NewPCG(seed, 1)), Puzzle{Name: "f", Text: text})
				key, shared, err := Key(r)
				if err != nil {
					continue
				}
				if !shared {
					t.Fatalf("%+v is not shared", r)
				}
				old, found := seen[string(key[:])]
				now := answerOf(r)
				if found {
					again[r.Kind()]++
					old.sameAs(t, now)
				}
				if seen[string(key[:])] = now; t.Failed() {
					return
				}
			}
		}
	}
	for _, k := range kinds {
		// A request of the kind each needs parameters: see TestKeyOfEach.
		if k.key != unshared && k.kind != "each" && again[k.kind] < 10 {
			t.Errorf("%d requests of the kind %s had a key that was seen before: want more to compare", again[k.kind], k.kind)
		}
	}
}
