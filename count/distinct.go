package count

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Counting up to symmetry. Two solutions are in one class if an element of the group maps one to
// the other. By Burnside's lemma, the number of classes is the average, over the elements, of the
// number of solutions that an element fixes. For the three tilings of 2x3 by dominoes:
//
//	            identity   half turn   left-right   top-bottom
//	ab c        fixed                               fixed
//	de f
//	a bc        fixed                               fixed
//	d ef
//	a b c       fixed      fixed       fixed        fixed
//	d e f
//	            3        + 1         + 1          + 3          = 8 = 2 classes · 4
//
// The solutions that an element fixes are the solutions of its quotient (cover.Quotient). Elements
// that generate the same group fix the same solutions, and conjugate elements fix equally many. So
// solutions are counted for one element of each class of elements only.

// ErrGroup is wrapped when permutations are not a group of symmetries.
var ErrGroup = errors.New("not a group of symmetries")

// errBurnside reports a bug in this program: a sum that the order of the group does not divide.
var errBurnside = errors.New("the counts of fixed solutions contradict each other")

// DistinctResult is a count up to symmetry, with the counts from which it was computed.
type DistinctResult struct {
	Count   *big.Int // number of classes of solutions
	Total   *Result  // result for all solutions
	Classes []Class  // classes of elements of the group; the class of the identity is first
}

// Class is a class of elements that all fix equally many solutions. Let G be
// the subgroup that an element generates. The class has all conjugates of all generators of G.
type Class struct {
	Elements []int // ascending indices into the group; Fixed is for the first element
	Fixed    *Result
}

