package exchange

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/verify"
)

// ownPrefix begins a comment that Pavage writes: one line of the formula's cover, in the text form
// of package cover. Most covers cannot be found from the clauses alone, since clauses express
// bounds on copies by helper variables.
const ownPrefix = "c cover "

// WriteFormula writes the formula of a cover as a DIMACS file, with the cover in comments. name
// returns the name of an option.
func WriteFormula(w io.Writer, formula *verify.CNF, p *cover.Problem, name func(option int) string) error {
	b := bufio.NewWriter(w)
	var text bytes.Buffer
	// A name that the text form does not have
	if _, err := p.WriteTo(&text); err != nil {
		plain := *p
		plain.Items = append([]cover.Item(nil), p.Items...)
		for i := range plain.Items {
			plain.Items[i].Name = ""
		}
		plain.Colours = append([]string(nil), p.Colours...)
		for i := range plain.Colours {
			plain.Colours[i] = strconv.Itoa(i + 1)
		}
		if _, err := plain.WriteTo(&text); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(text.Bytes()) {
		if _, err := fmt.Fprintf(b, "%s%s", ownPrefix, line); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return formula.WriteDIMACS(w, name)
}

// ownCover returns the text of the cover in the comments of a formula, or nil if there is no such
// comment.
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

// readOwn reads the cover in the comments of a formula. The formula's clauses must be the clauses
// of the cover.
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
	line := 0
	for text := range bytes.Lines(s.data) {
		line++
		if err := s.looks.Work(1 + len(text)); err != nil {
			return nil, err
		}
		for w := range fields(string(text)) {
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
				return nil, s.errorf(line, w.column, "%s here is not in the formula of the cover in the comments, want the clauses as they were written, or no comments %q", wording.Quote(w.text), ownPrefix)
			}
		}
	}
	if len(head)+len(lits) > 0 {
		return nil, s.errorf(line, 1, "the formula lacks clauses of the cover in its comments, want the clauses as they were written, or no comments %q", ownPrefix)
	}
	return &Content{Cover: p}, nil
}
