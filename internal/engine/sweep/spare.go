package sweep

import "github.com/pavage/pavage/internal/engine/key"

// waitingParts is the largest number of parts, for each worker, that wait for an earlier part or
// are kept for the next step. (If none are kept, 12x12 tetrominoes use 1.3 GB in place of 0.8 GB.)
const waitingParts = 16

type spareParts[K key.Key] struct {
	parts  []*Part[K]
	blocks blocks[K] // memory of the blocks of an earlier level
	budget *budget
}

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

// spareParts.blocks uses at most 1/sparedShare of the limit of memory.
const sparedShare = 16

// putBlocks keeps the memory of l.blocks for a later level, unless records or a history need it.
func (s *spareParts[K]) putBlocks(l *Level[K]) {
	if b := &l.blocks; !l.lent && !l.held && b.bytes() > s.blocks.bytes() && (s.budget.limit <= 0 || sparedShare*b.bytes() <= s.budget.limit) {
		s.budget.give(s.blocks.bytes())
		s.blocks = blocks[K]{heads: b.heads[:0], first: b.first[:0]}
		b.heads, b.first = nil, nil
	}
}

func (s *spareParts[K]) trim(keep int) {
	if keep == 0 {
		s.budget.give(s.blocks.bytes())
		s.blocks = blocks[K]{}
	}
	for last := len(s.parts) - 1; last >= keep; last-- {
		s.budget.give(s.parts[last].held)
		s.parts[last], s.parts = nil, s.parts[:last]
	}
}

func (s *spareParts[K]) dropArcs() {
	for _, p := range s.parts {
		p.arcs, p.along = nil, gathered{}
		s.budget.used.Add(p.grown())
	}
}
