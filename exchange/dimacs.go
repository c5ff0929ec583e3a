package exchange

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/verify"
)

// A formula in conjunctive normal form is read if it states an exact cover:
//
//	p cnf 4 8
//	1 3 0       option 1 or option 3 is chosen, or both
//	-1 -3 0     options 1 and 3 are not both chosen
//
// A clause without minus signs becomes an item with the bounds 1..1 and the options of the clause.
// For each two of these options, there must be a clause with two minus signs. Any other clause with
// two minus signs becomes an item with the bounds 0..1. A clause with one variable and a minus
// forbids an option. Other formulas are refused, since helper variables may change the count. A
// formula that Pavage wrote has the cover in comments: see readOwn.

type dimacs struct {
	*source
	title     string
	headed    bool
	variables int
	clauses   int
	clause    []int // the clause that is being read
	begin     place // place of the first number of clause
	items     []dimacsItem
	// Pairs of variables that exclude each other. The smaller variable is in the upper 32 bits.
	pairs []uint64
	never []int // variables that must be false
}

type dimacsItem struct {
	place
	variables []int
}

func isDIMACS(data []byte) bool {
	for line := range bytes.Lines(data) {
		words := bytes.Fields(line[:min(len(line), 1<<10)])
		switch {
		case len(words) == 0 || string(words[0]) == "c":
		case len(words) >= 2 && string(words[0]) == "p":
			return string(words[1]) == "cnf" || string(words[1]) == "wcnf" || string(words[1]) == "pcnf"
		default:
			return false
		}
	}
	return false
}

func readDIMACS(s *source) (*Content, error) {
	if text := ownCover(s.data); text != nil {
		return s.readOwn(text)
	}
	d := &dimacs{source: s}
	if err := s.lines(d.read); err != nil {
		return nil, err
	}
	switch {
	case !d.headed:
		return nil, s.here(`there is no line "p cnf", expected the line "p cnf VARIABLES CLAUSES" before the clauses`)
	case len(d.clause) > 0:
		return nil, s.errorf(d.begin, "the last clause has no end, expected a 0 at its end")
	}
	if d.clauses > 0 {
		d.warn(`the line "p cnf" declares %s more than the file has`, wording.Plural(d.clauses, "clause"))
	}
	p, err := d.cover()
	return &Content{Cover: p, Title: d.title}, err
}

func (d *dimacs) read(text string) error {
	words := d.words(text)
	first, ok := firstOf(words)
	switch {
	case !ok:
		return nil
	case first.text == "c":
		comment, said := strings.CutPrefix(strings.TrimSpace(text), "c ")
		if said && d.line == 1 {
			d.title = comment
		}
		words := begin(words)
		if len(words) < 2 {
			return nil
		}
		switch w := words[1]; {
		case w.text == "t" && len(words) > 2 && words[2].text != "mc":
			return d.errorf(w.place, `the line "c t" names the problem %s, expected the problem "mc" (model counting), in which each variable is an option of an exact cover`, wording.Quote(words[2].text))
		case w.text == "p" || w.text == "ind":
			return d.errorf(w.place, "the comment asks for a projected or weighted count, expected a formula without this comment")
		case w.text == "MUST":
			return d.errorf(w.place, `the comment "MUST" changes the count, expected a formula without this comment`)
		}
		return nil
	case first.text == "p":
		if d.headed {
			return d.errorf(first.place, `the file has a second line "p", expected only one line "p"`)
		}
		words := begin(words)
		if len(words) != 4 || words[1].text != "cnf" {
			return d.errorf(first.place, `the line "p" is malformed, expected "p cnf VARIABLES CLAUSES" (Pavage does not read the old forms "wcnf" and "pcnf")`)
		}
		variables, isNumber := wording.Number(words[2].text, cover.MaxOptions)
		clauses, err := strconv.ParseUint(words[3].text, 10, 31)
		if !isNumber || err != nil {
			return d.errorf(words[2].place, `the line "p cnf" has %s variables and %s clauses, expected two whole numbers, and at most %d variables`, wording.Quote(words[2].text), wording.Quote(words[3].text), cover.MaxOptions)
		}
		d.headed, d.variables, d.clauses = true, variables, int(clauses)
		return nil
	case !d.headed:
		return d.errorf(first.place, `%s comes before the line "p cnf", expected the line "p cnf" first`, wording.Quote(first.text))
	}
	for w := range words {
		if err := d.literal(w); err != nil {
			return err
		}
	}
	return nil
}

func begin(words iter.Seq[word]) (some []word) {
	for w := range words {
		if some = append(some, w); len(some) == 5 {
			break
		}
	}
	return some
}

func (d *dimacs) literal(w word) error {
	n, err := strconv.Atoi(w.text)
	if err != nil || n < -d.variables || n > d.variables {
		return d.errorf(w.place, "the clause has %s, expected only numbers from -%d to %d", wording.Quote(w.text), d.variables, d.variables)
	}
	if len(d.clause) == 0 {
		d.begin = w.place
	}
	if n != 0 {
		d.clause = append(d.clause, n)
		return nil
	}
	if d.clauses--; d.clauses < 0 {
		return d.errorf(w.place, `there are more clauses than the line "p cnf" declares`)
	}
	slices.Sort(d.clause)
	c := slices.Compact(d.clause)
	d.clause = d.clause[:0]
	switch {
	case len(c) == 0:
		return d.errorf(d.begin, "the clause is empty, so it can never be true, expected at least one variable")
	case c[0] > 0:
		d.items = append(d.items, dimacsItem{d.begin, slices.Clone(c)})
	case len(c) == 2 && c[1] < 0:
		d.pairs = append(d.pairs, pairOf(-c[1], -c[0]))
	case len(c) == 1:
		d.never = append(d.never, -c[0])
	default:
		return d.errorf(d.begin, "no exact cover has this clause, expected only positive literals, or one or two negative literals")
	}
	return nil
}

