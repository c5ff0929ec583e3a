package api

import (
	"container/list"
	"sync"
)

// cache keeps the values that were used last, up to a number of bytes. It is safe for
// many goroutines.
type cache[V any] struct {
	mu    sync.Mutex
	most  int64 // bytes
	held  int64 // the sum of the sizes of all entries, at most most
	order *list.List
	at    map[string]*list.Element
}

// entry is a value of a cache. Its size counts the key and the space for both too.
type entry[V any] struct {
	key   string
	value V
	size  int64
}

// entrySpace is about the memory of an entry without its key and the bytes of its
// value.
const entrySpace = 256

func newCache[V any](most int64) *cache[V] {
	return &cache[V]{most: most, order: list.New(), at: map[string]*list.Element{}}
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[V]).value, true
}

// put keeps a value of this size in bytes. It does not keep a value that takes more
// than an eighth of the cache, which would push out too many others.
func (c *cache[V]) put(key string, value V, bytes int64) {
	size := bytes + int64(len(key)) + entrySpace
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	if size > c.most/8 {
		return
	}
	c.at[key] = c.order.PushFront(&entry[V]{key, value, size})
	for c.held += size; c.held > c.most; {
		c.drop(c.order.Back().Value.(*entry[V]).key)
	}
}

// drop forgets a value, if it is there.
func (c *cache[V]) drop(key string) {
	if e, ok := c.at[key]; ok {
		c.held -= c.order.Remove(e).(*entry[V]).size
		delete(c.at, key)
	}
}

// forget is drop for everybody else.
func (c *cache[V]) forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
}
