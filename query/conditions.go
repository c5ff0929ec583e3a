package query

import (
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// With is "at least one of these placements".
func (x *Index) With(selector string) (cover.Bound, error) {
	return x.bound("with="+selector, selector, 1, cover.Unbounded)
}

// Without is "none of these placements".
func (x *Index) Without(selector string) (cover.Bound, error) {
	return x.bound("without="+selector, selector, 0, 0)
}

// Exactly reads K:SELECTORS: exactly K of the placements that [Index.Options] returns for
// SELECTORS.
func (x *Index) Exactly(text string) (cover.Bound, error) {
	k, selectors, err := numbered(text)
	if err != nil {
		return cover.Bound{}, err
	}
	return x.bound("exactly="+text, selectors, k, k)
}

// AtLeast reads what Exactly reads: K or more of them.
func (x *Index) AtLeast(text string) (cover.Bound, error) {
	k, selectors, err := numbered(text)
	if err != nil {
		return cover.Bound{}, err
	}
	return x.bound("at-least="+text, selectors, k, cover.Unbounded)
}

// AtMost reads what Exactly reads: K or fewer of them.
func (x *Index) AtMost(text string) (cover.Bound, error) {
	k, selectors, err := numbered(text)
	if err != nil {
		return cover.Bound{}, err
	}
	return x.bound("at-most="+text, selectors, 0, k)
}

// bound is a bound on the placements that any of the selectors names.
func (x *Index) bound(name, selectors string, least, most int) (cover.Bound, error) {
	options, err := x.Options(selectors)
	if err != nil {
		return cover.Bound{}, err
	}
	// What the text form of covers does not allow in names is left out.
	name = strings.NewReplacer("#", "", "*", "", " ", "").Replace(name)
	return cover.Bound{Name: name, Options: options, Min: least, Max: most}, nil
}

// numbered parts K:SELECTORS.
func numbered(text string) (k int, selectors string, err error) {
	number, selectors, found := strings.Cut(text, ":")
	if k, err = strconv.Atoi(number); !found || err != nil || !isNumber(number) || k > tiling.MaxCopies {
		return 0, "", bad("want K:PLACEMENTS such as 3:X5 or 2:I3+L3, K a number from 0 to %d", tiling.MaxCopies)
	}
	return k, selectors, nil
}
