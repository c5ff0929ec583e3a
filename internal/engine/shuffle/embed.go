package shuffle

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// place is where a board lies: cell (r, c) is the vertex (r+c+s, r-c+d) of the diamond of order n.
// The vertices (x, y) of the diamond have 0 ≤ x, y ≤ 2n and x+y odd. The diamond has 2n x 2n edges,
// its entries. Entry (i, j) joins the two vertices among (i, j), (i, j+1), (i+1, j) and (i+1, j+1).
// A cell at the vertex (x, y) has the entry (x, y-1) as its edge to the right, (x, y) as edge down.
type place struct {
	n, s, d int
	mate    []mate
}

// mate is the direction from a vertex outside of the board to the vertex that it is matched with.
type mate int8

const (
	free mate = iota
	right
	down
	left
	up
	inside // a vertex of the board, or outside of the diamond
)

func (m mate) opposite() mate { return (m+1)%4 + 1 }

type span struct{ u0, u1, v0, v1 int }

func (b *Board) span() span {
	s := span{math.MaxInt, math.MinInt, math.MaxInt, math.MinInt}
	for at, in := range b.In {
		if r, c := at/b.Cols, at%b.Cols; in {
			s = span{min(s.u0, r+c), max(s.u1, r+c), min(s.v0, r-c), max(s.v1, r-c)}
		}
	}
	return s
}

func (s span) least() int { return max((s.u1-s.u0+1)/2, (s.v1-s.v0+1)/2, 1) }

// embed returns the first of the boards that fits in a diamond, and its place. A board fits if the
// vertices outside of it have a perfect matching. The boards are views of one board; if none fits,
// embed stretches the first one. Of 500 random boards with 20 to 160 cells, 454 fit unstretched. A
// hexagon with sides a fits in diamonds of order 3a-1 and more.
func embed(ctx context.Context, boards []*Board) (*Board, *place, error) {
	b := boards[0]
	for _, turned := range boards {
		if p, err := turned.fit(ctx); p != nil || err != nil {
			return turned, p, err
		}
	}
	// Stretch the row or column after which the fewest vertices are unmatched. If this number does
	// not fall, stretch all rows and columns.
	whole, work := false, int64(0)
	for range mostStretches {
		w := int64(2*b.span().wide() + 3)
		if work += int64(b.Rows+b.Cols) * w * w; work > stretchWork {
			break
		}
		_, left := b.amid(true)
		if left > 2*mostStretches {
			break
		}
		best, none := b, make([]bool, b.Rows+b.Cols)
		for i := range none {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			chosen := slices.Clone(none)
			chosen[i] = true
			c := b.stretch(chosen[:b.Rows], chosen[b.Rows:])
			if _, rest := c.amid(true); rest < left {
				best, left = c, rest
			}
		}
		if best == b {
			if whole {
				break
			}
			whole = true
			all := slices.Repeat([]bool{true}, len(none))
			best = b.stretch(all[:b.Rows], all[b.Rows:])
			_, left = best.amid(true)
		}
		if b = best; left == 0 {
			p, err := b.fit(ctx)
			return b, p, err
		}
	}
	return nil, nil, fmt.Errorf("%w: the vertices around the board have no perfect matching", ErrUnembedded)
}

// fit returns a place, or nil. It tries the least order plus 0, 1, 2, 4 … until the board fits, and
// then looks for a smaller order by bisection of the last step.
func (b *Board) fit(ctx context.Context) (*place, error) {
	sp := b.span()
	least := sp.least()
	var amid *place
	for more, before := 0, 0; least+more < sp.wide() && least+more <= MaxOrder; before, more = more, max(1, 2*more) {
		if more == 1 {
			var left int
			if amid, left = b.amid(false); amid != nil && left > 0 {
				return nil, nil
			}
		}
		p, err := b.within(ctx, least+more, sp)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		for before+1 < more { // no place was found in order least+before
			half := (before + more) / 2
			q, err := b.within(ctx, least+half, sp)
			if err != nil {
				return nil, err
			}
			if q != nil {
				p, more = q, half
			} else {
				before = half
			}
		}
		return p, nil
	}
	return amid, nil
}

const (
	mostStretches = 12
	// stretchWork limits the vertices that are matched to choose stretches. They need about 1 s.
	stretchWork = 1 << 26
)

// wide returns the order of a diamond that is about twice as wide as the board.
func (s span) wide() int { return 2*s.least() + 1 }

