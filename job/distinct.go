package job

import (
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
)

// Distinct says up to which symmetries of the board tilings are the same. It is
// "" where each tiling is its own.
type Distinct string

const (
	// DistinctUsual is all symmetries in the plane, and rotations in space: nobody
	// can turn a solid puzzle into its mirror image.
	DistinctUsual     Distinct = "usual"
	DistinctRotations Distinct = "rotations"
	DistinctAll       Distinct = "all"
)

// DistinctChoices are the values of a Distinct other than "".
var DistinctChoices = []Distinct{DistinctUsual, DistinctRotations, DistinctAll}

// Wanted says what is wanted where something else was read.
func (Distinct) Wanted() string {
	return fmt.Sprintf("a text: %s, %s or %s", DistinctUsual, DistinctRotations, DistinctAll)
}

func (d Distinct) check() error {
	if d == "" || slices.Contains(DistinctChoices, d) {
		return nil
	}
	return bad("{distinct} is %.40q, want %s, %s or %s",
		string(d), DistinctUsual, DistinctRotations, DistinctAll)
}

// reflections reports whether mirror images count as the same.
func (d Distinct) reflections(l *tiling.Lattice) bool {
	return d == DistinctAll || d == DistinctUsual && l.Reflective()
}

// symmetry is what a request with Distinct counts up to.
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
		return nil, bad("{distinct} is asked for of a cover, which has no board and so no symmetries of it")
	}
	reflections := d.reflections(m.Puzzle.Board.Lattice)
	g, err := interrupt.Await(ctx, func() (*tiling.Group, error) { return m.Group(reflections), nil })
	if err != nil {
		return nil, err
	}
	if g.TooLarge {
		return nil, &Error{Kind: Limit, err: &misuse{"{distinct} is for at most %d symmetries, and the board, as it wraps, has more or takes too long to search for them", []any{cover.MaxSymmetries}}}
	}
	return &symmetry{g, reflections}, nil
}

// group is the symmetries as permutations of the items, none of nil.
func (s *symmetry) group() []cover.Symmetry {
	if s == nil {
		return nil
	}
	return s.Symmetries()
}

// motions are what the group holds, in words.
func (s *symmetry) motions() string {
	if s.Reflections {
		return "rotations and reflections"
	}
	return "rotations"
}

// classes says which tilings are the same, "" of nil.
func (s *symmetry) classes() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("one of each class under the group %s of order %d: %s", s.Name, len(s.Elements), s.motions())
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
		UpTo:        fmt.Sprintf("%s of the board%s (group %s of order %d)", s.motions(), none, s.Name, len(s.Elements)),
	}
}