func pairOf(a, b int) uint64 { return uint64(a)<<32 | uint64(b) }

func (d *dimacs) cover() (*cover.Problem, error) {
	slices.Sort(d.pairs)
	d.pairs = slices.Compact(d.pairs)
	uses := 2*len(d.pairs) + len(d.never) // upper bound on the number of uses
	for _, it := range d.items {
		uses += len(it.variables)
	}
	if d.variables > uses {
		return nil, d.errorf(place{1, 1}, "there are %d variables, but all clauses together have fewer, expected each variable in some clause", d.variables)
	}
	if err := d.hold(0, len(d.items)+len(d.pairs), d.variables, uses); err != nil {
		return nil, err
	}
	p := &cover.Problem{Options: make([]cover.Option, d.variables)}
	used := make([]bool, len(d.pairs)) // whether some clause without minus signs has both variables
	for k, it := range d.items {
		for i, a := range it.variables {
			if err := d.looks.Work(len(it.variables) - i); err != nil {
				return nil, err
			}
			for _, b := range it.variables[i+1:] {
				k, found := slices.BinarySearch(d.pairs, pairOf(a, b))
				if !found {
					return nil, d.errorf(it.place, "the clause allows variables %d and %d to be true at once, expected also the clause \"-%d -%d 0\": Pavage reads only exact covers", a, b, a, b)
				}
				used[k] = true
			}
		}
		d.item(p, fmt.Sprintf("one|%d", k+1), 1, 1, it.variables)
	}
	for i, pair := range d.pairs {
		if len(p.Items) > cover.MaxItems {
			break
		}
		if !used[i] {
			a, b := int(pair>>32), int(uint32(pair))
			d.item(p, fmt.Sprintf("not|%d|%d", a, b), 0, 1, []int{a, b})
		}
	}
	if len(d.never) > 0 {
		slices.Sort(d.never)
		d.item(p, "never", 0, 0, slices.Compact(d.never))
	}
	seen := twins{}
	for o, option := range p.Options {
		if err := d.looks.Work(1 + len(option)); err != nil {
			return nil, err
		}
		switch {
		case len(option) == 0:
			return nil, d.errorf(place{1, 1}, "variable %d is in no clause, so it is no option of an exact cover: expected each variable in some clause", o+1)
		case seen.has(option):
			d.item(p, fmt.Sprintf("var|%d", o+1), 0, 1, []int{o + 1})
		}
	}
	if len(p.Items) > cover.MaxItems {
		return nil, d.errorf(place{1, 1}, "the exact cover of the formula has at least %d items, expected at most %d items", len(p.Items), cover.MaxItems)
	}
	return p, p.Check(d.ctx)
}

func (d *dimacs) item(p *cover.Problem, name string, least, most int, variables []int) {
	for _, v := range variables {
		p.Options[v-1] = append(p.Options[v-1], cover.Use{Item: len(p.Items), Times: 1})
	}
	p.Items = append(p.Items, cover.Item{Name: name, Min: least, Max: most})
}

// Comments contain the cover as text, one line each. They begin with ownPrefix. Most covers cannot
// be read from the clauses, because helper variables express the bounds of items.
const ownPrefix = "c cover "

// WriteFormula writes a formula as DIMACS. Comments have the cover p and the names of its options.
func WriteFormula(w io.Writer, formula *verify.CNF, p *cover.Problem, name func(option int) string) error {
	b := bufio.NewWriter(w)
	var text bytes.Buffer
	if err := p.WriteText(&text); err != nil {
		plain := *p
		plain.Items, plain.Colours = slices.Clone(p.Items), slices.Clone(p.Colours)
		for i := range plain.Items {
			plain.Items[i].Name = ""
		}
		for i := range plain.Colours {
			plain.Colours[i] = strconv.Itoa(i + 1)
		}
		if err := plain.WriteText(&text); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(text.Bytes()) {
		fmt.Fprintf(b, "%s%s", ownPrefix, line)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return formula.WriteDIMACS(w, name)
}

func ownCover(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte(ownPrefix)) {
		return nil
	}
	var text []byte
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte(ownPrefix)); ok {
			text = append(text, rest...)
		}
	}
	return text
}

// readOwn reads the cover in comments. The file must have the clauses that express this cover.
func (s *source) readOwn(text []byte) (*Content, error) {
	p, err := cover.ReadWithin(s.ctx, s.name+" (cover in comments)", bytes.NewReader(text), s.options.Memory)
	if err != nil {
		return nil, err
	}
	formula, err := verify.Encode(s.ctx, p, s.options.Memory)
	if err != nil {
		return nil, err
	}
	head := []string{"p", "cnf", strconv.Itoa(formula.Vars), strconv.Itoa(formula.Clauses)}
	lits := formula.Lits
	err = s.lines(func(text string) error {
		for w := range s.words(text) {
			if w.text == "c" {
				break
			}
			want := ""
			switch {
			case len(head) > 0:
				want, head = head[0], head[1:]
			case len(lits) > 0:
				want, lits = strconv.Itoa(int(lits[0])), lits[1:]
			}
			if w.text != want {
				return s.errorf(w.place, "%s differs from the formula of the exact cover in the comments, expected the clauses as Pavage wrote them, or no comments that begin with %q", wording.Quote(w.text), ownPrefix)
			}
		}
		return nil
	})
	if err == nil && len(head)+len(lits) > 0 {
		err = s.here("the formula lacks clauses of the exact cover in the comments, expected the clauses as Pavage wrote them, or no comments that begin with %q", ownPrefix)
	}
	return &Content{Cover: p}, err
}
