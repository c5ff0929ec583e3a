package dimer

import (
	"context"
	"math/bits"
)

// lanes has the faces of a plane as bits of words, and a program that updates 64 faces at once.
//
// Only the lowest bit of a height is kept: across an edge heights differ by -m or 1-m, so these
// bits determine the matching, which determines all heights. Let p be the bit of a face. The height
// of the face across an edge allows two heights of this face. Let z be p for the higher of the two.
//
//	all z are equal     the face can be rotated: it has two heights to choose from,
//	                    the high one has p = z, the low one p = not z
//	otherwise           the face cannot be rotated
//
// z is the bit of the face across the edge, or the opposite: this depends on the first matching and
// on the side of the edge. So with one random bit r, which is 1 for the high height:
//
//	p = all z ? r : no z ? not r : p
//
// The same operations update all 64 faces of a word at once, if no two of them are neighbours. The
// bits of the neighbours are fetched from their words with rotations and masks:
//
//	word 5    z of the first edges  =  (word 4 turned by 1 & 0x7fff…)  xor (word 9 turned by 8 & 0x8000…)  xor flip
//	          …                        ╰────────── a fetch ─────────╯
//
// In a good order of the faces of a regular board, one fetch gets nearly all 64 bits (strips.go).
type lanes struct {
	place []int32 // for each face, 64 times the index of its word plus its bit; none for a root
	words []word
	slots []slot
	turns []fetch
}

// word has the index at which the slots of a word end. The slots of the next word begin there.
type word struct{ slots int32 }

// slot computes z of one edge of each of 64 faces. A bit without a face has z = 1 in one slot and z
// = 0 in the other slots, so that it does not change.
type slot struct {
	flip    uint64
	fetches int32 // the index in turns at which the fetches of the slot end
}

type fetch struct {
	mask uint64
	word int32
	turn int32 // rotation to the left, in bits
}

const lanesPerWord = 64

func newLanes(ctx context.Context, p *plane) (*lanes, error) {
	s := newStrips(p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	colours := colour(p, s.order)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &lanes{place: make([]int32, p.faces())}
	for f := range l.place {
		l.place[f] = none
	}
	held := l.layOut(s, colours)
	for w := range held {
		l.compile(s, held[w])
	}
	return l, ctx.Err()
}

// layOut gives each face a lane: a bit of a word. A strip that does not fit begins a new word.
func (l *lanes) layOut(s *strips, colours []int32) (held [][]int32) {
	last := map[[2]int32]int{} // the last word for each colour and number of edges of a face
	for k := range s.starts {
		end := len(s.order)
		if k+1 < len(s.starts) {
			end = int(s.starts[k+1])
		}
		strip := s.order[s.starts[k]:end]
		wanted := map[int32]int{}
		for _, f := range strip {
			wanted[colours[f]]++
		}
		for _, f := range strip {
			kind := [2]int32{colours[f], s.long(f)}
			w, known := last[kind]
			if !known || len(held[w])+max(1, wanted[colours[f]]) > lanesPerWord {
				w = len(held)
				held = append(held, nil)
				last[kind] = w
			}
			wanted[colours[f]] = 0
			l.place[f] = int32(lanesPerWord*w + len(held[w]))
			held[w] = append(held[w], f)
		}
	}
	return held
}

func (l *lanes) compile(s *strips, faces []int32) {
	for k := range s.long(faces[0]) {
		begin, flip := len(l.turns), uint64(0)
		for lane, f := range faces {
			d := s.around(f)[(s.ahead[f]+k)%s.long(f)]
			// flip has the value of z for the case that the bit of the face across the edge is 0.
			if s.step(d^1) == 1 {
				flip |= 1 << lane
			}
			if at := l.place[s.of[d^1]]; at != none {
				l.fetch(begin, at/lanesPerWord, int32(lane)-at%lanesPerWord, 1<<lane)
			}
		}
		if len(l.turns) == begin { // a slot has at least one fetch; this fetch has the mask 0
			l.turns = append(l.turns, fetch{})
		}
		if unused := ^uint64(0) << (len(faces) - 1) << 1; k == 1 {
			flip |= unused
		}
		l.slots = append(l.slots, slot{flip, int32(len(l.turns))})
	}
	l.words = append(l.words, word{int32(len(l.slots))})
}

func (l *lanes) fetch(begin int, from, turn int32, bit uint64) {
	turn &= lanesPerWord - 1
	for i := begin; i < len(l.turns); i++ {
		if f := &l.turns[i]; f.word == from && f.turn == turn {
			f.mask |= bit
			return
		}
	}
	l.turns = append(l.turns, fetch{bit, from, turn})
}

// colour gives neighbouring faces different colours. It always goes on with a face whose neighbours
// have the most colours (Brélaz 1979). So squares get two colours and hexagons three, in regular
// patterns.
func colour(p *plane, order []int32) []int32 {
	c := colouring{plane: p, colours: make([]int32, p.faces()), near: make([]uint64, p.faces())}
	for f := range c.colours {
		c.colours[f] = none
	}
	for _, f := range order {
		c.paint(f)
		for busy := true; busy; {
			busy = false
			for k := len(c.waiting) - 1; k > 0 && !busy; k-- {
				if n := len(c.waiting[k]); n > 0 {
					f := c.waiting[k][0]
					c.waiting[k] = c.waiting[k][1:]
					c.paint(f)
					busy = true
				}
			}
		}
	}
	return c.colours
}

type colouring struct {
	*plane
	colours []int32
	near    []uint64    // colours of the neighbours of each face; bit 63 stands for colours from 63 on
	waiting [65][]int32 // waiting[n] has faces that had neighbours of n colours when they were appended
}

func (c *colouring) paint(f int32) {
	if c.colours[f] != none {
		return
	}
	colour := int32(bits.TrailingZeros64(^c.near[f] | 1<<63))
	for busy := colour == 63; busy; {
		busy = false
		for _, d := range c.around(f) {
			if g := c.of[d^1]; !c.root[g] && c.colours[g] == colour {
				colour++
				busy = true
			}
		}
	}
	c.colours[f] = colour
	for _, d := range c.around(f) {
		g := c.of[d^1]
		if bit := uint64(1) << min(colour, 63); !c.root[g] && c.colours[g] == none && c.near[g]&bit == 0 {
			c.near[g] |= bit
			n := bits.OnesCount64(c.near[g])
			c.waiting[n] = append(c.waiting[n], g)
		}
	}
}
