package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify/evidence"
)

// keyVersion is in every key. It must change whenever the content of answers changes, or the
// content of keys: then old answers are not found any more.
const keyVersion = 3

// Key is a digest of a request, for a store of answers. The answer to a request is also right for every
// other request with the same key, after [Retitle] has set the title and the reasons. shared is false if
// the answer is for this request only: because it is new each time, as for a sample without a seed, or
// because it contains values that came with the request. Then the digest has no meaning.
//
// What is in the key depends on what is in the answer:
//
//	count, residues          the puzzle's Canonical form: names, order, titles do not matter
//	count with explain or    its Literal form: the answer names pieces
//	conditions,
//	estimate, show, verify
//	certify                  its Literal form and title: the certificate has both
//	convert, list, query,    the same and the colours of its pieces, since answers may contain the
//	sample                   title and pictures
//	each                     the text of the file: it has the parameters
//	sequence, recurrence     the same, and the source of the puzzle: the answer has a command
//
// If the request names an engine, it is in the key, since the answer says which engine was used;
// no engine and auto are the same. The key of a cover contains its text without comments and
// blanks.
//
// The error says that the request or its puzzle is bad. Errors in a cover are found only
// when it is counted.
func Key(r Request) (digest [32]byte, shared bool, err error) {
	if err := r.Check(); err != nil {
		return digest, false, err
	}
	content, shared, err := keyed(r)
	if err != nil {
		return digest, false, err
	}
	text, err := json.Marshal(content)
	if err != nil {
		return digest, false, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "pavage request %d %s\n%s", keyVersion, r.Kind(), text)), shared, nil
}

// keyed returns the content of a key, to be written as JSON: the request without the parts that do
// not change the answer.
func keyed(r Request) (content any, shared bool, err error) {
	var p *sought
	switch r := r.(type) {
	case *Each: // the request with the text of its puzzle, which has parameters
		f, err := r.Puzzle.file()
		if err != nil {
			return nil, false, err
		}
		c := *r
		c.Engine = unlessAuto(r.Engine)
		c.Puzzle = Puzzle{Data: f.data, From: f.form, Values: r.Puzzle.Values}
		return c, true, nil
	case *Sequence:
		p, err = r.puzzle().sought()
	case *Recurrence:
		p, err = r.puzzle().sought()
	case *Solve, *Check, *Examples, *Compile:
		return r, false, nil // bound to this program, this machine, or other files; or the puzzle's text is written
	default:
		p, err = PuzzleOf(r).sought()
	}
	if err != nil {
		return nil, false, err
	}
	switch r := r.(type) {
	case *Sequence: // a bundled puzzle may differ in another version of the program
		return []any{r, p.digest(titled)}, len(r.Known) == 0, nil // known values are of this request only
	case *Recurrence:
		return []any{r, p.digest(titled)}, true, nil
	case *Count:
		how := r.Conditions.form(canonical)
		if r.Explain {
			how = literal
		}
		c := *r
		c.Puzzle, c.Engine, c.Distinct = p.digest(how), unlessAuto(r.Engine), p.upTo(r.Distinct)
		return &c, true, nil
	case *Residues:
		c := *r
		c.Puzzle = p.digest(r.Conditions.form(canonical))
		return &c, true, nil
	case *Estimate:
		c := *r
		c.Puzzle = p.digest(literal)
		return &c, true, nil
	case *Show:
		return &Show{p.digest(literal)}, true, nil
	case *Verify:
		c := *r
		c.Puzzle, c.Engine = p.digest(literal), unlessAuto(c.Engine)
		return &c, c.Seed != nil || c.Method == string(evidence.List), nil
	case *Certify:
		c := *r
		c.Puzzle, c.Engine, c.Distinct = p.digest(titled), unlessAuto(c.Engine), p.upTo(r.Distinct)
		return &c, true, nil
	case *Convert:
		return &Convert{p.digest(painted), r.To}, true, nil
	case *List:
		c := *r
		c.Puzzle, c.Distinct = p.digest(painted), p.upTo(r.Distinct)
		return &c, true, nil
	case *Sample:
		c := *r
		c.Puzzle, c.Method, c.Distinct = p.digest(painted), unlessAuto(c.Method), p.upTo(c.Distinct)
		return &c, c.Seed != nil, nil
	case *Query:
		c := *r
		c.Puzzle, c.Method = p.digest(painted), unlessAuto(c.Method)
		return &c, true, nil
	}
	return r, false, nil
}