func (b *Board) within(ctx context.Context, n int, sp span) (*place, error) {
	for _, s := range [3]int{-sp.u0, n - (sp.u0+sp.u1)/2, 2*n - sp.u1} {
		for _, d := range [3]int{-sp.v0, n - (sp.v0+sp.v1)/2, 2*n - sp.v1} {
			for _, d := range [2]int{d, d - 1} {
				if d < -sp.v0 || (s+d)%2 == 0 {
					continue
				}
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if p := (&place{n: n, s: s, d: d}); p.match(b, false) == 0 {
					return p, nil
				}
			}
		}
	}
	return nil, nil
}

// amid tries the places of the board in the middle of the diamond of order wide. It returns the
// place where the fewest vertices outside of the board are unmatched, and the result of match for
// this place. A board that fits into a smaller diamond also fits into this one.
func (b *Board) amid(all bool) (best *place, left int) {
	sp := b.span()
	n := sp.wide()
	if n > MaxOrder {
		return nil, math.MaxInt
	}
	left = math.MaxInt
	for t := range 2 { // t decides which colour of cells has even x
		p := &place{n: n, s: n - (sp.u0+sp.u1)/2 + t, d: n - (sp.v0+sp.v1)/2}
		if (p.s+p.d)%2 == 0 {
			p.d++
		}
		if rest := p.match(b, all); rest < left {
			best, left = p, rest
		}
	}
	return best, left
}

func (p *place) width() int { return 2*p.n + 3 }

func (p *place) at(x, y int) int { return (x+1)*p.width() + y + 1 }

// match finds a largest matching of the vertices outside of the board. It first matches neighbours
// in a row. Then it uses augmenting paths, in rounds in which no two paths meet. It returns the
// number of unmatched vertices with even x; an equal number with odd x is unmatched. If all is
// false, it stops at the first such vertex and returns 1.
func (p *place) match(b *Board, all bool) int {
	w, last := p.width(), 2*p.n
	p.mate = make([]mate, w*w)
	for i := range w {
		p.mate[i], p.mate[i*w], p.mate[i*w+w-1], p.mate[(w-1)*w+i] = inside, inside, inside, inside
	}
	for at, in := range b.In {
		if r, c := at/b.Cols, at%b.Cols; in {
			p.mate[p.at(r+c+p.s, r-c+p.d)] = inside
		}
	}
	step := [...]int{right: w - 1, down: w + 1, left: 1 - w, up: -1 - w}
	for x := range last {
		for y := 1 - x&1; y <= last; y += 2 {
			if at := p.at(x, y); p.mate[at] == free && p.mate[at+step[right]] == free {
				p.mate[at], p.mate[at+step[right]] = right, left
			}
		}
	}
	var stack []int32
	from := make([]mate, w*w) // the direction back from each vertex that was met in the round
	for {
		found, rest := 0, 0
		for x := 0; x <= last; x += 2 {
		search:
			for y := 1; y <= last; y += 2 {
				if p.mate[p.at(x, y)] != free {
					continue
				}
				for stack = append(stack[:0], int32(p.at(x, y))); len(stack) > 0; {
					at := int(stack[len(stack)-1])
					stack = stack[:len(stack)-1]
					for m := right; m <= up; m++ {
						to := at + step[m]
						if p.mate[to] == inside || from[to] != free {
							continue
						}
						from[to] = m.opposite()
						if p.mate[to] == free {
							p.augment(to, from, step[:])
							found++
							continue search
						}
						stack = append(stack, int32(to+step[p.mate[to]]))
					}
				}
				if rest++; found == 0 && !all {
					return rest // no path was found in this round, so none blocks this vertex
				}
			}
		}
		if found == 0 || rest == 0 {
			return rest
		}
		clear(from)
	}
}

func (p *place) augment(end int, from []mate, step []int) {
	for {
		back := from[end]
		at := end + step[back]
		before := p.mate[at]
		p.mate[end], p.mate[at] = back, back.opposite()
		if before == free {
			return
		}
		end = at + step[before]
	}
}

func (p *place) entries(b *Board) []int32 {
	w := 2 * p.n
	all := make([]int32, w*w)
	for i := range w {
		for j := range w {
			x, y, dir := i, j, down
			if (i+j)%2 == 0 {
				y, dir = j+1, right
			}
			e := &all[i*w+j]
			*e = vanishing
			switch p.mate[p.at(x, y)] {
			case inside:
				r, c := (x-p.s+y-p.d)/2, (x-p.s-y+p.d)/2
				number := b.Down[r*b.Cols+c]
				if dir == right {
					number = b.Right[r*b.Cols+c]
				}
				if number != None {
					*e = number
				}
			case dir:
				*e = fixed
			}
		}
	}
	return all
}

const (
	vanishing = None // an edge of weight ε
	fixed     = link // an edge of weight 1 that is in all matchings, or inside a stretched cell
)
