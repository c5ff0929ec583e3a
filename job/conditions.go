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

// Conditions select tilings of a puzzle: the tilings that meet all of them. Package
// query defines the names of placements.
type Conditions struct {
	With    []string `json:"with,omitempty" flag:"PLACEMENTS" help:"only tilings with at least one of these placements, such as X5@1,2; see pavage help conditions" doc:"only tilings with at least one of these placements: PIECE, PIECE@CELL, PIECE@CELL/CELL, CELL=PIECE, CELL, PIECE:ORIENTATION or #NUMBER; 0,*, 0,2..4 and 0,1mod2 mean several cells, PIECE@@CELL the first cell of placements, a + joins placements" example:"[\"X5@1,1\"]"`
	Without []string `json:"without,omitempty" flag:"PLACEMENTS" doc:"only tilings with none of these placements" example:"[\"0,0=I5\"]"`
	Exactly []string `json:"exactly,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with exactly K of these placements, such as 2:I3+L3" example:"[\"2:domino:1\"]"`
	AtLeast []string `json:"at_least,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or more of these placements" example:"[\"1:0,0\"]"`
	AtMost  []string `json:"at_most,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or fewer of these placements" example:"[\"3:domino:2\"]"`
	Apart   []string `json:"apart,omitempty" flag:"A,B" doc:"only tilings in which none of the placements A has a face in common with one of the placements B, such as I5,X5 or 0,0=domino,V5+X5" example:"[\"X5,I5\"]"`

	NoFourCorners bool `json:"no_four_corners,omitempty" flag:"" doc:"only tatami tilings, without a corner where four pieces meet, on boards of squares"`
	FaultFree     bool `json:"fault_free,omitempty" flag:"" doc:"only tilings of a rectangle without a fault line, a straight line through it that cuts no piece"`
}

// maxConditions is how many conditions a request may have: each may cost a pass
// over all placements.
const maxConditions = 1000

// maxWeights is how many weights a request may have: each may cost a pass
// over all placements.
const maxWeights = 1000

// IsEmpty reports whether all tilings are meant.
func (c *Conditions) IsEmpty() bool { return c.number() == 0 }

// number is how many conditions there are.
func (c *Conditions) number() int {
	n := 0
	for _, k := range c.kinds() {
		n += len(k.given)
	}
	return n
}

// kind is a kind of condition.
type conditionKind struct {
	field string   // as JSON has it
	given []string // "" stands for one without words
	bound func(x *query.Index, text string) ([]cover.Bound, error)
}

// kinds are all kinds of conditions, with the given values of each.
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

// single is a condition that is one bound.
func single(kind query.Kind) func(*query.Index, string) ([]cover.Bound, error) {
	return func(x *query.Index, text string) ([]cover.Bound, error) {
		b, err := x.Bound(kind, text)
		return []cover.Bound{b}, err
	}
}

// given is a single empty word if a condition without words is given, else nil.
func given(wanted bool) []string {
	if wanted {
		return []string{""}
	}
	return nil
}

// read makes bounds on the placements of a model.
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

// spelt are the conditions in words.
func (c *Conditions) spelt() string { return strings.Join(c.words(), ", ") }

// flags are the conditions as a command line has them.
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

// words are the conditions, one by one.
func (c *Conditions) words() []string {
	var words []string
	for _, k := range c.kinds() {
		for _, text := range k.given {
			words = append(words, strings.TrimSpace(strings.ReplaceAll(k.field, "_", "-")+" "+text))
		}
	}
	return words
}

// Distinct sets up to which symmetries of the board tilings are the same. It is
// "" where each tiling is its own. Of a cover, which has no board, all symmetries count.
type Distinct string

const (
	// DistinctUsual is all symmetries in the plane, and rotations in space: a solid
	// puzzle cannot be turned into its mirror image.
	DistinctUsual     Distinct = "usual"
	DistinctRotations Distinct = "rotations"
	DistinctAll       Distinct = "all"
)

// Choices are the values of a Distinct other than "".
func (Distinct) Choices() []string {
	return []string{string(DistinctUsual), string(DistinctRotations), string(DistinctAll)}
}

// Wanted is the end of an error about another value: the words that are allowed.
func (d Distinct) Wanted() string { return "a text: " + wording.List(d.Choices()) }

