package evidence

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// This file computes the number of perfect matchings of a graph in a second way, for evidence. It
// shares with package dimer the graph and the faces, which Euler's formula has certified:
//
//	package dimer                           this file
//	signs by a spanning tree of the graph   by a tree of faces; each face is checked at the end
//	a row for each black vertex             a row for each vertex; the determinant is a square
//	linear combinations of unknowns         Gaussian elimination in a band of the matrix
//	Montgomery's products                   Shoup's products, with one division for each factor
//	the sign by a perfect matching          no sign: the square of the count or its negative
//
// For a square board of side n, the matrix has n² rows, in a band of about n columns, and up to n
// rows are subtracted from each row. A prime needs 0.1 s for 100x100 cells, 0.8 s for 200x200.

// directions reverses edges so that the walk around each face goes along an odd number of edges and
// against the others. It returns false if this is impossible. By Euler's formula, a connected part
// of the graph then has an odd number of vertices, and so no perfect matching.
func directions(g *dimer.Graph, of []int32, faces int) (reversed []bool, ok bool) {
	darts := make([][]int32, faces)
	for dart, f := range of {
		darts[f] = append(darts[f], int32(dart))
	}
	odd := make([]bool, faces) // whether one edge of face f must still be reversed
	for f, around := range darts {
		odd[f] = true
		for _, dart := range around {
			odd[f] = odd[f] != (dart&1 == 0)
		}
	}
	order, below := treeOfFaces(of, darts)
	reversed = make([]bool, len(g.Edges))
	for _, f := range slices.Backward(order) {
		if e := below[f]; e >= 0 && odd[f] {
			reversed[e] = true
			for _, dart := range []int32{2 * e, 2*e + 1} {
				odd[of[dart]] = !odd[of[dart]]
			}
		}
	}
	return reversed, !slices.Contains(odd, true)
}

// treeOfFaces joins the faces to trees. It returns the faces in an order with parents before their
// children. below[f] is the edge between face f and its parent, or -1 if f is a root.
func treeOfFaces(of []int32, darts [][]int32) (order, below []int32) {
	below, met := make([]int32, len(darts)), make([]bool, len(darts))
	for f := range int32(len(darts)) {
		if met[f] {
			continue
		}
		met[f], below[f] = true, -1
		at := len(order)
		for order = append(order, f); at < len(order); at++ {
			for _, dart := range darts[order[at]] {
				if to := of[dart^1]; !met[to] {
					met[to], below[to] = true, dart>>1
					order = append(order, to)
				}
			}
		}
	}
	return order, below
}

type entry struct {
	column int32
	value  int64 // number of options of the edge, with the sign of the entry
}

// signedRows returns a skew-symmetric matrix. Its rows and columns are reordered so that rows with
// common columns are close together.
func signedRows(g *dimer.Graph, reversed []bool) [][]entry {
	rows, meet := make([][]entry, g.Vertices), make([][]int32, g.Vertices)
	for i, e := range g.Edges {
		n := e.Ways()
		if reversed[i] {
			n = -n
		}
		for k, v := range e.Ends {
			to := e.Ends[1-k]
			rows[v] = append(rows[v], entry{to, n})
			meet[v] = append(meet[v], to)
			n = -n
		}
	}
	order := inBreadth(rows, meet)
	ordered := make([][]entry, len(order))
	column, next := slices.Repeat([]int32{-1}, g.Vertices), int32(0)
	for i, r := range order {
		for _, x := range rows[r] {
			if column[x.column] < 0 {
				column[x.column] = next
				next++
			}
			ordered[i] = append(ordered[i], entry{column[x.column], x.value})
		}
	}
	return ordered
}

// inBreadth orders the rows of each connected part by a breadth-first search. This search begins at
// the row that a first breadth-first search has met last.
func inBreadth(rows [][]entry, meet [][]int32) (all []int32) {
	met, now := make([]int, len(rows)), 0 // the last search that met each row
	from := func(row int32) []int32 {
		now++
		met[row] = now
		order := []int32{row}
		for at := 0; at < len(order); at++ {
			for _, x := range rows[order[at]] {
				for _, to := range meet[x.column] {
					if met[to] != now {
						met[to] = now
						order = append(order, to)
					}
				}
			}
		}
		return order
	}
	for r := range int32(len(rows)) {
		if met[r] == 0 {
			part := from(r)
			all = append(all, from(part[len(part)-1])...)
		}
	}
	return all
}

// determinantOf returns the determinant up to its sign, modulo a prime below 2^62. From each row it
// subtracts multiples of pivots until the first column of the row has no pivot. Then the row
// becomes the pivot of this column. The pivots use at most memory bytes; 0 means no limit.
func determinantOf(ctx context.Context, rows [][]entry, prime uint64, memory int64) (uint64, error) {
	least := make([]int32, len(rows)) // least[i] is the least column of row i and of all rows after it
	after := int32(len(rows))
	for i, row := range slices.Backward(rows) {
		for _, x := range row {
			after = min(after, x.column)
		}
		least[i] = after
	}
	looks := interrupt.Context(ctx)
	pivots := make([][]uint64, len(rows)) // indexed by first column; the first entry, 1, is not stored
	held := int64(0)                      // bytes of the pivots
	work := make([]uint64, len(rows))     // the current row, indexed by column
	product, freed := uint64(1), int32(0)
	for i, row := range rows {
		for ; freed < least[i]; freed++ { // no row from i on has entries in this column
			held -= 8 * int64(len(pivots[freed]))
			pivots[freed] = nil
		}
		from, last := int32(len(rows)), int32(-1)
		for _, x := range row {
			from, last = min(from, x.column), max(last, x.column)
			n := uint64(max(x.value, -x.value)) % prime
			if x.value < 0 {
				n = (prime - n) % prime
			}
			work[x.column] = n
		}
		for ; from <= last && (work[from] == 0 || pivots[from] != nil); from++ {
			if factor, pivot := work[from], pivots[from]; factor != 0 {
				work[from] = 0
				takeMultiple(work[from+1:], pivot, factor, prime)
				last = max(last, from+int32(len(pivot)))
				if err := looks.Work(1 + len(pivot)/4); err != nil {
					return 0, err
				}
			}
		}
		if from > last { // the row is 0
			return 0, nil
		}
		if held += 8 * int64(last-from); memory > 0 && held > memory {
			return 0, fmt.Errorf("%w: the rows of a determinant need over %d bytes", cover.ErrMemory, memory)
		}
		product = mulmod(product, work[from], prime)
		inverse := new(big.Int).ModInverse(new(big.Int).SetUint64(work[from]), new(big.Int).SetUint64(prime)).Uint64()
		pivot := make([]uint64, last-from)
		for k := range pivot {
			pivot[k] = mulmod(work[from+1+int32(k)], inverse, prime)
		}
		clear(work[from : last+1])
		pivots[from] = pivot
	}
	return product, nil
}

// takeMultiple subtracts factor times a pivot from a row. With one division of factor by prime, it
// finds the quotient of each product by prime, with an error of at most 1 (Shoup).
func takeMultiple(row, pivot []uint64, factor, prime uint64) {
	quotient, _ := bits.Div64(factor, 0, prime)
	row = row[:len(pivot)]
	for i, y := range pivot {
		q, _ := bits.Mul64(quotient, y)
		product := factor*y - q*prime // below 2·prime
		if product >= prime {
			product -= prime
		}
		x := row[i]
		if x < product {
			x += prime
		}
		row[i] = x - product
	}
}

func mulmod(a, b, prime uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, rest := bits.Div64(hi, lo, prime)
	return rest
}
