package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

// colouredRow is a row of three cells, with an item of two colours that all of them may use:
//
//	items a b c 1..1, x 0..1
//	a x:R   a x:G   b x:R   b x:G   b   c x:G   c x:R   c x
func colouredRow() *cover.Problem {
	p := &cover.Problem{Items: []cover.Item{{Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: 1, Max: 1}, {Max: 1}}, Colours: []string{"R", "G"}}
	add := func(cell int, colour int32) {
		p.Options = append(p.Options, cover.Option{{Item: cell, Times: 1}, {Item: 3, Times: 1, Colour: colour}})
	}
	add(0, 1)
	add(0, 2)
	add(1, 1)
	add(1, 2)
	p.Options = append(p.Options, cover.Option{{Item: 1, Times: 1}})
	add(2, 2)
	add(2, 1)
	add(2, 0)
	return p
}

// onRow returns the plan of colouredRow: the cells, then the field of x.
func onRow() *plan { return &plan{window: 5, steps: []uint64{0, 2, 4, 6, 6}} }

// with returns the plan with another window and other steps.
func (p *plan) with(window int, steps ...uint64) *plan { return &plan{window: window, steps: steps} }

func TestCertificateOfColours(t *testing.T) {
	got, err := check(t, colouredRow(), onRow().write(colouredRow()).file(t))
	if err != nil || got.Count.Int64() != 4 {
		t.Errorf("%v, %v, want 4", got, err)
	}
}

// TestCertificateColoursForged has consistent certificates of false statements: everything that
// follows from a false statement is changed too.
func TestCertificateColoursForged(t *testing.T) {
	other := instead(colouredRow(), 6, cover.Use{Item: 2, Times: 1}, cover.Use{Item: 3, Times: 1, Colour: 2}) // the same cover except for one colour
	forged := func(forge func(step int, child *node) *node) *plan {
		l := onRow()
		l.forge = forge
		return l
	}
	for _, test := range []struct {
		name string
		forgery
		want string
	}{
		{
			"two colours merged",
			forgery{about: colouredRow(), plan: forged(func(step int, child *node) *node {
				if step == 0 && child.says[3] == 2 {
					child.says[3] = 1
				}
				return child
			})},
			"level 0, state 0: choice 1 leads to state 0, which does not exist or has the wrong key",
		},
		{
			"a colour forgotten",
			forgery{about: colouredRow(), plan: forged(func(_ int, child *node) *node {
				delete(child.says, 3)
				return child
			})},
			"level 0, state 0: choice 0 leads to state 0, which does not exist or has the wrong key",
		},
		{
			"a colour that does not agree",
			forgery{about: colouredRow(), of: instead(colouredRow(), 2, cover.Use{Item: 1, Times: 1}, cover.Use{Item: 3, Times: 1, Colour: 2}), plan: onRow()},
			"level 1, state 0: choice 2 leads to state 1, which does not exist or has the wrong key",
		},
		{
			"an option of no colour", forgery{about: colouredRow(), of: instead(colouredRow(), 6, cover.Use{Item: 2, Times: 1}), plan: onRow()}, "does not exist or has the wrong key",
		},
		{"no field", forgery{about: colouredRow(), plan: onRow().with(3, 0, 2, 4)}, "options of steps 0 to 2 may disagree on the colour of item 3, expected a field"},
		{"a narrow field", forgery{about: colouredRow(), plan: onRow().with(5, 0, 2, 4, 6)}, "the field of item 3 has 1 bits, too few for 2 codes"},
		{"a field too soon", forgery{about: colouredRow(), plan: onRow().with(5, 0, 2, 6, 6, 4)}, "the field of item 3 begins at step 2, expected it behind step 4, which uses it"},
		{"a field too far", forgery{about: colouredRow(), plan: onRow().with(4, 0, 2, 4, 6, 6)}, "the field of item 3 ends with step 4, too far from step 0 for the window"},
		{"a field in two", forgery{about: colouredRow(), plan: onRow().with(5, 0, 6, 2, 4, 6)}, "step 4 belongs to the field of item 3, which begins at step 1, expected"},
		{"a field too wide", forgery{about: colouredRow(), plan: onRow().with(40, append([]uint64{0, 2, 4}, slices.Repeat([]uint64{6}, 33)...)...)}, "expected a field of at most 32 adjacent steps"},
		{"a counter", forgery{about: colouredRow(), plan: &plan{window: 3, steps: []uint64{0, 2, 4}, counters: []paperCounter{{item: 3, place: 3, width: 2}}}}, "item 3 has colours and a counter, expected no counter for an item with colours"},
		{"version 1", forgery{about: colouredRow(), plan: onRow(), edit: func(doc *paper) { doc.magic = magic }}, `its first line must be "pavage certificate N", with N = 2, 3, 4 or 5`},
		{"colours of another cover", forgery{about: colouredRow(), plan: onRow(), edit: func(doc *paper) { doc.digest = coverDigest(other) }}, "the certificate is of another puzzle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := check(t, test.about, test.paper().file(t))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// TestUnmetColours: options may share a coloured item, so a coloured item does not prove that they
// exclude each other.
func TestUnmetColours(t *testing.T) {
	p := colouredRow()
	p.Items = append(p.Items, cover.Item{Min: 2, Max: 2})
	p.Options = nil
	for cell := range 2 {
		p.Options = append(p.Options, cover.Option{{Item: cell, Times: 1}, {Item: 3, Times: 1, Colour: 1}, {Item: 4, Times: 1}})
	}
	p.Options = append(p.Options, cover.Option{{Item: 2, Times: 1}})
	body := small(coverDigest(p), 4, 1, 3, 0)
	_, err := check(t, p, pack(t, "pavage certificate 2\n", seal(body)))
	if err == nil || !strings.Contains(err.Error(), "without colours") {
		t.Errorf("%v, want a rejection, for there is a solution", err)
	}
}
