package dimer

// While a Coupling is made, it uses makingBytes for each edge (see TestCouplingBytes). Then it uses
// heldBytes for each edge.
const (
	makingBytes = 850
	heldBytes   = 200
)

// CouplingBytes returns a bound on the memory of a Coupling of the graph while it is made.
func (g *Graph) CouplingBytes() int64 { return makingBytes * int64(len(g.Edges)) }

// Bytes returns an estimate of the memory of c, in bytes.
func (c *Coupling) Bytes() int64 { return heldBytes * int64(len(c.whole.Edges)) }

// Sweeps estimates the number of sweeps of a draw on a graph of this breadth. Draws needed 64 for
// 8x8 cells, 2048 for 32x32, 16384 for 100x100, and 65536 for the Aztec diamond of order 100.
func Sweeps(breadth int) int64 { return 2 * int64(breadth) * int64(breadth) }

// CouplingSeconds estimates the processor time of a draw, in seconds, if no hole is cut open.
func (g *Graph) CouplingSeconds() float64 {
	const (
		wordSeconds = 20e-9 // seconds to update 64 faces in both chains, on an idle machine
		full        = 40    // mean number of faces that share a word
		runs        = 2     // sweeps of all runs, divided by the sweeps of the last run
	)
	faces := max(0, len(g.Edges)-g.Vertices) // by Euler's formula
	return runs * float64(Sweeps(g.Breadth())) * wordSeconds * float64(faces) / full
}

// Cuts reports whether holes must be cut open before each draw.
func (c *Coupling) Cuts() bool { return len(c.cut) > 0 }

// Breadth estimates the number of cells in the frontier of a sweep. It returns the largest number
// of cells at the same distance from a cell at the end of a part. Calls must not be concurrent.
func (g *Graph) Breadth() int {
	if g.breadth > 0 {
		return g.breadth
	}
	b := newBreadth(g)
	most := 0
	for v := range int32(g.Vertices) {
		if !b.seen[v] {
			g.parts++
			_, far := b.levels(v)
			wide, _ := b.levels(far)
			most = max(most, wide)
		}
	}
	g.breadth = most
	return most
}

// Connected reports whether the graph has one part. It calls Breadth, and must not run concurrently
// with another call of either method.
func (g *Graph) Connected() bool {
	g.Breadth()
	return g.parts == 1
}

type breadth struct {
	rows  []int32 // index of the first neighbour of each vertex in the list next
	next  []int32 // the neighbours of all vertices, one vertex after another
	seen  []bool
	level []int32 // number of the last search that met each vertex
	queue []int32
	turn  int32
}

func newBreadth(g *Graph) *breadth {
	b := &breadth{
		rows: make([]int32, g.Vertices+2), next: make([]int32, 2*len(g.Edges)),
		seen: make([]bool, g.Vertices), level: make([]int32, g.Vertices), queue: make([]int32, 0, g.Vertices),
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
