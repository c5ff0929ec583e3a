package job

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// Conditions select tilings. A tiling must meet all conditions. Package query describes the texts.
type Conditions struct {
	With    []string `json:"with,omitempty" flag:"PLACEMENTS" help:"only tilings with at least one of these placements, such as X5@1,2; see pavage help conditions" doc:"only tilings with at least one of these placements: PIECE, PIECE@CELL, PIECE@CELL/CELL, CELL=PIECE, CELL, PIECE:ORIENTATION or #NUMBER; 0,*, 0,2..4 and 0,1mod2 mean several cells; PIECE@@CELL means placements whose first cell is CELL; + joins placements" example:"[\"X5@1,1\"]"`
	Without []string `json:"without,omitempty" flag:"PLACEMENTS" doc:"only tilings with none of these placements" example:"[\"0,0=I5\"]"`
	Exactly []string `json:"exactly,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with exactly K of these placements, such as 2:I3+L3" example:"[\"2:domino:1\"]"`
	AtLeast []string `json:"at_least,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or more of these placements" example:"[\"1:0,0\"]"`
	AtMost  []string `json:"at_most,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or fewer of these placements" example:"[\"3:domino:2\"]"`
	Apart   []string `json:"apart,omitempty" flag:"A,B" doc:"only tilings in which none of the placements A has a face in common with one of the placements B, such as I5,X5, where A is I5 and B is X5" example:"[\"X5,I5\"]"`

	NoFourCorners bool `json:"no_four_corners,omitempty" flag:"" doc:"only tatami tilings, without a corner where four pieces meet, on boards of squares"`
	FaultFree     bool `json:"fault_free,omitempty" flag:"" doc:"only tilings of a rectangle without a fault line, a straight line through it that cuts no piece"`
}

const maxConditions = 1000 // each condition may need a pass over all placements

const maxWeights = 1000

// IsEmpty reports whether there are no conditions.
func (c *Conditions) IsEmpty() bool { return c.number() == 0 }

func (c *Conditions) number() int {
	n := 0
	for _, k := range c.kinds() {
		n += len(k.given)
	}
	return n
}

type conditionKind struct {
	field string   // JSON name of the field of Conditions
	given []string // values of the field; [""] for a boolean field that is true
	bound func(x *query.Index, text string) ([]cover.Bound, error)
}

func (c *Conditions) kinds() []conditionKind {
	return []conditionKind{
		{"with", c.With, single(query.With)},
		{"without", c.Without, single(query.Without)},
		{"exactly", c.Exactly, single(query.Exactly)},
		{"at_least", c.AtLeast, single(query.AtLeast)},
		{"at_most", c.AtMost, single(query.AtMost)},
		{"apart", c.Apart, (*query.Index).Apart},
		{"no_four_corners", given(c.NoFourCorners), func(x *query.Index, _ string) ([]cover.Bound, error) { return x.NoFourCorners() }},
		{"fault_free", given(c.FaultFree), func(x *query.Index, _ string) ([]cover.Bound, error) { return x.FaultFree() }},
	}
}

func single(kind query.Kind) func(*query.Index, string) ([]cover.Bound, error) {
	return func(x *query.Index, text string) ([]cover.Bound, error) {
		b, err := x.Bound(kind, text)
		return []cover.Bound{b}, err
	}
}

func given(wanted bool) []string {
	if wanted {
		return []string{""}
	}
	return nil
}

func (c *Conditions) read(m *tiling.Model) ([]cover.Bound, error) {
	if c.IsEmpty() {
		return nil, nil
	}
	var all []cover.Bound
	x := query.Of(m)
	for _, k := range c.kinds() {
		for _, text := range k.given {
			bounds, err := k.bound(x, text)
			if err != nil && text == "" {
				return nil, bad("{"+k.field+"}: %w", err)
			}
			if err != nil {
				return nil, bad("{"+k.field+"} is %.60q: %w", text, err)
			}
			all = append(all, bounds...)
		}
	}
	return all, nil
}

func (c *Conditions) spelt() string { return strings.Join(c.words(), ", ") }

func (c *Conditions) flags() string {
	text := ""
	for _, word := range c.words() {
		flag, value, _ := strings.Cut(word, " ")
		text += " --" + flag
		if strings.ContainsAny(value, " \t\n#*'\"") {
			value = fmt.Sprintf("%q", value)
		}
		text = strings.TrimSpace(text + " " + value)
	}
	return " " + text
}

func (c *Conditions) words() []string {
	var words []string
	for _, k := range c.kinds() {
		for _, text := range k.given {
			words = append(words, strings.TrimSpace(strings.ReplaceAll(k.field, "_", "-")+" "+text))
		}
	}
	return words
}

// Distinct selects the symmetries under which tilings count as the same. "" selects none.
type Distinct string

const (
	// DistinctUsual means DistinctRotations on solid boards, and DistinctAll on flat boards.
	DistinctUsual     Distinct = "usual"
	DistinctRotations Distinct = "rotations"
	DistinctAll       Distinct = "all"
)

// Choices returns the values of a Distinct except "".
func (Distinct) Choices() []string {
	return []string{string(DistinctUsual), string(DistinctRotations), string(DistinctAll)}
}

