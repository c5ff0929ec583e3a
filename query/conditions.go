package query

import (
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// Kind is the kind of a condition that [Index.Bound] turns into one bound.
type Kind string

// The text of With and Without is a text for [Index.Options]. The text of the other kinds is
// K:SELECTORS, where K is a number of placements and SELECTORS is a text for [Index.Options].
const (
	With    Kind = "with" // a tiling uses at least one of the placements
	Without Kind = "without"
	Exactly Kind = "exactly"
	AtLeast Kind = "at-least"
	AtMost  Kind = "at-most"
)

// Bound returns the bound for a condition of this kind. The error wraps ErrQuery.
func (x *Index) Bound(kind Kind, text string) (cover.Bound, error) {
	b := cover.Bound{Min: 1, Max: cover.Unbounded}
	selectors := text
	switch kind {
	case With:
	case Without:
		b.Min, b.Max = 0, 0
	case Exactly, AtLeast, AtMost:
		k, rest, err := numbered(text)
		if err != nil {
			return cover.Bound{}, err
		}
		selectors, b.Min, b.Max = rest, k, k
		switch kind {
		case AtLeast:
			b.Max = cover.Unbounded
		case AtMost:
			b.Min = 0
		}
	default:
		return cover.Bound{}, bad("%s is not a kind of condition", quote(string(kind)))
	}
	var err error
	b.Options, err = x.Options(selectors)
	// Package cover does not allow these characters in names of its text form.
	b.Name = strings.NewReplacer("#", "", "*", "", " ", "").Replace(string(kind) + "=" + text)
	return b, err
}

func numbered(text string) (k int, selectors string, err error) {
	number, selectors, found := strings.Cut(text, ":")
	if k, err = strconv.Atoi(number); !found || err != nil || !isNumber(number) || k > tiling.MaxCopies {
		return 0, "", bad("expected K:PLACEMENTS such as 3:X5 or 2:I3+L3, with a number K from 0 to %d", tiling.MaxCopies)
	}
	return k, selectors, nil
}
