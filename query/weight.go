package query

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// maxWeightDigits is the largest number of digits in the numerator and the denominator together.
const maxWeightDigits = 100

var written = regexp.MustCompile(`^[0-9./]+([eE][+-]?[0-9]{1,2})?$`)

// parseWeight parses SELECTOR=WEIGHT, such as X5=3/2, 0,0=0.5 or volume=9/10.
func parseWeight(text string) (selector string, weight *big.Rat, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 {
		return "", nil, bad("%s is not PLACEMENTS=WEIGHT, expected a text such as X5=3/2", quote(text))
	}
	value := text[i+1:]
	switch {
	case len(value) > maxWeightDigits+1:
		return "", nil, bad("the weight %s… has too many characters, expected at most %d digits", shown(value), maxWeightDigits)
	case strings.HasPrefix(value, "-"):
		return "", nil, bad("the weight %s is negative, expected 0 or more", shown(value))
	case value == "" || !written.MatchString(value):
		return "", nil, bad("the weight is %s, expected a number such as 2, 3/2, 0.5 or 1.5e-3, with at most two digits in the exponent", quote(value))
	}
	// Package big would read digits after a leading zero as octal.
	parts := strings.Split(value, "/")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p[:max(0, len(p)-1)], "0") + p[max(0, len(p)-1):]
	}
	r, ok := new(big.Rat).SetString(strings.Join(parts, "/"))
	if !ok {
		return "", nil, bad("the weight is %s, expected a number such as 2, 3/2, 0.5 or 1.5e-3, with at most two digits in the exponent", quote(value))
	}
	return text[:i], r, nil
}

// Weights returns the weight of each placement of a model; nil means 1. A text is
//
//	SELECTOR=W   each placement of the selector has the weight W, see [Index.Options]
//	volume=Q     a tiling by lozenges or dominoes has a weight proportional to Q^volume, where
//	             the tiling is seen as a pile of cubes. But if a piece or a cell has the name
//	             volume, the text is SELECTOR=W.
//
// Weights multiplies all weights that texts give to a placement. Without texts, it returns nil.
func Weights(m *tiling.Model, texts []string) ([]*big.Rat, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	x := Of(m)
	all := make([]*big.Rat, len(m.Problem.Options))
	for _, text := range texts {
		selector, w, err := parseWeight(text)
		if err != nil {
			return nil, err
		}
		some, err := x.weights(selector, w)
		if err != nil {
			return nil, err
		}
		for o, w := range some {
			switch {
			case w == nil:
			case all[o] == nil:
				all[o] = w
			default:
				all[o] = new(big.Rat).Mul(all[o], w)
			}
		}
	}
	return all, nil
}

func (x *Index) weights(selector string, w *big.Rat) ([]*big.Rat, error) {
	options, err := x.Options(selector)
	if err != nil && selector == volumeName {
		return x.volume(w)
	}
	if err != nil {
		return nil, err
	}
	all := make([]*big.Rat, len(x.model.Problem.Options))
	for _, o := range options {
		all[o] = w
	}
	return all, nil
}
