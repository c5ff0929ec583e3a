package cover

import (
	"context"
	"fmt"
	"slices"
)

// Canon chooses from every class of solutions under a group of permutations the solution whose
// ascending list of options is lexicographically least. With the half turn of the 2x3 board:
//
//	options   0 ab  1 bc  2 de  3 ef  4 ad  5 be  6 cf
//	image     3     2     1     0     6     5     4
//
//	{ab,de,cf} = 0 2 6  ──▶  3 1 4 = 1 3 4   0 2 6 is the least of its class
//	{ad,be,cf} = 4 5 6  ──▶  6 5 4 = 4 5 6   alone in its class
//
// Goroutines may share a Canon.
type Canon struct {
	images [][]int
}

// NewCanon makes a Canon from the images of the options under every element of a group, as
// [Problem.AllImages] returns them; the identity may be left out. All images must be permutations
// of 0..n-1 with the same n; otherwise the error wraps ErrInvalid. NewCanon does not check that the
// elements are a group. If they are not, a class may have no least member, or several.
func NewCanon(images [][]int) (*Canon, error) {
	c := &Canon{}
	for k, image := range images {
		if len(image) != len(images[0]) || !isPermutation(image) {
			return nil, fmt.Errorf("%w: images[%d] is not a permutation of %d options",
				ErrInvalid, k, len(images[0]))
		}
		if !slices.IsSorted(image) { // only the identity is sorted
			c.images = append(c.images, image)
		}
	}
	return c, nil
}

// Canon makes the Canon of a group of symmetries. It returns the errors of [Problem.AllImages].
func (p *Problem) Canon(ctx context.Context, group []Symmetry) (*Canon, error) {
	images, err := p.AllImages(ctx, group)
	if err != nil {
		return nil, err
	}
	return NewCanon(images)
}

func isPermutation(image []int) bool {
	seen := make([]bool, len(image))
	for _, o := range image {
		if o < 0 || o >= len(image) || seen[o] {
			return false
		}
		seen[o] = true
	}
	return true
}

// canonRoom is the largest length of a list of options whose image is kept on the stack.
const canonRoom = 64

// IsLeast reports whether the ascending list is the least of its class. It sorts an image only if
// the smallest option of the image is options[0].
func (c *Canon) IsLeast(options []int) bool {
	if len(options) == 0 {
		return true
	}
	var room [canonRoom]int
	for _, image := range c.images {
		first := image[options[0]]
		for _, o := range options[1:] {
			first = min(first, image[o])
		}
		if first < options[0] {
			return false
		}
		if first == options[0] && slices.Compare(imageOf(room[:0], image, options), options) < 0 {
			return false
		}
	}
	return true
}

// Least returns the least list in the class of the ascending list of options, as a new slice.
func (c *Canon) Least(options []int) []int {
	return c.LeastWithin(options, func(int) bool { return true })
}

// LeastWithin is like Least, but skips lists with options that are not allowed, and may return nil.
func (c *Canon) LeastWithin(options []int, allowed func(option int) bool) []int {
	var room [canonRoom]int
	refused := func(o int) bool { return !allowed(o) }
	var least []int
	if !slices.ContainsFunc(options, refused) {
		least = append([]int{}, options...) // not nil, even if options is empty
	}
	for _, image := range c.images {
		if slices.ContainsFunc(options, func(o int) bool { return refused(image[o]) }) {
			continue
		}
		if list := imageOf(room[:0], image, options); least == nil || slices.Compare(list, least) < 0 {
			least = append(least[:0], list...)
		}
	}
	return least
}

func imageOf(list, image, options []int) []int {
	for _, o := range options {
		list = append(list, image[o])
	}
	slices.Sort(list)
	return list
}
