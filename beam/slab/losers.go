package slab

import "github.com/pavage/pavage/internal/key"

// losers is a tree in which the next keys of several sources play against each other. The smaller wins and
// plays on, the larger stays at the node. When the smallest of all has been taken, the next of its source
// plays against those that have lost to it, which lie on its way up, and no others:
//
//	           3 wins                        5 wins
//	node 1       5                             7          7, which comes in place of 3, beats 8
//	node 2, 3  6    8                        6    8       and loses to 5
//	source    5 6  3 8                      5 6  7 8
//
// So 64 sources cost 6 comparisons a key: 11 ns of the 39 that a merged state takes. A source without more
// states has the key of all ones, which no state has.
type losers[K key.Key] struct {
	nodes []player[K] // from 1; node i is above nodes 2i and 2i+1; source s would be node len+s
	best  player[K]
}

// player is a source with its next key.
type player[K key.Key] struct {
	key    K
	source uint64
}

// none is above all keys of states, whose highest bit is 0.
func none[K key.Key]() (k K) {
	for i := range len(k) {
		k[i] = ^uint64(0)
	}
	return k
}

// start has the sources play for the first time. first is the first key of each.
func (t *losers[K]) start(first []K) {
	n := len(first)
	t.nodes = make([]player[K], max(1, n))
	winners := make([]player[K], 2*n)
	for s, k := range first {
		winners[n+s] = player[K]{k, uint64(s)}
	}
	for at := n - 1; at > 0; at-- {
		a, b := winners[2*at], winners[2*at+1]
		if key.Less(b.key, a.key) {
			a, b = b, a
		}
		winners[at], t.nodes[at] = a, b
	}
	t.best = player[K]{key: none[K]()}
	if n > 0 {
		t.best = winners[1]
	}
}

// put puts k in the place of the key that has won, and plays again on its way up. There is no branch on
// keys, which cannot be foretold.
func (t *losers[K]) put(k K) {
	p := player[K]{k, t.best.source}
	for at := (uint64(len(t.nodes)) + p.source) >> 1; at > 0; at >>= 1 {
		p = t.nodes[at].play(p)
	}
	t.best = p
}

// play has p play against the loser of a node, and returns the winner.
func (l *player[K]) play(p player[K]) player[K] {
	swap := -uint64(key.Borrow(l.key, p.key))
	for i := 0; i < len(p.key); i++ {
		d := (l.key[i] ^ p.key[i]) & swap
		l.key[i] ^= d
		p.key[i] ^= d
	}
	d := (l.source ^ p.source) & swap
	l.source ^= d
	p.source ^= d
	return p
}
