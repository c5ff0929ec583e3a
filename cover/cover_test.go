package cover_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

// dominoes is the running example: the 2x3 board with dominoes.
func dominoes() *cover.Problem {
	p := &cover.Problem{Orders: [][]int{{0, 3, 1, 4, 2, 5}, {0, 1, 2, 3, 4, 5}}}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		p.Items = append(p.Items, cover.Item{Name: name, Min: 1, Max: 1})
	}
	p.Items = append(p.Items, cover.Item{Name: "domino", Max: cover.Unbounded})
	for _, cells := range [][2]int{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}} {
		p.Options = append(p.Options, cover.Option{{Item: cells[0], Times: 1}, {Item: cells[1], Times: 1}, {Item: 6, Times: 1}})
	}
	return p
}

func TestValidateAccepts(t *testing.T) {
	for name, p := range map[string]*cover.Problem{
		"running example": dominoes(),
		"empty":           {},
		"empty order":     {Orders: [][]int{{}}},
		"limits": {
			Items:   []cover.Item{{Max: 0}, {Min: cover.Unbounded - 1, Max: cover.Unbounded}},
			Options: []cover.Option{{{Item: 0, Times: 1}, {Item: 1, Times: cover.MaxTimes}}},
			Orders:  slices.Repeat([][]int{{0}}, cover.MaxOrders),
		},
	} {
		if err := p.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestValidateRejects spoils the running example in every way there is.
func TestValidateRejects(t *testing.T) {
	use := func(uses ...cover.Use) func(*cover.Problem) {
		return func(p *cover.Problem) { p.Options[2] = uses }
	}
	bounds := func(least, most int) func(*cover.Problem) {
		return func(p *cover.Problem) { p.Items[1].Min, p.Items[1].Max = least, most }
	}
	order := func(items ...int) func(*cover.Problem) {
		return func(p *cover.Problem) { p.Orders[1] = items }
	}
	for _, test := range []struct {
		want  string
		spoil func(*cover.Problem)
	}{
		{"1048577 items, expected at most", func(p *cover.Problem) { p.Items = make([]cover.Item, cover.MaxItems+1) }},
		{"16777217 options, expected at most", func(p *cover.Problem) { p.Options = make([]cover.Option, cover.MaxOptions+1) }},
		{"257 orders, expected at most", func(p *cover.Problem) { p.Orders = make([][]int, cover.MaxOrders+1) }},
		{`item "b" has bounds -1..1`, bounds(-1, 1)},
		{`item "b" has bounds 2..1`, bounds(2, 1)},
		{`has bounds 0..2147483648`, bounds(0, cover.Unbounded+1)},
		{`has bounds 2147483647..2147483647`, bounds(cover.Unbounded, cover.Unbounded)},
		{"item 1 has bounds", func(p *cover.Problem) { p.Items[1] = cover.Item{Min: 2, Max: 1} }},
		{"option 2 uses no item", use()},
		{"option 2 uses item 7, but there are only 7 items", use(cover.Use{Item: 7, Times: 1})},
		{"option 2 uses item -1", use(cover.Use{Item: -1, Times: 1})},
		{`option 2 names item "a" twice`, use(cover.Use{Item: 0, Times: 1}, cover.Use{Item: 0, Times: 1})},
		{`option 2 names item "a" after item "b"`, use(cover.Use{Item: 1, Times: 1}, cover.Use{Item: 0, Times: 1})},
		{`option 2 has 0 uses of item "a"`, use(cover.Use{Item: 0, Times: 0})},
		{`option 2 has 1048577 uses of item "a"`, use(cover.Use{Item: 0, Times: cover.MaxTimes + 1})},
		{"option 6 repeats option 1", func(p *cover.Problem) { p.Options[6] = slices.Clone(p.Options[1]) }},
		{"order 1 names item 7", order(0, 7)},
		{"order 1 names item -1", order(-1)},
		{`order 1 names item "c" twice`, order(2, 0, 2)},
		{`order 1 contains item "domino"`, order(0, 6)},
	} {
		p := dominoes()
		test.spoil(p)
		err := p.Validate()
		if !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want an ErrInvalid with %q", err, test.want)
		}
	}
}

func TestCompare(t *testing.T) {
	rising := []cover.Option{
		{},
		{{Item: 0, Times: 1}},
		{{Item: 0, Times: 1}, {Item: 1, Times: 1}},
		{{Item: 0, Times: 1}, {Item: 2, Times: 1}},
		{{Item: 0, Times: 2}},
		{{Item: 1, Times: 1}},
	}
	for i, a := range rising {
		for k, b := range rising {
			got := cover.Compare(a, b)
			if (got < 0) != (i < k) || (got > 0) != (i > k) {
				t.Errorf("Compare(%v, %v) = %d", a, b, got)
			}
		}
	}
}

func TestIsSolution(t *testing.T) {
	p := dominoes()
	bounded := dominoes()
	bounded.Items[6].Max = 2
	several := &cover.Problem{
		Items:   []cover.Item{{Min: 3, Max: 4}, {Max: cover.Unbounded}},
		Options: []cover.Option{{{Item: 0, Times: 3}}, {{Item: 0, Times: 2}}, {{Item: 1, Times: cover.MaxTimes}}},
	}
	for _, test := range []struct {
		name    string
		p       *cover.Problem
		options []int
		want    bool
	}{
		{"lying above lying", p, []int{0, 2, 6}, true},
		{"in any order", p, []int{6, 0, 2}, true},
		{"standing", p, []int{4, 5, 6}, true},
		{"a cell twice", p, []int{0, 1, 2, 3}, false},
		{"a cell never", p, []int{0, 2}, false},
		{"nothing", p, nil, false},
		{"an option twice", p, []int{0, 2, 6, 6}, false},
		{"no such option", p, []int{0, 2, 7}, false},
		{"a negative option", p, []int{-1}, false},
		{"a third domino over the max", bounded, []int{4, 5, 6}, false},
		{"times within the bounds", several, []int{0}, true},
		{"times under the min", several, []int{1}, false},
		{"times over the max", several, []int{0, 1}, false},
		{"no limit", several, []int{0, 2}, true},
		{"nothing of nothing", &cover.Problem{}, nil, true},
	} {
		if got := test.p.IsSolution(test.options); got != test.want {
			t.Errorf("%s: IsSolution(%v) = %v, want %v", test.name, test.options, got, test.want)
		}
	}
}

// TestValidateTotals: if the uses of an unbounded item could reach the number that stands for no
// bound, it would be a bound after all.
func TestValidateTotals(t *testing.T) {
	p := &cover.Problem{Items: []cover.Item{{Name: "a", Max: cover.Unbounded}}}
	for i := range 2048 {
		p.Items = append(p.Items, cover.Item{Max: 1})
		p.Options = append(p.Options, cover.Option{{Item: 0, Times: cover.MaxTimes}, {Item: i + 1, Times: 1}})
	}
	if err := p.Validate(); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), `item "a" has no upper bound, but all options together use the item 2147483648 times`) {
		t.Errorf("error %v", err)
	}
	p.Options = p.Options[:2047]
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}
