package worker

import (
	"container/list"
	"context"
	"sync"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
)

// sources are what samples are drawn from, kept in this process for the next call: as
// many as there is memory for, the ones that were used last. A source that is drawn from
// when it has to go lives until that draw ends.
type sources struct {
	budget int64

	mu    sync.Mutex
	all   map[store.Key]*source
	order list.List      // of *source, the one used last in front
	bytes int64          // of those that are made
	gone  sync.WaitGroup // who makes some

	closed bool
}

// source is one of them, or is being made.
type source struct {
	key     store.Key
	place   *list.Element
	made    chan struct{} // closed when from or err is there
	from    *job.Source
	err     error
	bytes   int64
	waiting int                // callers, while it is being made
	stop    context.CancelFunc // of the making
}

func newSources(budget int64) *sources {
	if budget <= 0 {
		budget = 256 << 20 // of a machine that does not say what it has
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

// get is the source with a key. Callers that come while it is being made share it; the
// making ends when the last of them has left.
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

// find is the source with a key, which is being made from now on if it is not there; nil
// after close.
func (s *sources) find(key store.Key, produce func(context.Context) (*job.Source, error)) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.all[key]
	switch {
	case s.closed:
		return nil
	case x == nil:
		x = s.begin(key, produce)
	}
	x.waiting++
	s.order.MoveToFront(x.place)
	return x
}

func (s *sources) begin(key store.Key, produce func(context.Context) (*job.Source, error)) *source {
	ctx, stop := context.WithCancel(context.Background())
	x := &source{key: key, made: make(chan struct{}), stop: stop}
	x.place = s.order.PushFront(x)
	s.all[key] = x
	s.gone.Go(func() {
		from, err := produce(ctx)
		s.keep(x, from, err)
	})
	return x
}

// keep keeps what was made, and lets go of others for it. What could not be made is
// forgotten, so that the next caller tries again; so is what was made when all callers
// had left.
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
			s.drop(x) // a new caller begins anew, and does not get this one's end
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
