package worker

import (
	"sync"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
)

// A source that is removed during a draw stays in memory until the draw ends.
type sources struct {
	budget int64

	mu    sync.Mutex
	kept  map[store.Key]*source
	bytes int64 // bytes of all sources
	calls int64 // number of uses of all sources
}

type source struct {
	*job.Source
	bytes int64
	used  int64 // value of sources.calls at the last use of this source
}

func newSources(budget int64) *sources {
	if budget <= 0 {
		budget = 256 << 20 // for a machine with an unknown amount of memory
	}
	return &sources{budget: budget, kept: map[store.Key]*source{}}
}

func (s *sources) most() int64 { return s.budget / 4 }

func (s *sources) held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

func (s *sources) find(key store.Key) *job.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.kept[key]
	if x == nil {
		return nil
	}
	s.calls++
	x.used = s.calls
	return x.Source
}

func (s *sources) keep(key store.Key, from *job.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.kept[key] = &source{from, from.Bytes(), s.calls}
	s.bytes += from.Bytes()
	for s.bytes > s.budget && len(s.kept) > 0 {
		oldest := key
		for k, x := range s.kept {
			if x.used < s.kept[oldest].used {
				oldest = k
			}
		}
		s.bytes -= s.kept[oldest].bytes
		delete(s.kept, oldest)
	}
}
