package count

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// unmetMagic is what a certificate of the other form begins with: it says that the
// count is 0, and for which item there are not enough options.
const unmetMagic = "pavage certificate 2\n"

// certifyUnmet writes that certificate about a problem with an item whose min
// cannot be reached. No level is made.
func certifyUnmet(ctx context.Context, p *cover.Problem, w io.Writer, e Engine) (*Result, error) {
	u, err := findUnmet(ctx, p)
	if err != nil {
		return nil, err
	}
	to, err := newNumbers(w, unmetMagic)
	if err != nil {
		return nil, err
	}
	digest := Digest(p)
	to.raw(digest[:])
	to.number(uint64(u.item), uint64(len(u.shared)))
	for _, i := range u.shared {
		to.number(uint64(i))
	}
	to.number(0) // the count
	return &Result{Engine: e, Count: new(big.Int)}, to.close()
}

// unmet is an item whose min cannot be reached, and items with max 1 that tell why:
// options that use the same one of them exclude each other.
type unmet struct {
	item   int
	shared []int
}

// findUnmet finds such an item, with the items of each order as those that are
// shared out, or with none.
func findUnmet(ctx context.Context, p *cover.Problem) (*unmet, error) {
	orders, err := automaton.Orders(ctx, p)
	if err != nil {
		return nil, err
	}
	coloured := p.ColouredItems() // several options may use such an item
	for _, order := range append([][]int{nil}, orders...) {
		shared := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return coloured[i] || p.Items[i].Max != 1 })
		item, err := unmetItem(ctx, p, shared)
		if err != nil {
			return nil, err
		}
		if item >= 0 {
			return &unmet{item, shared}, nil
		}
	}
	return nil, fmt.Errorf("%w: the count is 0, for the bounds of some item cannot be met whatever is chosen", ErrNoCertificate)
}

// unmetItem is the first item, not one of those shared, whose min is more than the
// options can reach; -1 if there is none. doc/certificate.md says why that is so.
func unmetItem(ctx context.Context, p *cover.Problem, shared []int) (int, error) {
	isShared := make([]bool, len(p.Items))
	for _, i := range shared {
		isShared[i] = true
	}
	looks := interrupt.Context(ctx)
	total, lone := make([]int64, len(p.Items)), make([]int64, len(p.Items))
	each := func(do func(u cover.Use, size int64)) error {
		for _, o := range p.Options {
			if err := looks.Work(len(o)); err != nil {
				return err
			}
			if size, possible := sharedBy(p, o, isShared); possible {
				for _, u := range o {
					do(u, size)
				}
			}
		}
		return nil
	}
	if err := each(func(u cover.Use, size int64) {
		total[u.Item] += int64(u.Times)
		if size == 0 {
			lone[u.Item]++
		}
	}); err != nil {
		return -1, err
	}
	reached := make([]bool, len(p.Items)) // some option may be often enough in a solution
	if err := each(func(u cover.Use, size int64) {
		n := int64(len(shared)) + lone[u.Item]
		reached[u.Item] = reached[u.Item] || int64(u.Times)*n >= int64(p.Items[u.Item].Min)*max(1, size)
	}); err != nil {
		return -1, err
	}
	for i, it := range p.Items {
		if least := int64(it.Min); !isShared[i] && least > 0 && (total[i] < least || !reached[i]) {
			return i, nil
		}
	}
	return -1, nil
}

// sharedBy is how many of the shared items an option uses, and whether it is
// possible.
func sharedBy(p *cover.Problem, o cover.Option, isShared []bool) (size int64, possible bool) {
	for _, u := range o {
		if int(u.Times) > p.Items[u.Item].Max {
			return 0, false
		}
		if isShared[u.Item] {
			size++
		}
	}
	return size, true
}
