package shuffle

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
)

// typed returns a board whose cells are the marks # of lines, with all edges.
func typed(lines ...string) *Board {
	cols := 0
	for _, l := range lines {
		cols = max(cols, len(l))
	}
	b := newBoard(len(lines), cols)
	for r, l := range lines {
		for c := range l {
			b.In[r*cols+c] = l[c] == '#'
		}
	}
	b.join(func(_, _ int, _ bool) bool { return true })
	return b
}

// join gives numbers to the edges between neighbours for which ok is true.
func (b *Board) join(ok func(r, c int, down bool) bool) {
	number := int32(0)
	for at, in := range b.In {
		r, c := at/b.Cols, at%b.Cols
		if in && c+1 < b.Cols && b.In[at+1] && ok(r, c, false) {
			b.Right[at] = number
			number++
		}
		if in && r+1 < b.Rows && b.In[at+b.Cols] && ok(r, c, true) {
			b.Down[at] = number
			number++
		}
	}
}

func rectangle(rows, cols int) *Board {
	b := newBoard(rows, cols)
	for at := range b.In {
		b.In[at] = true
	}
	b.join(func(_, _ int, _ bool) bool { return true })
	return b
}

func aztec(n int) *Board {
	b := newBoard(2*n, 2*n)
	for at := range b.In {
		r, c := 2*(at/b.Cols)+1-2*n, 2*(at%b.Cols)+1-2*n
		b.In[at] = max(r, -r)+max(c, -c) <= 2*n
	}
	b.join(func(_, _ int, _ bool) bool { return true })
	return b
}

// hexagon returns the triangles of a hexagon with sides x, y, z, as bricks.
func hexagon(x, y, z int) *Board {
	left := func(t int) int { return max(-t, t-2*y) }
	right := func(t int) int { return min(2*x+t, 2*x+2*z-t) }
	b := newBoard(y+z, 2*x+y+z+1)
	for at := range b.In {
		t, m := at/b.Cols, at%b.Cols-y
		if (t+m)&1 == 0 {
			t++
		}
		b.In[at] = m-1 >= left(t) && m+1 <= right(t)
	}
	b.join(func(r, c int, down bool) bool { return !down || (r+c-y)&1 == 0 })
	return b
}

func (b *Board) ends() map[int32][2]int {
	ends := map[int32][2]int{}
	for at := range b.In {
		if e := b.Right[at]; e >= 0 {
			ends[e] = [2]int{at, at + 1}
		}
		if e := b.Down[at]; e >= 0 {
			ends[e] = [2]int{at, at + b.Cols}
		}
	}
	return ends
}

// matchings lists all perfect matchings, each as its ascending edges, with their weights.
func (b *Board) matchings() map[string]*big.Rat {
	all := map[string]*big.Rat{}
	done := make([]bool, len(b.In))
	var list func(at int, edges []int32, weight *big.Rat)
	list = func(at int, edges []int32, weight *big.Rat) {
		for at < len(done) && (done[at] || !b.In[at]) {
			at++
		}
		if at == len(done) {
			all[name(edges)] = weight
			return
		}
		for _, to := range [2]struct {
			e  int32
			at int
		}{{b.Right[at], at + 1}, {b.Down[at], at + b.Cols}} {
			if to.e == None || done[to.at] {
				continue
			}
			w, next := weight, edges
			if to.e >= 0 {
				next = append(slices.Clip(edges), to.e)
				if b.Weights != nil {
					w = new(big.Rat).Mul(w, new(big.Rat).SetInt(b.Weights[to.e]))
				}
			}
			done[at], done[to.at] = true, true
			list(at+1, next, w)
			done[at], done[to.at] = false, false
		}
	}
	list(0, nil, big.NewRat(1, 1))
	return all
}

func name(edges []int32) string {
	sorted := slices.Clone(edges)
	slices.Sort(sorted)
	return fmt.Sprint(sorted)
}

func key(n uint64) (k [32]byte) {
	binary.LittleEndian.PutUint64(k[:], n)
	return k
}

var small = map[string]*Board{
	"2x1": rectangle(2, 1), "2x2": rectangle(2, 2), "2x3": rectangle(2, 3), "3x4": rectangle(3, 4),
	"4x4": rectangle(4, 4), "4x5": rectangle(4, 5), "2x7": rectangle(2, 7),
	"Aztec 1": aztec(1), "Aztec 2": aztec(2), "Aztec 3": aztec(3),
	"hexagon 1,1,1": hexagon(1, 1, 1), "hexagon 2,2,2": hexagon(2, 2, 2), "hexagon 1,2,3": hexagon(1, 2, 3), "hexagon 3,2,1": hexagon(3, 2, 1),
	"L":       typed("##", "##", "##", "####", "####"),
	"notch":   typed("######", "######", "##..##", "##..##"),
	"corners": typed(".####.", "######", "######", ".####."),
	"T":       typed("######", "######", "..##", "..##"),
	"S":       typed("####", "####", "..####", "..####"),
	"stairs":  typed("##", "####", "######", "..####", "....##"),
	"teeth":   typed("######", "######", ".#####", "######", "#####."),
	"ring":    typed("######", "######", "##..##", "######", "######"),
	"bay":     typed("##.###", "#...##", "##.###", "##.###", "##.###", "######"),
	"hole":    typed("######", "######", "##..##", "##..##", "######", "######"),
	"plus":    typed(".##.", "####", "####", ".##."),
}
