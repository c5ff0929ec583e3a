package query

import (
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// Kind is a kind of condition that is one bound.
type Kind string

// The kinds. The text of the first two is for [Index.Options]. Of the others it is K:SELECTORS: exactly
// K of the placements that SELECTORS name, or K or more, or K or fewer.
const (
	With    Kind = "with" // at least one
	Without Kind = "without"
	Exactly Kind = "exactly"
	AtLeast Kind = "at-least"
	AtMost  Kind = "at-most"
)

// Bound reads a condition.
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
		return cover.Bound{}, bad("unknown kind of condition %s", quote(string(kind)))
	}
	var err error
	b.Options, err = x.Options(selectors)
	// What the text form of covers does not allow in names is left out.
	b.Name = strings.NewReplacer("#", "", "*", "", " ", "").Replace(string(kind) + "=" + text)
	return b, err
}

// numbered parts K:SELECTORS.
func numbered(text string) (k int, selectors string, err error) {
	number, selectors, found := strings.Cut(text, ":")
	if k, err = strconv.Atoi(number); !found || err != nil || !isNumber(number) || k > tiling.MaxCopies {
		return 0, "", bad("want K:PLACEMENTS such as 3:X5 or 2:I3+L3, K a number from 0 to %d", tiling.MaxCopies)
	}
	return k, selectors, nil
}
