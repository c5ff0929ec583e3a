package dimer

// strips lists the faces that may be rotated. A strip leaves a face by the dart opposite to the
// dart by which it enters. Neighbouring strips run in the same direction if possible.
//
//	┌─┬─┬─┬─┐
//	│0→1→2→3│      On a board of squares, the strips are the rows or the columns. If the faces
//	├─┼─┼─┼─┤      of a row are in order, the faces above them are in order, too, and the faces
//	│4→5→6→7│      below, left and right of them. So lanes.go reads many faces with one fetch.
//	└─┴─┴─┴─┘
//
// The order of the faces affects only the speed.
type strips struct {
	*plane
	at     []int32 // index of each dart around its face
	ahead  []int32 // index around each face of the dart by which a strip leaves the face; none at first
	order  []int32 // the faces, strip after strip
	starts []int32 // the index in order at which each strip begins
	placed []bool
}

func newStrips(p *plane) *strips {
	s := &strips{plane: p, at: make([]int32, len(p.of)), ahead: make([]int32, p.faces()), placed: make([]bool, p.faces())}
	for f := range int32(p.faces()) {
		s.ahead[f] = none
		for i, d := range p.around(f) {
			s.at[d] = int32(i)
		}
	}
	for f := range int32(p.faces()) {
		if !p.root[f] && s.ahead[f] == none {
			s.ahead[f] = 0
			for _, g := range s.direct(f) {
				s.place(g)
			}
		}
	}
	return s
}

// direct sets the field ahead of all faces that are reached from f. It first proceeds to faces with
// the same number of darts.
func (s *strips) direct(f int32) (reached []int32) {
	same, other := []int32{f}, []int32(nil) // other has darts to faces of another length
	for {
		for len(same) > 0 {
			f, same = same[0], same[1:]
			for _, d := range s.around(f) {
				g := s.of[d^1]
				switch {
				case s.root[g] || s.ahead[g] != none:
				case s.long(g) == s.long(f):
					s.carry(d)
					same = append(same, g)
				default:
					other = append(other, d)
				}
			}
			reached = append(reached, f)
		}
		for len(other) > 0 && s.ahead[s.of[other[0]^1]] != none {
			other = other[1:]
		}
		if len(other) == 0 {
			return reached
		}
		s.carry(other[0])
		same = append(same, s.of[other[0]^1])
	}
}

func (s *strips) carry(d int32) {
	f, g := s.of[d], s.of[d^1]
	turned := (s.at[d] - s.ahead[f] + s.long(f)) % s.long(f) // position of d around f, counted from the dart by which the strip leaves f
	turned = turned * s.long(g) / s.long(f)
	s.ahead[g] = (s.at[d^1] - turned + s.long(g)/2 + s.long(g)) % s.long(g)
}

func (s *strips) place(f int32) {
	if s.placed[f] {
		return
	}
	first := f
	for g := s.beside(f, true); g != none && g != f; g = s.beside(g, true) {
		first = g
	}
	s.starts = append(s.starts, int32(len(s.order)))
	for g := first; g != none && !s.placed[g]; g = s.beside(g, false) {
		s.placed[g] = true
		s.order = append(s.order, g)
	}
}

func (s *strips) beside(f int32, back bool) int32 {
	half, here, there := s.long(f)/2, int32(0), s.long(f)/2
	if back {
		here, there = half, 0
	}
	d := s.around(f)[(s.ahead[f]+here)%s.long(f)]
	g := s.of[d^1]
	if s.root[g] || s.ahead[g] == none || s.long(g) != s.long(f) || s.at[d^1] != (s.ahead[g]+there)%s.long(g) {
		return none
	}
	return g
}