// Wanted describes the allowed values, for an error about another value.
func (d Distinct) Wanted() string { return "a text: " + wording.List(d.Choices()) }

func (d Distinct) reflections(l *tiling.Lattice) bool {
	return d == DistinctAll || d == DistinctUsual && l.Reflective()
}

type symmetry struct {
	*tiling.Group
	reflections bool // the request allows reflections
}

// symmetry returns the symmetries of the model, or nil if d is "".
func (d Distinct) symmetry(ctx context.Context, m *tiling.Model) (*symmetry, error) {
	if d == "" {
		return nil, nil
	}
	if m.IsAbstract() {
		return d.ofCover(ctx, m.Problem)
	}
	reflections := d.reflections(m.Puzzle.Board.Lattice)
	g, err := interrupt.Await(ctx, func() (*tiling.Group, error) { return m.Group(reflections), nil })
	if err != nil {
		return nil, err
	}
	if g.TooLarge {
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} is for at most %d symmetries: this board, which wraps, has more, or the search for them would take too long", []any{cover.MaxSymmetries}}}
	}
	return &symmetry{Group: g, reflections: reflections}, nil
}

const (
	groupEffort = 1 << 25 // limits cover.Shape.Group to about half a second
	groupItems  = 1 << 24 // limit on the number of symmetries times items; their permutations then have 128 MiB
)

func (d Distinct) ofCover(ctx context.Context, p *cover.Problem) (*symmetry, error) {
	if d == DistinctRotations {
		return nil, bad("{distinct} is rotations, but a cover has no board to rotate, expected usual or all")
	}
	shape, err := p.Shape(ctx)
	if err != nil {
		return nil, err
	}
	found, err := shape.Group(ctx, groupEffort)
	if err != nil {
		return nil, err
	}
	most := min(cover.MaxSymmetries, groupItems/max(1, len(p.Items)))
	elements, err := found.Elements(ctx, most)
	switch {
	case err != nil:
		return nil, err
	case found.Order == nil:
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} needs all symmetries of the cover, but the search for the symmetries would take too long", nil}}
	case elements == nil:
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} is for at most %d symmetries of this cover, but its items, or equal parts, can change places in %s ways", []any{most, ways(found.Order)}}}
	}
	g := &tiling.Group{} // its Name is "", since a cover has no board
	for _, s := range elements {
		g.Elements = append(g.Elements, tiling.Element{Items: s, Motion: fmt.Sprintf("permutation of %d items", moved(s))})
	}
	return &symmetry{Group: g}, nil
}

func ways(n *big.Int) string {
	if n.BitLen() < 50 {
		return human.Grouped(n.Int64())
	}
	return fmt.Sprintf("more than 10^%d", (n.BitLen()-1)*3010299/10000000) // log10(2) = 0.30102999…
}

func moved(s cover.Symmetry) (n int) {
	for i, to := range s {
		if i != to {
			n++
		}
	}
	return n
}

func (s *symmetry) group() []cover.Symmetry {
	if s == nil {
		return nil
	}
	return s.Symmetries()
}

func (s *symmetry) motions() string {
	switch {
	case s.Name == "":
		return "symmetries"
	case s.Reflections:
		return "rotations and reflections"
	}
	return "rotations"
}

func (s *symmetry) place() string {
	if s.Name == "" {
		return "cover"
	}
	return "board"
}

func (s *symmetry) title() string {
	if s.Name == "" {
		return fmt.Sprintf("group of order %d", len(s.Elements))
	}
	return fmt.Sprintf("group %s of order %d", s.Name, len(s.Elements))
}

func (s *symmetry) classes() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("one tiling of each class under the %s: %s", s.title(), s.motions())
}

// DistinctCount is a count up to symmetry. Fix has one entry for each class of symmetries, see
// count.Class. All symmetries of a class fix the same number of tilings.
type DistinctCount struct {
	Count       string `json:"count"`
	Group       string `json:"group"`
	Order       int    `json:"group_order"`
	Reflections bool   `json:"reflections" doc:"whether the group has a reflection"`
	Fix         []Fix  `json:"fix,omitempty"`

	UpTo string `json:"-"` // words for the symmetries, to be read after "up to"
}

// Fix describes a class of symmetries. Each symmetry of the class fixes Count tilings.
type Fix struct {
	Motion   string `json:"motion" doc:"one symmetry of the class"`
	Elements int    `json:"elements" doc:"the number of symmetries in the class"`
	Count    string `json:"count" doc:"the number of tilings that each symmetry of the class fixes"`
	Engine   string `json:"engine,omitempty"`
}

func (s *symmetry) count(n fmt.Stringer) *DistinctCount {
	none := "" // reason why the group has no reflections
	if s.reflections && !s.Reflections {
		none = ", since no reflection maps the puzzle to itself"
	}
	return &DistinctCount{
		Count: n.String(), Group: s.Name, Order: len(s.Elements),
		Reflections: s.Reflections,
		UpTo:        fmt.Sprintf("%s of the %s%s (%s)", s.motions(), s.place(), none, s.title()),
	}
}
