package dimer

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// board is a graph of the cells of a drawn board, with an embedding from the drawing.
type board struct {
	*Bipartite
	next []int32 // darts around their tails
	rows []string
}

// draw makes the graph of dominoes on the '#' of a drawing. Its options are the edges.
func draw(rows ...string) *board {
	b := &board{Bipartite: &Bipartite{}, rows: rows}
	number := map[[2]int]int32{}
	cells := [2]int32{}
	for r, row := range rows {
		for c := range len(row) {
			if row[c] == '#' {
				side := (r + c) % 2
				number[[2]int{r, c}] = cells[side]
				cells[side]++
			}
		}
	}
	b.Black, b.White = int(cells[0]), int(cells[1])
	b.connect(number)
	return b
}

var east = [4][2]int{{0, 1}, {-1, 0}, {0, -1}, {1, 0}} // and counterclockwise from there

func (b *board) connect(number map[[2]int]int32) {
	type dart struct{ black, white int32 }
	var around [][]dart // of each cell
	for r, row := range b.rows {
		for c := range len(row) {
			var darts []dart
			for _, to := range east {
				there := [2]int{r + to[0], c + to[1]}
				m, here := number[[2]int{r, c}]
				n, beside := number[there]
				switch {
				case !here || !beside:
				case (r+c)%2 == 0:
					darts = append(darts, dart{m, n})
				default:
					darts = append(darts, dart{n, m})
				}
			}
			around = append(around, darts)
			if (r+c)%2 == 0 {
				for _, d := range darts {
					b.Edges = append(b.Edges, Link{Black: d.black, White: d.white})
				}
			}
		}
	}
	slices.SortFunc(b.Edges, func(x, y Link) int {
		return slices.Compare([]int32{x.Black, x.White}, []int32{y.Black, y.White})
	})
	of := map[dart]int32{}
	for e := range b.Edges {
		b.Edges[e].Options = []int{e}
		of[dart{b.Edges[e].Black, b.Edges[e].White}] = int32(e)
	}
	b.next = make([]int32, 2*len(b.Edges))
	at := 0
	for r, row := range b.rows {
		for c := range len(row) {
			side := int32((r + c) % 2)
			for i, d := range around[at] {
				b.next[2*of[d]+side] = 2*of[around[at][(i+1)%len(around[at])]] + side
			}
			at++
		}
	}
}

func rectangle(h, w int) []string {
	return slices.Repeat([]string{strings.Repeat("#", w)}, h)
}

func diamond(n int) (rows []string) {
	for r := range 2 * n {
		half := min(r, 2*n-1-r) + 1
		rows = append(rows, strings.Repeat(".", n-half)+strings.Repeat("#", 2*half)+strings.Repeat(".", n-half))
	}
	return rows
}

// holey is a rectangle with holes, each given by its first and last row and column.
func holey(h, w int, holes ...[4]int) []string {
	rows := rectangle(h, w)
	for _, o := range holes {
		for r := o[0]; r <= o[1]; r++ {
			rows[r] = rows[r][:o[2]] + strings.Repeat(".", o[3]-o[2]+1) + rows[r][o[3]+1:]
		}
	}
	return rows
}

// polyominoes yields the drawings of all connected boards of at most this many cells, each once,
// and also the turned and mirrored drawings of a board.
func polyominoes(most int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		now := map[string]bool{"#": true}
		for range most {
			then := map[string]bool{}
			for _, board := range slices.Sorted(maps.Keys(now)) {
				rows := strings.Split(board, "\n")
				if !yield(rows) {
					return
				}
				for _, larger := range grown(rows) {
					then[strings.Join(larger, "\n")] = true
				}
			}
			now = then
		}
	}
}

// grown returns the boards with one cell more.
func grown(rows []string) (larger [][]string) {
	w := len(rows[0])
	padded := []string{strings.Repeat(".", w+2)}
	for _, row := range rows {
		padded = append(padded, "."+row+".")
	}
	padded = append(padded, padded[0])
	for r, row := range padded {
		for c := range row {
			if row[c] == '.' && slices.ContainsFunc(east[:], func(to [2]int) bool { return at(padded, r+to[0], c+to[1]) == '#' }) {
				more := slices.Clone(padded)
				more[r] = row[:c] + "#" + row[c+1:]
				larger = append(larger, trimmed(more))
			}
		}
	}
	return larger
}

// at returns a cell of a drawing, or ' ' outside of the drawing.
func at(rows []string, r, c int) byte {
	if r < 0 || r >= len(rows) || c < 0 || c >= len(rows[r]) {
		return ' '
	}
	return rows[r][c]
}

// trimmed leaves out empty rows and columns at the rim.
func trimmed(rows []string) []string {
	for !strings.Contains(rows[0], "#") {
		rows = rows[1:]
	}
	for !strings.Contains(rows[len(rows)-1], "#") {
		rows = rows[:len(rows)-1]
	}
	first, last := len(rows[0]), 0
	for _, row := range rows {
		if strings.Contains(row, "#") {
			first, last = min(first, strings.Index(row, "#")), max(last, strings.LastIndex(row, "#"))
		}
	}
	rows = slices.Clone(rows)
	for r := range rows {
		rows[r] = rows[r][first : last+1]
	}
	return rows
}

// simplyConnected reports whether all places that are no cells are connected to the outside.
func simplyConnected(rows []string) bool {
	w := len(rows[0])
	board := []byte(strings.Repeat(".", w+2))
	for _, row := range rows {
		board = append(board, "."+row+"."...)
	}
	board = append(board, strings.Repeat(".", w+2)...)
	queue := []int{0}
	board[0] = ' '
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, to := range []int{at - 1, at + 1, at - w - 2, at + w + 2} {
			if to >= 0 && to < len(board) && board[to] == '.' {
				board[to] = ' '
				queue = append(queue, to)
			}
		}
	}
	return !slices.Contains(board, '.')
}
