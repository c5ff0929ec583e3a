package shuffle

// planes has a matching of a diamond of order k: for each of a, b, c and d, a bit for each cell.
//
//	a b     cell (i, j) has the entries (2i, 2j), (2i, 2j+1),
//	c d                                 (2i+1, 2j), (2i+1, 2j+1)
type planes struct {
	words      int
	a, b, c, d []uint64
}

func newPlanes(n int) *planes {
	w := (n + 63) / 64
	all := make([]uint64, 4*n*w)
	return &planes{w, all[:n*w], all[n*w : 2*n*w], all[2*n*w : 3*n*w], all[3*n*w:]}
}

// grow makes a matching of order k out of a matching of order k-1. Each edge moves to the opposite
// edge of its cell:
//
//	a ← d(i-1,j-1)    b ← c(i-1,j)    c ← b(i,j-1)    d ← a
//
// Then two edges in one cell vanish, and a cell without an edge gets either a and d, or b and c.
// The function coins chooses the cells that get a and d, among the empty cells in one word of row
// i. Rows are computed in place, the last row first.
func (s *planes) grow(k int, coins func(i, word int, empty uint64) (uint64, error)) error {
	w, used := s.words, (k+63)/64
	last := ^uint64(0) >> (used*64 - k)
	for i := k - 1; i >= 0; i-- {
		var carryB, carryD uint64
		for j := range used {
			at := i*w + j
			oldB, d := s.b[at], s.a[at]
			c := oldB<<1 | carryB
			carryB = oldB >> 63
			var a, b uint64
			if i > 0 {
				oldD := s.d[at-w]
				a = oldD<<1 | carryD
				carryD = oldD >> 63
				b = s.c[at-w]
			}
			all := ^uint64(0)
			if j == used-1 {
				all = last
			}
			ad := uint64(0)
			empty := all &^ (a | b | c | d)
			if empty != 0 {
				var err error
				if ad, err = coins(i, j, empty); err != nil {
					return err
				}
			}
			bc := empty &^ ad
			s.a[at], s.d[at] = d&^a|ad, a&^d|ad
			s.b[at], s.c[at] = c&^b|bc, b&^c|bc
		}
	}
	return nil
}

func (s *planes) has(i, j int) bool {
	plane := s.a
	switch {
	case i%2 == 0 && j%2 == 1:
		plane = s.b
	case i%2 == 1 && j%2 == 0:
		plane = s.c
	case i%2 == 1:
		plane = s.d
	}
	return plane[i/2*s.words+j/2/64]>>(j/2%64)&1 > 0
}
