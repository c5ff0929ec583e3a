package worker

import (
	"container/list"
	"context"
	"sync"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
)

// sources are the sources that this process keeps for the next call: those that were
// used last, as many as the memory holds. If a source is removed during a draw, it lives
// until that draw ends.
type sources struct {
	budget int64

	mu    sync.Mutex
	all   map[store.Key]*source
	order list.List      // of *source, the one used last in front
	bytes int64          // of the sources that are ready
	gone  sync.WaitGroup // goroutines that make a source

	closed bool
}

// source is a source that is kept, or that is being made.
type source struct {
	key     store.Key
	place   *list.Element
	made    chan struct{} // closed when from or err is there
	from    *job.Source
	err     error
	bytes   int64
	waiting int                // number of callers that wait while it is being made
	stop    context.CancelFunc // of the making
}

func newSources(budget int64) *sources {
	if budget <= 0 {
		budget = 256 << 20 // of a machine whose memory is not known
	}
	return &sources{budget: budget, all: map[store.Key]*source{}}
}

// most is the largest source that is kept here.
func (s *sources) most() int64 { return s.budget / 4 }

func (s *sources) held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// get returns the source with a key, and makes it if there is none. Callers that come
// while it is being made share it. When the last of them has left, the making is
// stopped.
func (s *sources) get(ctx context.Context, key store.Key, produce func(context.Context) (*job.Source, error)) (*job.Source, error) {
	x := s.find(key, produce)
	if x == nil {
		return nil, errClosed
	}
	select {
	case <-x.made:
		s.leave(x)
		return x.from, x.err
	case <-ctx.Done():
		s.leave(x)
		return nil, context.Cause(ctx)
	}
}

// find returns the source with a key. If there is none, it starts to make one. After
// close it returns nil.
func (s *sources) find(key store.Key, produce func(context.Context) (*job.Source, error)) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.all[key]
	switch {
	case s.closed:
		return nil
	case x == nil:
		ctx, stop := context.WithCancel(context.Background())
		x = &source{key: key, made: make(chan struct{}), stop: stop}
		x.place = s.order.PushFront(x)
		s.all[key] = x
		s.gone.Go(func() {
			from, err := produce(ctx)
			s.keep(x, from, err)
		})
	}
	x.waiting++
	s.order.MoveToFront(x.place)
	return x
}

// keep keeps a source that was made, and drops others to make room. It forgets a source
// that could not be made, so that the next caller tries again, and also one whose
// callers have all left.
func (s *sources) keep(x *source, from *job.Source, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.stop()
	x.from, x.err = from, err
	close(x.made)
	if err != nil || s.all[x.key] != x { // or nobody has waited for it
		s.drop(x)
		return
	}
	x.bytes = from.Bytes()
	s.bytes += x.bytes
	for last := s.order.Back(); last != nil && s.bytes > s.budget; {
		old := last.Value.(*source)
		last = last.Prev()
		if old.bytes > 0 { // it is not being made
			s.drop(old)
		}
	}
}

// drop forgets a source. Whoever draws from it goes on.
func (s *sources) drop(x *source) {
	if s.all[x.key] == x {
		delete(s.all, x.key)
		s.order.Remove(x.place)
		s.bytes -= x.bytes
	}
}

func (s *sources) leave(x *source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.waiting--; x.waiting == 0 {
		select {
		case <-x.made:
		default:
			s.drop(x) // so that a new caller begins again, and does not get the error of this one
			x.stop()
		}
	}
}

// close ends the making of sources, and forgets all.
func (s *sources) close() {
	s.mu.Lock()
	s.closed = true
	for _, x := range s.all {
		s.drop(x)
		x.stop()
	}
	s.mu.Unlock()
	s.gone.Wait()
}
