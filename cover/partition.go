package cover

import (
	"cmp"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// partition divides the vertices of a graph into a list of cells. The vertices are the items and
// options of a problem, and the edges are the uses. Names and indices do not matter. A cell is
// split as long as its vertices differ in their edges to the vertices of another cell:
//
//	items with equal bounds and equal numbers of uses share a cell     a c d f | b e | domino
//	options with equal numbers of uses share a cell                    ab bc de ef ad be cf
//	the cell b e splits the cell of the options                        ad cf | ab bc de ef | be
//
// The algorithm is Hopcroft's (1971). If a cell is split after it has split the other cells, all of
// its parts except the largest must split the others again. It needs O(n log n) steps for n uses.
type partition struct {
	problem *Problem
	looks   interrupt.Watch

	// Option users[k] uses item i with weight weights[k] if first[i] ≤ k < first[i+1].
	first   []int32
	users   []int32 // vertex of the option
	weights []uint64

	// Vertices are the items, then the options. A cell is a range of the list vertices. Its number
	// is the index of its first vertex in this list.
	vertices []int32
	place    []int32    // indexed by vertex
	cell     []int32    // indexed by vertex
	size     []int32    // indexed by cell
	splits   [][2]int32 // each new cell, and the cell from which it was split off

	queue   []int32  // cells that may split others
	queued  []bool   // indexed by cell
	sums    []uint64 // sum of the weights of a vertex's edges to the splitting cell
	touched []int32  // vertices whose sum is not 0
	hit     []int32  // number of touched vertices, indexed by cell
	cells   []int32  // cells with touched vertices

	trace    []uint64 // a hash for each call of the method record
	follow   []uint64 // if not nil, the hashes that further calls of record must produce
	followed int      // index in follow of the next hash

	effort int   // number of uses that may still be inspected
	err    error // reason why refine ended early: errEffort or an error of a context
}

// maxWeight is so small that a sum of MaxOptions weights does not overflow.
const maxWeight = 1 << 39

// weight returns a hash of a use, at least 1. A collision only makes the partition coarser.
func (u Use) weight() uint64 {
	return scramble(uint64(u.Times)<<32+uint64(u.Colour))%maxWeight + 1
}

func newPartition(p *Problem, looks interrupt.Watch) (*partition, error) {
	n := len(p.Items) + len(p.Options)
	s := &partition{
		problem: p, looks: looks, first: make([]int32, len(p.Items)+1),
		vertices: make([]int32, n), place: make([]int32, n), cell: make([]int32, n), size: make([]int32, n),
		queued: make([]bool, n), sums: make([]uint64, n), hit: make([]int32, n),
	}
	for _, o := range p.Options {
		for _, u := range o {
			s.first[u.Item+1]++
		}
	}
	for i := range p.Items {
		s.first[i+1] += s.first[i]
	}
	s.effort = unlimited
	uses := s.first[len(p.Items)]
	s.users, s.weights = make([]int32, uses), make([]uint64, uses)
	at := slices.Clone(s.first)
	for o, option := range p.Options {
		for _, u := range option {
			k := at[u.Item]
			at[u.Item]++
			s.users[k], s.weights[k] = int32(len(p.Items)+o), u.weight()
			s.sums[u.Item] += s.weights[k]
			s.sums[len(p.Items)+o] += s.weights[k]
		}
		if err := s.looks.Work(len(option)); err != nil {
			return nil, err
		}
	}
	for i, it := range p.Items {
		s.sums[i] = scramble(s.sums[i] + scramble(uint64(it.Min)<<32+uint64(it.Max)))
	}
	for v := range s.vertices {
		s.vertices[v] = int32(v)
	}
	s.begin(0, len(p.Items))
	s.begin(len(p.Items), n)
	clear(s.sums)
	s.refine()
	s.splits = nil // undo must keep these splits
	return s, s.err
}

// begin makes the first cells of the vertices from..to-1. Vertices with equal sums share a cell.
func (s *partition) begin(from, to int) {
	side := s.vertices[from:to]
	slices.SortFunc(side, s.bySum)
	for k, v := range side {
		s.place[v] = int32(from + k)
		if k == 0 || s.sums[v] != s.sums[side[k-1]] {
			s.cell[v] = s.place[v]
			s.enqueue(s.cell[v])
			s.record(uint64(from+k), s.sums[v])
		} else {
			s.cell[v] = s.cell[side[k-1]]
		}
		s.size[s.cell[v]]++
	}
}

func (s *partition) bySum(a, b int32) int { return cmp.Compare(s.sums[a], s.sums[b]) }

func (s *partition) enqueue(cell int32) {
	s.queued[cell] = true
	s.queue = append(s.queue, cell)
}

// record adds a hash to s.trace, or compares it with the next hash in s.follow if this is not nil.
func (s *partition) record(a, b uint64) bool {
	event := scramble(scramble(a) + b)
	if s.follow == nil {
		s.trace = append(s.trace, event)
		return true
	}
	s.followed++
	return s.followed <= len(s.follow) && s.follow[s.followed-1] == event
}

// refine splits cells until no cell splits another. It returns false if it ended early.
func (s *partition) refine() bool {
	same := true
	for k := 0; k < len(s.queue) && same; k++ {
		w := s.queue[k]
		s.queued[w] = false
		same = s.record(uint64(w), uint64(s.size[w])) && s.splitBy(w)
	}
	for _, w := range s.queue {
		s.queued[w] = false
	}
	s.queue = s.queue[:0]
	return same
}

func (s *partition) splitBy(w int32) bool {
	items := len(s.problem.Items)
	uses := 0
	for _, v := range s.vertices[w : w+s.size[w]] {
		if int(v) < items {
			for k := s.first[v]; k < s.first[v+1]; k++ {
				s.touch(s.users[k], s.weights[k])
			}
			uses += int(s.first[v+1] - s.first[v])
			continue
		}
		for _, u := range s.problem.Options[int(v)-items] {
			s.touch(int32(u.Item), u.weight())
		}
		uses += len(s.problem.Options[int(v)-items])
	}
	s.spend(uses)
	for _, v := range s.touched { // move v to the end of its cell
		c := s.cell[v]
		if s.hit[c]++; s.hit[c] == 1 {
			s.cells = append(s.cells, c)
		}
		s.swap(s.place[v], c+s.size[c]-s.hit[c])
	}
	slices.Sort(s.cells)
	same := s.err == nil
	for _, c := range s.cells {
		same = same && s.split(c)
		s.hit[c] = 0
	}
	for _, v := range s.touched {
		s.sums[v] = 0
	}
	s.touched, s.cells = s.touched[:0], s.cells[:0]
	return same
}

func (s *partition) touch(v int32, weight uint64) {
	if s.sums[v] == 0 {
		s.touched = append(s.touched, v)
	}
	s.sums[v] += weight
}

func (s *partition) swap(a, b int32) {
	v, w := s.vertices[a], s.vertices[b]
	s.vertices[a], s.vertices[b] = w, v
	s.place[v], s.place[w] = b, a
}

// split divides cell c into cells of equal sums. The vertices with sums over 0 are at its end.
func (s *partition) split(c int32) bool {
	end := c + s.size[c]
	start := end - s.hit[c]
	touched := s.vertices[start:end]
	if !slices.IsSortedFunc(touched, s.bySum) {
		slices.SortFunc(touched, s.bySum)
		for k, v := range touched {
			s.place[v] = start + int32(k)
		}
	}
	largest := c
	before := len(s.splits)
	for from := start; from < end; {
		sum := s.sums[s.vertices[from]]
		to := from + 1
		for to < end && s.sums[s.vertices[to]] == sum {
			to++
		}
		if !s.record(uint64(from)<<32+uint64(to), sum) {
			return false
		}
		if from > c {
			s.splitOff(c, from, to)
		}
		from = to
	}
	made := s.splits[before:]
	for _, m := range made {
		if s.size[m[0]] > s.size[largest] {
			largest = m[0]
		}
	}
	if s.queued[c] {
		largest = c
	}
	if largest != c && len(made) > 0 {
		s.enqueue(c)
	}
	for _, m := range made {
		if m[0] != largest {
			s.enqueue(m[0])
		}
	}
	return true
}

// splitOff moves the vertices at the places from..to-1 of cell c into a new cell.
func (s *partition) splitOff(c, from, to int32) {
	for _, v := range s.vertices[from:to] {
		s.cell[v] = from
	}
	s.size[from] = to - from
	s.size[c] -= to - from
	s.splits = append(s.splits, [2]int32{from, c})
}

func (s *partition) single(v int32) bool {
	c := s.cell[v]
	last := c + s.size[c] - 1
	s.swap(s.place[v], last)
	s.splitOff(c, last, last+1)
	s.enqueue(last)
	return s.refine()
}

// undo unites cells until the given number of splits remains.
func (s *partition) undo(splits int) {
	for len(s.splits) > splits {
		last := len(s.splits) - 1
		cell, from := s.splits[last][0], s.splits[last][1]
		for _, v := range s.vertices[cell : cell+s.size[cell]] {
			s.cell[v] = from
		}
		s.size[from] += s.size[cell]
		s.splits = s.splits[:last]
	}
}

func (s *partition) spend(uses int) {
	s.effort -= uses
	if s.err = cmp.Or(s.err, s.looks.Work(uses)); s.err == nil && s.effort < 0 {
		s.err = errEffort
	}
}