// PuzzleOf is the puzzle that a request is about, nil if it is about none.
func PuzzleOf(r Request) *Puzzle {
	p, _ := field(r, "Puzzle").(*Puzzle)
	return p
}

// field points to the field of that name of a request or an answer, which are pointers to structs;
// nil if this kind has no such field.
func field(of any, name string) any {
	if f := reflect.ValueOf(of).Elem().FieldByName(name); f.IsValid() {
		return f.Addr().Interface()
	}
	return nil
}

// unlessAuto is a choice of the request, where "auto" becomes "": both mean the same.
func unlessAuto(choice string) string {
	if choice == string(count.Auto) || choice == AutoMethod {
		return ""
	}
	return choice
}

// form says which parts of a puzzle matter.
type form int

const (
	canonical form = iota
	literal
	titled  // and its title
	painted // and the colours of its pieces in pictures
)

// sought is the puzzle of a request, or a cover.
type sought struct {
	puzzle *tiling.Puzzle // nil: cover
	cover  *file
	stored string // digest of a compiled file, "" for a puzzle
}

func (p *Puzzle) sought() (*sought, error) {
	stored, err := p.digestStored()
	if err != nil {
		return nil, err
	}
	if p.IsCover() {
		f, err := p.file()
		return &sought{cover: f, stored: stored}, err
	}
	read, err := p.Read()
	return &sought{puzzle: read, stored: stored}, err
}

// upTo is the group of symmetries that the choice means on the puzzle's lattice.
func (p *sought) upTo(d Distinct) Distinct {
	switch {
	case d != DistinctUsual || p.puzzle == nil:
		return d
	case d.reflections(p.puzzle.Board.Lattice):
		return DistinctAll
	}
	return DistinctRotations
}

// digest is a puzzle whose text has only the parts that matter.
func (p *sought) digest(how form) Puzzle {
	sum := sha256.New()
	switch {
	case p.stored != "":
		fmt.Fprintln(sum, "compiled", p.stored)
	case p.puzzle == nil && p.cover.form != coverFile: // all of a file of another program, since a comment may be its title
		fmt.Fprintf(sum, "%s\n%s", p.cover.form, p.cover.data)
	case p.puzzle == nil: // the words of each line, without comments
		for line := range strings.SplitSeq(string(p.cover.data), "\n") {
			line, _, _ = strings.Cut(line, "#")
			if words := strings.Fields(line); len(words) > 0 {
				fmt.Fprintln(sum, strings.Join(words, " "))
			}
		}
	case how == canonical:
		sum.Write(p.puzzle.Canonical())
	default:
		if how >= titled {
			fmt.Fprintf(sum, "%q\n", p.puzzle.Title)
		}
		sum.Write(p.puzzle.Literal())
		for k, piece := range p.puzzle.Pieces {
			if how == painted && piece.Color != "" {
				fmt.Fprintf(sum, "\n%d %s", k, piece.Color)
			}
		}
	}
	return Puzzle{Text: hex.EncodeToString(sum.Sum(nil))}
}

// reasonMemory limits what Retitle takes to say why there is no tiling.
const reasonMemory = 64 << 20

// Retitle changes the answer to one request into the answer to another request with the same key,
// whose puzzle is p. Retitle sets the title and the colours of pieces, and writes the reasons for a count of 0 with the names
// in p. If the reasons cannot be found in little memory and before the end of ctx, Retitle leaves them out.
func Retitle(ctx context.Context, a Answer, p *Puzzle) error {
	title, ok := field(a, "Title").(*string)
	if !ok || p.IsCover() {
		return nil
	}
	read, err := p.Read()
	if err != nil {
		return err
	}
	*title = read.Title
	if _, ok := a.(*Table); ok {
		*title = plainTitle(read)
	}
	if s, ok := a.(*Shown); ok {
		for k := range s.Pieces {
			s.Pieces[k].Color = read.Pieces[k].Color
		}
	}
	if c, ok := a.(*Counted); ok && len(c.Reasons) > 0 && c.Conditions == nil {
		c.Reasons = nil
		if m, err := read.ModelWithin(ctx, reasonMemory); err == nil {
			c.Reasons = m.Obstructions()
		}
	}
	return nil
}
