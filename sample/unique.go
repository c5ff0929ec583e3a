package sample

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/limb"
)

// ranks is a stream of ranks. A call sets r to the next rank; r is as wide as the largest rank.
type ranks func(r []uint64)

// shuffle is a stream of ranks without replacement: the first steps of a Fisher-Yates shuffle. Step
// i swaps the rank at place i with the rank at a random place k ≥ i, and never reads place i again:
//
//	place   0 1 2 3 4 5           step 0, k = 4:  4│1 2 3 0 5
//	rank    0 1 2 3 4 5           step 1, k = 4:  4 0│2 3 1 5
//
// All n(n-1)…(n-s+1) outcomes of s steps are equally likely, and no two of them give the same
// sequence of s ranks. After s steps, the map moved has at most s places.
type shuffle[K comparable] struct {
	src        rand.Source
	step, left []uint64 // number of steps so far, and number of ranks not yet drawn
	one        []uint64
	moved      map[K]K // maps places to ranks; a missing place has its own number as rank
	key        func(limbs []uint64) K
	limbs      func(r []uint64, k K) // sets r to the limbs whose key is k
}

// Bytes of an entry of the map moved: 38 were measured with keys of type uint64, 119 with strings.
const (
	wordPlace = 48
	widePlace = 128 // without the limbs of the place and of its rank
)

// newShuffle returns a shuffle of total ranks, of which n will be drawn. If n draws need more than
// the given number of bytes, the error wraps cover.ErrMemory; 0 means no limit.
func newShuffle(src rand.Source, total *big.Int, width int, n uint64, bytes int64) (ranks, error) {
	each := uint64(wordPlace)
	if width > 1 {
		each = widePlace + 16*uint64(width)
	}
	if bytes > 0 && n > uint64(bytes)/each {
		return nil, fmt.Errorf("%w: each of %d draws without replacement needs %d bytes of memory, but only %d bytes are left for all draws together", cover.ErrMemory, n, each, bytes)
	}
	if width == 1 {
		return shuffleBy(src, total, width, func(limbs []uint64) uint64 { return limbs[0] }, func(r []uint64, k uint64) { r[0] = k }).next, nil
	}
	return shuffleBy(src, total, width, wideKey, wideLimbs).next, nil
}

func shuffleBy[K comparable](src rand.Source, total *big.Int, width int, key func([]uint64) K, limbs func([]uint64, K)) *shuffle[K] {
	s := &shuffle[K]{src: src, step: make([]uint64, width), left: limb.Of(total, width), one: make([]uint64, width), moved: map[K]K{}, key: key, limbs: limbs}
	s.one[0] = 1
	return s
}

func (s *shuffle[K]) next(r []uint64) {
	newDie(s.left).roll(r, s.src)
	limb.Add(r, s.step)
	place, here := s.key(r), s.key(s.step)
	drawn := s.at(place)
	if place != here {
		s.moved[place] = s.at(here)
	}
	delete(s.moved, here)
	s.limbs(r, drawn)
	limb.Add(s.step, s.one)
	limb.Take(s.left, s.one)
}

func (s *shuffle[K]) at(place K) K {
	if rank, ok := s.moved[place]; ok {
		return rank
	}
	return place
}

func wideKey(limbs []uint64) string {
	b := make([]byte, 0, 8*len(limbs))
	for _, l := range limbs {
		b = binary.LittleEndian.AppendUint64(b, l)
	}
	return string(b)
}

func wideLimbs(r []uint64, k string) {
	for i := range r {
		r[i] = binary.LittleEndian.Uint64([]byte(k[8*i : 8*i+8]))
	}
}

// ErrRepeats is wrapped when draws without ranks and without replacement find no new solution.
var ErrRepeats = errors.New("no new solution was found")

// mostRepeats is the number of consecutive repeats that ends draws without ranks. If a draw finds a
// new solution with the probability p, then mostRepeats repeats have the probability
// (1-p)^mostRepeats, which is e^-100 for p = 1/1000.
const mostRepeats = 100_000

// unseen yields n different draws: it skips repeated draws. If the map of seen solutions needs more
// than the given bytes, the error wraps cover.ErrMemory. After the given number of consecutive
// repeats, the error wraps ErrRepeats. For bytes and repeats, 0 means no limit.
func unseen(all iter.Seq[made], n uint64, bytes int64, repeats int) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		if n == 0 {
			return
		}
		u := &unique{n: n, bytes: bytes, repeats: repeats, seen: map[string]bool{}}
		for m := range all {
			draws, err := u.others(m.draws)
			err = cmp.Or(err, m.err)
			if u.n == 0 {
				err = nil
			}
			if len(draws) == 0 && err == nil {
				continue
			}
			b := Bundle{len(draws), func(context.Context) ([]Draw, error) { return draws, err }}
			if !yield(b) || err != nil || u.n == 0 {
				return
			}
		}
	}
}

type unique struct {
	n       uint64 // number of draws left
	bytes   int64
	repeats int
	seen    map[string]bool // the options of each draw, as bytes
	held    int64           // bytes of memory of seen
	again   int             // number of consecutive repeats
}

// others returns at most u.n draws that were not seen before, and subtracts their number from u.n.
func (u *unique) others(draws []Draw) (others []Draw, err error) {
	for _, d := range draws {
		b := make([]byte, 0, 4*len(d.Options))
		for _, o := range d.Options {
			b = binary.LittleEndian.AppendUint32(b, uint32(o))
		}
		set := string(b)
		if u.seen[set] {
			if u.again++; u.again == u.repeats {
				return others, fmt.Errorf("%w: the last %d draws repeat earlier tilings; %d different tilings were requested, but only %d tilings were found",
					ErrRepeats, u.repeats, u.n+uint64(len(u.seen)), len(u.seen))
			}
			continue
		}
		if u.held += int64(len(set)) + wordPlace; u.bytes > 0 && u.held > u.bytes {
			return others, fmt.Errorf("%w: %d draws without replacement need more than %d bytes of memory",
				cover.ErrMemory, len(u.seen)+1, u.bytes)
		}
		u.seen[set], u.again = true, 0
		others = append(others, d)
		if u.n--; u.n == 0 {
			return others, nil
		}
	}
	return others, nil
}
