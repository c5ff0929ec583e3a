package dimer

// What a Coupling takes for an edge, in bytes, while it is made (100x100 cells: measured by
// TestCouplingBytes) and then.
const (
	makingBytes = 850
	heldBytes   = 200
)

// couplingBytes is what a Coupling of the graph takes at most while it is made.
func (g *Graph) couplingBytes() int64 { return makingBytes * int64(len(g.Edges)) }

// Bytes is about the memory that c holds.
func (c *Coupling) Bytes() int64 { return heldBytes * int64(len(c.whole.Edges)) }

// Sweeps is about how many sweeps a draw takes on a graph of this breadth. Measured: 64 for 8x8 cells, 2048
// for 32x32, 16384 for 100x100; 2048 for the Aztec diamond of order 20, whose breadth is 40, and 65536 for that of
// order 100.
func Sweeps(breadth int) int64 { return 2 * int64(breadth) * int64(breadth) }

// Forecast is about how many seconds a draw takes on one core, the chains alone. known is false where faces
// are to be cut open before, which may take much longer.
func (c *Coupling) Forecast() (seconds float64, known bool) {
	const (
		wordSeconds = 20e-9 // both chains of 64 faces, on a machine without other work
		full        = 40    // faces in a word
		runs        = 2     // as many sweeps as the last run takes are in those before it
	)
	sweeps := float64(runs * Sweeps(c.whole.graph().Breadth()))
	return sweeps * wordSeconds * float64(c.faces()) / full, len(c.cut) == 0
}

// Breadth tells about how many cells a sweep has to remember at once: how many cells of a part are at
// most equally far from one at its end. Of m x n cells it is the lesser of m and n.
func (g *Graph) Breadth() int {
	b := newBreadth(g)
	most := 0
	for v := range int32(g.Vertices) {
		if !b.seen[v] {
			_, far := b.levels(v)
			wide, _ := b.levels(far)
			most = max(most, wide)
		}
	}
	return most
}

// breadth is a search through a graph.
type breadth struct {
	rows  []int32 // where the neighbours of each vertex begin
	next  []int32 // the neighbours
	seen  []bool
	level []int32 // the search in which a vertex was met last
	queue []int32
	turn  int32
}

func newBreadth(g *Graph) *breadth {
	b := &breadth{
		rows: make([]int32, g.Vertices+2), next: make([]int32, 2*len(g.Edges)),
		seen: make([]bool, g.Vertices), level: make([]int32, g.Vertices),
	}
	for i := range g.Edges {
		for _, v := range g.Edges[i].Ends {
			b.rows[v+2]++
		}
	}
	for v := range g.Vertices {
		b.rows[v+2] += b.rows[v+1]
	}
	for i := range g.Edges {
		for k, v := range g.Edges[i].Ends {
			b.next[b.rows[v+1]] = g.Edges[i].Ends[1-k]
			b.rows[v+1]++
		}
	}
	return b
}

// levels searches in breadth from a vertex. It returns the size of the largest level and the
// vertex that it meets last.
func (b *breadth) levels(from int32) (largest int, last int32) {
	b.turn++
	b.level[from], b.seen[from] = b.turn, true
	b.queue = append(b.queue[:0], from)
	for begin := 0; begin < len(b.queue); {
		end := len(b.queue)
		largest = max(largest, end-begin)
		for ; begin < end; begin++ {
			v := b.queue[begin]
			for _, to := range b.next[b.rows[v]:b.rows[v+1]] {
				if b.level[to] != b.turn {
					b.level[to], b.seen[to] = b.turn, true
					b.queue = append(b.queue, to)
				}
			}
		}
	}
	return largest, b.queue[len(b.queue)-1]
}
