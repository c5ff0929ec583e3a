package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// distinct is the flag --distinct: up to which symmetries of the board tilings
// are the same. It is "" where each is its own.
type distinct string

const (
	// distinctDefault is what makes a difference of hands, see reflections. The
	// text is what help shows as the flag's value.
	distinctDefault   distinct = "rotations|all"
	distinctRotations distinct = "rotations"
	distinctAll       distinct = "all"
)

var _ pflag.Value = (*distinct)(nil)

func (d *distinct) String() string { return string(*d) }
func (d *distinct) Type() string   { return "" } // help needs no word for the value

func (d *distinct) Set(text string) error {
	switch distinct(text) {
	case distinctDefault, distinctRotations, distinctAll:
		*d = distinct(text)
		return nil
	}
	return errors.New("want rotations, all, or nothing")
}

// flag adds --distinct to a verb's flags; does says what the verb does with it.
func (d *distinct) flag(flags *pflag.FlagSet, does string) {
	flags.Var(d, "distinct", does+" by more than a symmetry of the board: =rotations uses rotations, =all also reflections; alone it means all on flat boards, rotations on solid ones")
	flags.Lookup("distinct").NoOptDefVal = string(distinctDefault)
}

// reflections reports whether mirror images count as the same. In space they
// do on request only: nobody can turn a puzzle into its mirror image.
func (d distinct) reflections(l *tiling.Lattice) bool {
	return d == distinctAll || d == distinctDefault && l.Reflective()
}

// motions are what a group holds, in words.
func motions(g *tiling.Group) string {
	if g.Reflections {
		return "rotations and reflections"
	}
	return "rotations"
}

// group is that of a model's symmetries as the flag wants them.
func (d distinct) group(m *tiling.Model) *tiling.Group {
	return m.Group(d.reflections(m.Puzzle.Board.Lattice))
}

// tell says which tilings are the same, to a person.
func (d distinct) tell(w io.Writer, m *tiling.Model) {
	g := d.group(m)
	fmt.Fprintf(w, "one of each class under the group %s of order %d: %s\n", g.Name, len(g.Elements), motions(g))
}

// counted is a count, and a count up to symmetry if that was asked for.
type counted struct {
	*count.Result
	group       *tiling.Group // nil if not
	reflections bool          // whether they were asked for
	distinct    *count.DistinctResult
}

// count counts the tilings of a model as the flag wants them.
func (d distinct) count(ctx context.Context, m *tiling.Model, e count.Engine, o count.Options) (*counted, error) {
	if d == "" {
		r, err := count.Count(ctx, m.Problem, e, o)
		return &counted{Result: r}, err
	}
	c := &counted{reflections: d.reflections(m.Puzzle.Board.Lattice)}
	c.group = d.group(m)
	var err error
	if c.distinct, err = count.Distinct(ctx, m.Problem, c.group.Symmetries(), e, o); err == nil {
		c.Result = c.distinct.Total
	}
	return c, err
}

// writeText writes a number alone, or both numbers with what they are.
func (c *counted) writeText(w io.Writer) error {
	if c.group == nil {
		_, err := fmt.Fprintln(w, c.Count)
		return err
	}
	tilings := "tilings"
	if c.Count.Cmp(big.NewInt(1)) == 0 {
		tilings = "tiling"
	}
	_, err := fmt.Fprintf(w, "%v %s, %v up to %s\n", c.Count, tilings, c.distinct.Count, upTo(c.group, c.reflections))
	return err
}

// upTo says what makes tilings the same, and why not more where reflections were
// asked for as well.
func upTo(g *tiling.Group, reflections bool) string {
	none := ""
	if reflections && !g.Reflections {
		none = ", as no reflection fits it and the pieces"
	}
	return fmt.Sprintf("%s of the board%s (group %s of order %d)", motions(g), none, g.Name, len(g.Elements))
}

func (d distinct) upTo(m *tiling.Model) string {
	return upTo(d.group(m), d.reflections(m.Puzzle.Board.Lattice))
}

// distinctJSON is the count up to symmetry of count --json: the group, and how
// many tilings the motions of each class of it leave as they are.
type distinctJSON struct {
	Count       string    `json:"count"`
	Group       string    `json:"group"`
	Order       int       `json:"group_order"`
	Reflections bool      `json:"reflections"` // whether the group holds one
	Fix         []fixJSON `json:"fix,omitempty"`
}

type fixJSON struct {
	Motion   string `json:"motion"`   // one of the class
	Elements int    `json:"elements"` // how many the class has
	Count    string `json:"count"`    // tilings that each of them fixes
	Engine   string `json:"engine"`
}

func (c *counted) object() *distinctJSON {
	if c.group == nil {
		return nil
	}
	o := &distinctJSON{
		Count: c.distinct.Count.String(), Group: c.group.Name, Order: len(c.group.Elements), Reflections: c.group.Reflections,
	}
	for _, class := range c.distinct.Classes {
		o.Fix = append(o.Fix, fixJSON{
			c.group.Elements[class.Elements[0]].Motion, len(class.Elements), class.Fixed.Count.String(), string(class.Fixed.Engine),
		})
	}
	return o
}
