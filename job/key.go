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
)

// keyVersion must change whenever the content of answers or of keys changes.
const keyVersion = 3

// Key returns a digest of a request, for a store of answers. If shared is true, the answer to a
// request is also valid for every other request with the same key, after [Retitle]. If shared is
// false, the answer is only for this request, and the digest has no meaning. For example, a sample
// without a seed has a new answer each time.
//
// The key has the part of the puzzle on which the answer depends. This part is made by the methods
// Canonical and Literal of tiling.Puzzle:
//
//	count, residues          Canonical, so names, order and title do not matter
//	count with explain or    Literal, since the answer names pieces
//	with conditions,
//	estimate, show, verify
//	certify                  Literal and the title, since the certificate has both
//	clues, convert, list,    Literal, the title and the colours of pieces, since the answer may
//	query, sample            have the title and pictures
//	each                     the text of the file, since it has the parameters
//	sequence, recurrence     Literal, the title and the puzzle of the request, since the answer
//	                         has the request as a command
//
// The key also has the engine, since the answer names it; "" means the same as auto. The key of a
// cover has the words of its text without comments. An error means that the request or the puzzle
// is wrong. Key does not find errors in a cover.
func Key(r Request) (digest [32]byte, shared bool, err error) {
	if err := Validate(r); err != nil {
		return digest, false, err
	}
	k, err := rowFor(r.Kind())
	if err != nil || k.key == unshared {
		return digest, false, err
	}
	p, err := seek(r)
	if err != nil {
		return digest, false, err
	}
	shared = true
	if sometimes, ok := r.(interface{ shared() bool }); ok {
		shared = sometimes.shared()
	}
	content := k.content(r, p)
	text, err := json.Marshal(content)
	if err != nil {
		return digest, false, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "pavage request %d %s\n%s", keyVersion, r.Kind(), text)), shared, nil
}

func (k row) content(r Request, p *sought) any {
	if k.key == boxed {
		return []any{r, p.digest(titled)}
	}
	copied := reflect.New(reflect.TypeOf(r).Elem())
	copied.Elem().Set(reflect.ValueOf(r).Elem())
	c := copied.Interface()
	for _, name := range []string{"Engine", "Method"} {
		if choice, ok := field(c, name).(*string); ok {
			*choice = unlessAuto(*choice)
		}
	}
	if d, ok := field(c, "Distinct").(*Distinct); ok {
		*d = p.upTo(*d)
	}
	how, puzzle := k.key, field(c, "Puzzle").(*Puzzle)
	if k.key == textual {
		*puzzle = Puzzle{Data: p.cover.data, From: p.cover.form, Values: puzzle.Values}
		return c
	}
	explain, _ := field(c, "Explain").(*bool)
	given, _ := field(c, "Conditions").(*Conditions)
	if given != nil && !given.IsEmpty() || explain != nil && *explain { // the answer names pieces
		how = max(how, literal)
	}
	*puzzle = p.digest(how)
	return c
}

func unlessAuto(choice string) string {
	if choice == string(count.Auto) || choice == AutoMethod {
		return ""
	}
	return choice
}

// form says which parts of a puzzle are in a key.
type form int

const (
	unshared  form = iota // there is no key, since no answer is valid for another request
	canonical             // result of tiling.Puzzle.Canonical
	literal               // result of tiling.Puzzle.Literal
	titled                // like literal, and the title is in the key
	painted               // like titled, and the colours of pieces are in the key
	textual               // text of the file, with the parameters
	boxed                 // like titled, and the whole request is in the key
)

type sought struct {
	puzzle *tiling.Puzzle // nil if cover is set
	cover  *file          // file of a cover, or of a puzzle with parameters for Each
	stored string         // digest of the compiled file; "" if there is none
}

func seek(r Request) (*sought, error) {
	p := PuzzleOf(r)
	switch r := r.(type) {
	case *Each:
		f, err := p.file()
		return &sought{cover: f}, err
	case interface{ puzzle() *Puzzle }:
		p = r.puzzle()
	}
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

func (p *sought) upTo(d Distinct) Distinct {
	switch {
	case d != DistinctUsual || p.puzzle == nil:
		return d
	case d.reflections(p.puzzle.Board.Lattice):
		return DistinctAll
	}
	return DistinctRotations
}

func (p *sought) digest(how form) Puzzle {
	sum := sha256.New()
	switch {
	case p.stored != "":
		fmt.Fprintln(sum, "compiled", p.stored)
	case p.puzzle == nil && p.cover.form != coverFile: // with comments, since the title may be in one
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

const reasonMemory = 64 << 20

// Retitle changes an answer so that it answers another request, which has the same key and the
// puzzle p. It sets the title and the colours of pieces. The reasons for a count of 0 name pieces,
// so Retitle computes them again, or removes them if the model needs too much memory.
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
		c.Reasons = reasonsFor(ctx, read)
	}
	return nil
}

// reasonsFor returns the reasons why a puzzle has no tiling, as far as they can be seen without a
// search. It returns nil if the model needs more than reasonMemory bytes.
func reasonsFor(ctx context.Context, p *tiling.Puzzle) []tiling.Obstruction {
	m, err := p.ModelWithin(ctx, reasonMemory)
	if err != nil {
		return nil
	}
	return m.Obstructions(ctx)
}
