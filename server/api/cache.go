package api

import "sync"

// cache keeps values, up to a number of bytes. When there is no room for one more, it forgets all of
// them: those in use soon come back. It is safe for many goroutines.
type cache[V any] struct {
	mu     sync.Mutex
	most   int64 // bytes
	held   int64 // bytes of the values, and of their keys and the space for both
	values map[string]V
}

// entrySpace is about the memory of an entry without its key and the bytes of its
// value.
const entrySpace = 256

// newCache makes a cache that keeps up to this number of bytes.
func newCache[V any](most int64) *cache[V] {
	return &cache[V]{most: most, values: map[string]V{}}
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok = c.values[key]
	return value, ok
}

// put keeps a value of this size in bytes. It does not keep a value that takes more
// than an eighth of the room.
func (c *cache[V]) put(key string, value V, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := bytes + int64(len(key)) + entrySpace
	if size > c.most/8 {
		return
	}
	if c.held += size; c.held > c.most {
		clear(c.values)
		c.held = size
	}
	c.values[key] = value
}
