package sweep

import "github.com/pavage/pavage/internal/key"

// waitingParts for each worker wait at most for one that comes before them where
// a worker is held up, and as many are kept from one step for the next: parts
// made anew for each step are garbage as large as the levels (12x12 tetrominoes
// on two busy cores: 1.3 GB, not 0.8).
const waitingParts = 16

// spareParts are parts to be filled, which keep their memory. It counts as used.
type spareParts[K key.Key] struct {
	parts  []*Part[K] // the first are kept the longest
	budget *budget
}

// get is a part, a new one if there is none.
func (s *spareParts[K]) get() *Part[K] {
	n := len(s.parts)
	if n == 0 {
		return &Part[K]{}
	}
	p := s.parts[n-1]
	s.parts = s.parts[:n-1]
	return p
}

func (s *spareParts[K]) put(p *Part[K]) { s.parts = append(s.parts, p) }

// trim keeps so many.
func (s *spareParts[K]) trim(keep int) {
	for last := len(s.parts) - 1; last >= keep; last-- {
		s.budget.give(s.parts[last].held)
		s.parts[last], s.parts = nil, s.parts[:last]
	}
}

// dropArcs lets go of the room for arcs that the parts have.
func (s *spareParts[K]) dropArcs() {
	for _, p := range s.parts {
		p.arcs, p.along = nil, gathered{}
		s.budget.used.Add(p.grown())
	}
}
