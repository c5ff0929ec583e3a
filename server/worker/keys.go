package worker

import (
	"sync"

	"github.com/pavage/pavage/server/store"
)

// keys is a set of keys.
type keys struct {
	mu  sync.Mutex
	all map[store.Key]bool
}

func (k *keys) has(key store.Key) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[key]
}

func (k *keys) add(key store.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[store.Key]bool{}
	}
	k.all[key] = true
}

func (k *keys) remove(key store.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.all, key)
}
