// Package subsetsum computes the possible pairs (number of black cells, number of white cells) for
// all copies of a puzzle's pieces together.
//
// # Purpose
//
// The cells of the board are coloured like a chequerboard. If no choice of copies has as many black
// and as many white cells as the board, there is no tiling. [Sums] shows this before an engine
// begins:
//
//	1 domino (1, 1) with 0 to 2 monominoes (0, 1) or (1, 0):   (1, 1)  (1, 2)  (2, 1)  (1, 3)  (2, 2)  (3, 1)
//
// Bit b·stride + w of a large number stands for the pair (b, w). To add a copy, Sums shifts this
// number, and clears the bits of pairs with more cells than the board has. A caller that compares
// only sizes treats all cells as white.
//
// # Cost
//
// Each step shifts the number, which has about 2·black·white bits. A piece with up to n copies
// needs n steps for each of its pairs, or log n steps if it has only one pair. Sums gives up when
// the steps have shifted 2^23 words of 64 bits in all, which needs about 0.1 s.
//
// # References
//
// Bellman, "Notes on the theory of dynamic programming IV" (1956).
package subsetsum

import "math/big"

// Pair is a number of black cells and a number of white cells.
type Pair struct{ Black, White int }

// Add adds a black cell, or a white cell if black is false.
func (p *Pair) Add(black bool) {
	if black {
		p.Black++
	} else {
		p.White++
	}
}

const maxWords = 1 << 23 // Sums gives up after it has read this number of 64-bit words

// Sums is the set of pairs that the copies added so far can have together. For each number of black
// cells it has bits for 0 to 2·most.White white cells: before Add clears the bits above most.White,
// it may have added most.White cells to a sum of most.White cells.
type Sums struct {
	bits   *big.Int
	mask   *big.Int
	stride int
	most   Pair
	work   int
	gaveUp bool
}

// New returns the set {(0, 0)} for a board that has most.Black black and most.White white cells.
func New(most Pair) *Sums {
	s := &Sums{bits: big.NewInt(1), mask: new(big.Int), stride: 2*most.White + 1, most: most}
	if s.stride > 64*maxWords/(most.Black+1) { // one number would have more than maxWords words
		s.gaveUp = true
		return s
	}
	row := new(big.Int).Lsh(big.NewInt(1), uint(most.White+1))
	s.mask.Sub(row, big.NewInt(1))
	for rows := 1; rows < most.Black+1; {
		n := min(rows, most.Black+1-rows)
		s.mask.Or(s.mask, new(big.Int).Lsh(s.mask, uint(n*s.stride)))
		rows += n
	}
	return s
}

// Add adds n copies of a piece, least ≤ n ≤ most. A copy has the cells of one of the pairs.
func (s *Sums) Add(pairs []Pair, least, most int) {
	switch {
	case s.gaveUp:
		return
	case least > most:
		s.bits = new(big.Int)
		return
	case len(pairs) == 1:
		s.addEqual(pairs[0], least, most)
		return
	}
	exactly, any := s.bits, new(big.Int)
	for n := 0; n <= most && exactly.Sign() > 0 && !s.gaveUp; n++ {
		if n >= least {
			any.Or(any, exactly)
		}
		next := new(big.Int)
		for _, p := range pairs {
			if p.Black > s.most.Black || p.White > s.most.White {
				continue
			}
			s.pay(exactly)
			next.Or(next, new(big.Int).Lsh(exactly, uint(p.Black*s.stride+p.White)))
		}
		exactly = next.And(next, s.mask)
	}
	s.bits = any
}

func (s *Sums) addEqual(p Pair, least, most int) {
	if p.Black*least > s.most.Black || p.White*least > s.most.White {
		s.bits = new(big.Int)
		return
	}
	shift := p.Black*s.stride + p.White
	s.bits = new(big.Int).Lsh(s.bits, uint(least*shift))
	s.bits.And(s.bits, s.mask)
	for left, step := most-least, 1; left > 0 && !s.gaveUp; step *= 2 {
		n := min(step, left)
		if p.Black*n > s.most.Black || p.White*n > s.most.White {
			return // more copies would have more cells than the board
		}
		s.pay(s.bits)
		s.bits.Or(s.bits, new(big.Int).Lsh(s.bits, uint(n*shift)))
		s.bits.And(s.bits, s.mask)
		left -= n
	}
}

func (s *Sums) pay(bits *big.Int) {
	if s.work += len(bits.Bits()) + 8; s.work > maxWords {
		s.gaveUp = true
	}
}

// Reaches reports whether the set has a pair with at least least.Black black and least.White white
// cells. It returns true if Sums has given up.
func (s *Sums) Reaches(least Pair) bool {
	if s.gaveUp {
		return true
	}
	for b := least.Black; b <= s.most.Black; b++ {
		for w := least.White; w <= s.most.White; w++ {
			if s.bits.Bit(b*s.stride+w) != 0 {
				return true
			}
		}
	}
	return false
}
