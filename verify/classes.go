package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// maxImages limits the number of stored images of options. They need at most 512 MiB.
const maxImages = 1 << 26

// classes derives several solutions from one solution by symmetries. It chooses an item that must
// be used exactly once. The symmetries that fix this item divide its options into orbits, and
// only the first option of each orbit is searched. The search finds a solution of every class. If it
// finds several, all but the least are skipped. A 1x1 square on a chessboard has 10 such options:
//
//	1 2 3 4 . . . .
//	. 5 6 7 . . . .
//	. . 8 9 . . . .
//	. . . 10 . . . .
//
// The code checks that the symmetries are a group. It generates and checks each member of a class.
type classes struct {
	images   [][]int // images[k][o] is the image of option o under symmetry k
	searched []bool  // whether each option is searched; nil if all are
}

// The orbits of options must have at least minSaving options on average. To derive a solution by a
// symmetry needs time, too: for dominoes on 8x8, about as long as to find a solution.
const minSaving = 3

// If all is true, findClasses returns the classes under all symmetries of p. Otherwise it uses only
// the symmetries that fix the chosen item, and returns nil if they save too little. The error wraps
// cover.ErrInvalid, ErrTooLarge, or ErrUndecided after the end of ctx.
func findClasses(ctx context.Context, p *cover.Problem, all bool) (*classes, error) {
	if len(p.Symmetries)*len(p.Options) > maxImages {
		if !all {
			return nil, nil
		}
		return nil, fmt.Errorf("%w: with %d symmetries, %d options have too many images",
			ErrTooLarge, len(p.Symmetries), len(p.Options))
	}
	images, err := p.AllImages(ctx, p.Symmetries)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, undecidedBy(ctx.Err())
	case err != nil:
		return nil, err
	}
	if err := closed(ctx, images); err != nil {
		return nil, err
	}
	options := make([][]int, len(p.Items)) // indexed by item
	for o, option := range p.Options {
		for _, u := range option {
			options[u.Item] = append(options[u.Item], o)
		}
	}
	// Choose the item with bounds 1..1 whose options have the fewest orbits. For 8x8 with pentominoes
	// and a square, the table has, for each of 12 items, the orbits and the seconds for a sample:
	//
	//	X5   6  100     T5  18   94     W5  21  103     Y5  35  264
	//	I5   8  122     Z5  18  103     V5  21  157     N5  35  301
	//	O4  10  285     U5  21  137     L5  35  294     F5  36  376
	item, orbits := -1, []int(nil) // orbits has the first option of each orbit
	var group [][]int              // images under the symmetries that fix the item
	looks := interrupt.Context(ctx)
	for i, it := range p.Items {
		if err := looks.Work(1 + len(options[i])*len(images)); err != nil {
			return nil, undecidedBy(err)
		}
		if it.Min != 1 || it.Max != 1 {
			continue
		}
		var alone [][]int
		for k, s := range p.Symmetries {
			if s[i] == i {
				alone = append(alone, images[k])
			}
		}
		firsts := slices.DeleteFunc(slices.Clone(options[i]), func(o int) bool {
			return slices.ContainsFunc(alone, func(image []int) bool { return image[o] < o })
		})
		if len(firsts) < len(options[i]) && (item < 0 || len(firsts) < len(orbits)) {
			item, orbits, group = i, firsts, alone
		}
	}
	switch {
	case !all && (item < 0 || len(orbits)*minSaving > len(options[item])):
		return nil, nil
	case item < 0:
		return &classes{images: images}, nil
	}
	c := &classes{images: group, searched: slices.Repeat([]bool{true}, len(p.Options))}
	if all {
		c.images = images
	}
	for _, o := range options[item] {
		_, c.searched[o] = slices.BinarySearch(orbits, o)
	}
	return c, nil
}

// closed returns an error unless the product of any two images is in images, as in a group.
func closed(ctx context.Context, images [][]int) error {
	sorted := slices.SortedFunc(slices.Values(images), slices.Compare)
	looks := interrupt.Context(ctx)
	for _, a := range images {
		product := make([]int, len(a))
		for _, b := range images {
			if err := looks.Work(len(a)); err != nil {
				return undecidedBy(err)
			}
			for o, to := range a {
				product[o] = b[to]
			}
			if _, found := slices.BinarySearchFunc(sorted, product, slices.Compare[[]int]); !found {
				return fmt.Errorf("%w: the symmetries are not a group", cover.ErrInvalid)
			}
		}
	}
	return nil
}

// members returns the sorted class of a solution. If the search also finds a smaller solution of
// the class, members returns nil and false.
func (c *classes) members(found []int) (members [][]int, least bool) {
	members = [][]int{slices.Clone(found)}
	for _, image := range c.images {
		member := make([]int, len(found))
		for k, o := range found {
			member[k] = image[o]
		}
		slices.Sort(member)
		if slices.Compare(member, found) < 0 && c.finds(member) {
			return nil, false
		}
		members = append(members, member)
	}
	slices.SortFunc(members, slices.Compare[[]int])
	return slices.CompactFunc(members, slices.Equal[[]int]), true
}

func (c *classes) finds(solution []int) bool {
	return c.searched == nil || !slices.ContainsFunc(solution, func(o int) bool { return !c.searched[o] })
}