// Distinct counts the solutions up to the symmetries of a group. The group has at most
// cover.MaxSymmetries different permutations of the items, which map options to options and are
// closed under composition. Distinct makes one count for each class of elements. A count may use
// Options.Memory bytes. Progress.Fraction covers all counts, and the other fields of Progress only
// the present count. Explain affects only the count of all solutions. If e is Dimer, Auto counts
// the quotients that determinants cannot count. The error wraps ErrGroup or is an error of Count.
func Distinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, e Engine, o Options) (*DistinctResult, error) {
	r := &DistinctResult{}
	sum := burnside{group: len(group)}
	err := eachClass(ctx, p, group, o, func(elements []int, q *cover.Quotient, o Options) error {
		fixed, err := countValid(ctx, q.Problem, e, o)
		if e == Dimer && len(r.Classes) > 0 && errors.Is(err, ErrNotDimers) { // the graph of the quotient is not planar
			fixed, err = countValid(ctx, q.Problem, Auto, o)
		}
		if err != nil {
			return err
		}
		r.Classes = append(r.Classes, Class{elements, fixed})
		sum.add(len(elements), fixed.Count)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Total = r.Classes[0].Fixed
	r.Count, err = sum.classes()
	return r, err
}

// CompiledDistinct has the diagrams of the solutions that elements of a group fix.
type CompiledDistinct struct {
	Count   *big.Int // number of classes of solutions
	Classes []CompiledClass
	Canon   *cover.Canon // computes canonical forms of solutions under the group
}

// CompiledClass has the diagram of the solutions that the first element of a class fixes. Option k
// of the diagram stands for all options in Orbits[k] of the problem.
type CompiledClass struct {
	Elements []int // ascending indices into the group
	Orbits   [][]int
	Compiled *Compiled
}

// CompileDistinct is like Distinct, but builds diagrams. Together they may use Options.Memory
// bytes.
func CompileDistinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, o Options) (*CompiledDistinct, error) {
	d := &CompiledDistinct{}
	sum := burnside{group: len(group)}
	limit, held := o.Memory, int64(0)
	err := eachClass(ctx, p, group, o, func(elements []int, q *cover.Quotient, o Options) error {
		if limit > 0 {
			o.Memory = max(1, limit-held)
		}
		c, err := compileValid(ctx, q.Problem, o)
		if err != nil {
			return err
		}
		held += c.Diagram.Bytes() + c.Counts.Bytes()
		d.Classes = append(d.Classes, CompiledClass{elements, q.Orbits, c})
		sum.add(len(elements), c.Result.Count)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Canon, err = p.Canon(ctx, group); err != nil {
		return nil, err
	}
	d.Count, err = sum.classes()
	return d, err
}

// eachClass checks the problem and the group. Then it calls do for every class of elements, first
// for the class of the identity. The argument q is the quotient by elements[0].
func eachClass(ctx context.Context, p *cover.Problem, group []cover.Symmetry, o Options,
	do func(elements []int, q *cover.Quotient, o Options) error,
) error {
	if err := p.Check(ctx); err != nil {
		return err
	}
	mapper, err := p.Mapper(ctx)
	if err != nil {
		return err
	}
	for k, s := range group {
		if _, err := mapper.Images(s); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("%w: element %d: %w", ErrGroup, k, err)
		}
	}
	t, err := multiply(ctx, group)
	if err != nil {
		return err
	}
	classes := t.classes()
	w := newWork(o.Progress)
	for k, elements := range classes {
		q := whole(p)
		if k > 0 {
			if q, err = mapper.Quotient(group[elements[0]]); err != nil {
				return err
			}
		}
		end := (1 + quotientWeight*float64(k)) / (1 + quotientWeight*float64(len(classes)-1))
		o.Progress = w.part(end, Progress{})
		if k > 0 {
			o.Explain, o.Planned = false, nil
		}
		if err := do(elements, q, o); err != nil {
			return err
		}
	}
	return nil
}

func whole(p *cover.Problem) *cover.Quotient {
	q := &cover.Quotient{Problem: p, Orbits: make([][]int, len(p.Options))}
	for o := range q.Orbits {
		q.Orbits[o] = []int{o}
	}
	return q
}

type burnside struct {
	group int
	sum   big.Int
}

func (b *burnside) add(elements int, fixed *big.Int) {
	b.sum.Add(&b.sum, new(big.Int).Mul(fixed, big.NewInt(int64(elements))))
}

func (b *burnside) classes() (*big.Int, error) {
	n, rest := new(big.Int).QuoRem(&b.sum, big.NewInt(int64(b.group)), new(big.Int))
	if rest.Sign() != 0 {
		return nil, fmt.Errorf("internal error: %w: the sum %v of the counts is not a multiple of the order %d of the group", errBurnside, &b.sum, b.group)
	}
	return n, nil
}

// quotientWeight is the assumed time to count a quotient, divided by the time for all solutions.
const quotientWeight = 0.1

// table is the multiplication table of a group: a after b is product[a][b].
type table struct {
	product  [][]int
	identity int
}

func multiply(ctx context.Context, group []cover.Symmetry) (*table, error) {
	if len(group) == 0 || len(group) > cover.MaxSymmetries {
		return nil, fmt.Errorf("%w: the list has %d elements, expected 1..%d elements",
			ErrGroup, len(group), cover.MaxSymmetries)
	}
	index := map[string]int{}
	for k, s := range group {
		if first, found := index[keyOf(s, nil)]; found {
			return nil, fmt.Errorf("%w: element %d repeats element %d", ErrGroup, k, first)
		}
		index[keyOf(s, nil)] = k
	}
	t := &table{product: make([][]int, len(group))}
	for a := range group {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := range group {
			product, found := index[keyOf(group[a], group[b])]
			if !found {
				return nil, fmt.Errorf("%w: the product of element %d and element %d is not an element of the group", ErrGroup, a, b)
			}
			t.product[a] = append(t.product[a], product)
		}
		if t.product[a][a] == a {
			t.identity = a
		}
	}
	return t, nil
}

// keyOf returns a map key for the permutation a after b, or for a if b is nil.
func keyOf(a, b cover.Symmetry) string {
	key := make([]byte, 0, 4*len(a))
	for i := range a {
		from := i
		if b != nil {
			from = b[i]
		}
		key = binary.LittleEndian.AppendUint32(key, uint32(a[from]))
	}
	return string(key)
}

// classes returns all classes in the order of their first elements, but the identity's class first.
func (t *table) classes() [][]int {
	all := [][]int{{t.identity}}
	met := make([]bool, len(t.product))
	met[t.identity] = true
	for g := range t.product {
		if met[g] {
			continue
		}
		class := t.class(g)
		for _, a := range class {
			met[a] = true
		}
		all = append(all, class)
	}
	return all
}

// class returns the conjugates of those powers of g that generate the same subgroup as g.
func (t *table) class(g int) []int {
	in := make([]bool, len(t.product))
	for _, power := range t.generators(g) {
		for h := range t.product {
			inverse := slices.Index(t.product[h], t.identity)
			in[t.product[t.product[h][power]][inverse]] = true
		}
	}
	var class []int
	for a, is := range in {
		if is {
			class = append(class, a)
		}
	}
	return class
}

func (t *table) generators(g int) []int {
	powers := []int{g} // powers[k] is g^(k+1)
	for at := g; at != t.identity; {
		at = t.product[g][at]
		powers = append(powers, at)
	}
	var coprime []int
	for k, power := range powers {
		if gcd(k+1, len(powers)) == 1 {
			coprime = append(coprime, power)
		}
	}
	return coprime
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
