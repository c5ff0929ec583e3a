package sweep

import "github.com/pavage/pavage/internal/engine/key"

type census[K key.Key] struct {
	bytes int64
	slabs map[*uint16]bool
	heads map[*K]bool
}

func newCensus[K key.Key]() *census[K] {
	return &census[K]{slabs: map[*uint16]bool{}, heads: map[*K]bool{}}
}

func (c *census[K]) add(l *Level[K]) {
	for _, slab := range l.counts {
		c.bytes += int64(cap(slab)) * wordBytes
	}
	if cap(l.blocks.heads) > 0 && !c.heads[&l.blocks.heads[:1][0]] {
		c.heads[&l.blocks.heads[:1][0]] = true
		c.bytes += l.blocks.bytes()
	}
	for _, slab := range l.lows {
		if cap(slab) > 0 && !c.slabs[&slab[:1][0]] {
			c.slabs[&slab[:1][0]] = true
			c.bytes += StateBytes(cap(slab), 0)
		}
	}
}

func (c *census[K]) forget(l *Level[K]) {
	for _, slab := range l.lows {
		if cap(slab) > 0 && c.slabs[&slab[:1][0]] {
			delete(c.slabs, &slab[:1][0])
			c.bytes -= StateBytes(cap(slab), 0)
		}
	}
	if cap(l.blocks.heads) > 0 && c.heads[&l.blocks.heads[:1][0]] {
		delete(c.heads, &l.blocks.heads[:1][0])
		c.bytes -= l.blocks.bytes()
	}
}
