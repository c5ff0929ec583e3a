package api

import "sync"

// cache keeps the values that were used last: those of a generation, which has a number of
// bytes at most, and of the generation before it. It is safe for many goroutines.
type cache[V any] struct {
	mu         sync.Mutex
	most       int64 // bytes of a generation
	held       int64 // bytes of young, at most most
	young, old map[string]entry[V]
}

// entry is a value of a cache. Its size counts the key and the space for both too.
type entry[V any] struct {
	value V
	size  int64
}

// entrySpace is about the memory of an entry without its key and the bytes of its
// value.
const entrySpace = 256

// newCache makes a cache that keeps up to this number of bytes.
func newCache[V any](most int64) *cache[V] {
	return &cache[V]{most: most / 2, young: map[string]entry[V]{}}
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.young[key]
	if !ok {
		if e, ok = c.old[key]; ok {
			c.keep(key, e)
		}
	}
	return e.value, ok
}

// put keeps a value of this size in bytes. It does not keep a value that takes more
// than a quarter of a generation, which would push out too many others.
func (c *cache[V]) put(key string, value V, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := (entry[V]{value, bytes + int64(len(key)) + entrySpace}); e.size <= c.most/4 {
		c.keep(key, e)
	}
}

func (c *cache[V]) keep(key string, e entry[V]) {
	if c.held += e.size; c.held > c.most {
		c.old, c.young, c.held = c.young, map[string]entry[V]{}, e.size
	}
	c.young[key] = e
}
