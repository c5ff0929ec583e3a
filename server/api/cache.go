package api

import "sync"

// cache keeps pages in memory, indexed by the query and the content type.
type cache struct {
	mu    sync.Mutex
	most  int // greatest number of bytes of all pages
	held  int // bytes of the pages, with their keys and the overhead of each entry
	pages map[string]page
}

const entrySpace = 256 // approximate number of bytes of an entry, without its key and its page

func (c *cache) get(query string) (p page, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok = c.pages[query]
	return p, ok
}

// put adds a page. If the cache is full, it first removes all pages. Those in use soon return.
func (c *cache) put(query string, p page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(p.bytes) + len(query) + entrySpace
	if size > c.most/8 {
		return
	}
	if c.held += size; c.pages == nil || c.held > c.most {
		c.pages, c.held = map[string]page{}, size
	}
	c.pages[query] = p
}
