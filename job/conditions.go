package job

import (
	"fmt"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// Conditions say which tilings of a puzzle are meant: those that keep all of them. Package
// query says how placements are named.
type Conditions struct {
	With    []string `json:"with,omitempty" flag:"PLACEMENTS" doc:"only tilings with at least one of these placements: PIECE, PIECE@CELL, PIECE@CELL/CELL, CELL=PIECE, CELL, PIECE:ORIENTATION or #NUMBER; 0,* and 0,2..4 mean several cells, a + joins placements" example:"[\"X5@1,1\"]"`
	Without []string `json:"without,omitempty" flag:"PLACEMENTS" doc:"only tilings with none of these placements" example:"[\"0,0=I5\"]"`
	Exactly []string `json:"exactly,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with exactly K of these placements, such as 2:I3+L3" example:"[\"2:domino:1\"]"`
	AtLeast []string `json:"at_least,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or more of these placements" example:"[\"1:0,0\"]"`
	AtMost  []string `json:"at_most,omitempty" flag:"K:PLACEMENTS" doc:"only tilings with K or fewer of these placements" example:"[\"3:domino:2\"]"`
	Apart   []string `json:"apart,omitempty" flag:"A,B" doc:"only tilings in which none of the placements A has a face in common with one of the placements B, such as I5,X5 or 0,0=domino,V5+X5" example:"[\"X5,I5\"]"`

	NoFourCorners bool `json:"no_four_corners,omitempty" flag:"" doc:"only tatami tilings, without a corner where four pieces meet, on boards of squares"`
	FaultFree     bool `json:"fault_free,omitempty" flag:"" doc:"only tilings of a rectangle without a fault line, a straight line through it that cuts no piece"`
}

// maxConditions is how many conditions a request may have: each may take as long as it takes to look
// at all placements.
const maxConditions = 1000

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

// kinds are all kinds of conditions, and what is given of each.
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

// given is what is given of a condition without words.
func given(wanted bool) []string {
	if wanted {
		return []string{""}
	}
	return nil
}

// check says what is wrong with the conditions before the puzzle is known.
func (c *Conditions) check() error {
	if n := c.number(); n > maxConditions {
		return bad("%d conditions given, want at most %d", n, maxConditions)
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

// form is that of the puzzle in a key: conditions name its pieces and cells.
func (c *Conditions) form(plain form) form {
	if c.IsEmpty() {
		return plain
	}
	return max(plain, literal)
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