// reflections reports whether mirror images count as the same.
func (d Distinct) reflections(l *tiling.Lattice) bool {
	return d == DistinctAll || d == DistinctUsual && l.Reflective()
}

// symmetry is a group of symmetries up to which a request with Distinct counts.
type symmetry struct {
	*tiling.Group
	reflections bool // whether they were asked for
}

// symmetry is nil if none is asked for.
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
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} is for at most %d symmetries, and the board, as it wraps, has more, or the search for them is too long", []any{cover.MaxSymmetries}}}
	}
	return &symmetry{Group: g, reflections: reflections}, nil
}

const (
	groupEffort = 1 << 25 // see cover.Shape: at most about half a second
	groupItems  = 1 << 24 // images of items in a group that is listed: 128 MiB
)

// ofCover is the group of all symmetries of a cover without a board.
func (d Distinct) ofCover(ctx context.Context, p *cover.Problem) (*symmetry, error) {
	if d == DistinctRotations {
		return nil, bad("{distinct} is rotations, and a cover has no board to rotate, expected usual or all")
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
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} needs all symmetries of the cover, and the search for them is too long", nil}}
	case elements == nil:
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} is for at most %d symmetries of this cover, and its items, or equal parts, can change places in %s ways", []any{most, ways(found.Order)}}}
	}
	g := &tiling.Group{} // without a name
	for _, s := range elements {
		g.Elements = append(g.Elements, tiling.Element{Items: s, Motion: fmt.Sprintf("permutation of %d items", moved(s))})
	}
	return &symmetry{Group: g}, nil
}

// ways writes a number below 2^49 in full, and of a larger one a power of ten that is less.
func ways(n *big.Int) string {
	if n.BitLen() < 50 {
		return human.Grouped(n.Int64())
	}
	return fmt.Sprintf("more than 10^%d", (n.BitLen()-1)*3010299/10000000) // log10(2) = 0.30102999…
}

// moved is how many items a symmetry does not leave where they are.
func moved(s cover.Symmetry) (n int) {
	for i, to := range s {
		if i != to {
			n++
		}
	}
	return n
}

// group is the symmetries as permutations of the items, none of nil.
func (s *symmetry) group() []cover.Symmetry {
	if s == nil {
		return nil
	}
	return s.Symmetries()
}

// motions are the elements of the group, in words.
func (s *symmetry) motions() string {
	switch {
	case s.Name == "":
		return "symmetries"
	case s.Reflections:
		return "rotations and reflections"
	}
	return "rotations"
}

// place is the thing that the group moves.
func (s *symmetry) place() string {
	if s.Name == "" {
		return "cover"
	}
	return "board"
}

// title is the group with its order; the group of a cover has no name.
func (s *symmetry) title() string {
	if s.Name == "" {
		return fmt.Sprintf("group of order %d", len(s.Elements))
	}
	return fmt.Sprintf("group %s of order %d", s.Name, len(s.Elements))
}

// classes describes the classes of tilings that are the same, "" of nil.
func (s *symmetry) classes() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("one of each class under the %s: %s", s.title(), s.motions())
}

// DistinctCount is a count up to symmetry: the group, and how many tilings the
// motions of each class of it fix.
type DistinctCount struct {
	Count       string `json:"count"`
	Group       string `json:"group"`
	Order       int    `json:"group_order"`
	Reflections bool   `json:"reflections" doc:"whether the group holds one"`
	Fix         []Fix  `json:"fix,omitempty"`

	UpTo string `json:"-"` // what makes tilings the same, as words to follow "up to"
}

// Fix is how many tilings the motions of a class fix.
type Fix struct {
	Motion   string `json:"motion" doc:"one of the class"`
	Elements int    `json:"elements" doc:"how many the class has"`
	Count    string `json:"count" doc:"tilings that each of them fixes"`
	Engine   string `json:"engine,omitempty"`
}

// count is the number of classes with its group.
func (s *symmetry) count(n fmt.Stringer) *DistinctCount {
	none := "" // why there are no reflections although the request has them
	if s.reflections && !s.Reflections {
		none = ", as no reflection keeps the puzzle the same"
	}
	return &DistinctCount{
		Count: n.String(), Group: s.Name, Order: len(s.Elements),
		Reflections: s.Reflections,
		UpTo:        fmt.Sprintf("%s of the %s%s (%s)", s.motions(), s.place(), none, s.title()),
	}
}
