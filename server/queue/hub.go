package queue

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
)

// hub tells those who wait for a job in this process when the job changes. It asks the
// database once for all of them, however many there are: whenever this process has
// written, and once every Poll, since others may have written.
type hub struct {
	q    *Queue
	kick chan struct{} // this process has written
	mu   sync.Mutex
	// waiting has those who wait, by the id of the job.
	waiting map[string]*watched
	working bool          // Work runs in this process
	changes chan struct{} // closed and made anew when something has changed

	stale bool // something changed, and run has not looked yet; only run uses it
}

// watched is a job that somebody waits for.
type watched struct {
	seen    glance
	waiters map[*waiter]bool
}

// glance is the part of a job that the hub reads.
type glance struct {
	version   int64 // 0: there is no such job
	state     client.State
	epoch     int64
	canceling int64
}

// unseen is the glance of a waiter that has seen nothing yet. It differs from every
// real one, also from that of a job that does not exist.
var unseen = glance{version: -1}

// waiter is somebody who waits for the changes of a job.
type waiter struct {
	id string
	// changed has the newest glance until the waiter receives it.
	changed chan glance
}

// enter makes a waiter. A caller that first enters, and then reads the job, misses no
// change.
func (h *hub) enter(id string) *waiter {
	w := &waiter{id: id, changed: make(chan glance, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting[id] == nil {
		h.waiting[id] = &watched{seen: unseen, waiters: map[*waiter]bool{}}
	}
	h.waiting[id].waiters[w] = true
	if seen := h.waiting[id].seen; seen != unseen { // other waiters have had it
		w.changed <- seen
	}
	return w
}

func (h *hub) leave(w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiting[w.id].waiters, w)
	if len(h.waiting[w.id].waiters) == 0 {
		delete(h.waiting, w.id)
	}
}

// tell says that this process has written.
func (h *hub) tell() {
	select {
	case h.kick <- struct{}{}:
	default: // run knows already
	}
}

// run looks until ctx ends.
func (h *hub) run(ctx context.Context) {
	poll := time.NewTicker(h.q.options.Poll)
	defer poll.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-h.kick:
			h.stale = true
			err = h.look(ctx)
		case <-poll.C:
			h.mu.Lock()
			idle := len(h.waiting) == 0 && !h.working // then changes are seen later
			h.mu.Unlock()
			if idle {
				continue
			}
			err = h.look(ctx)
		}
		h.q.report(ctx, "jobs that are waited for could not be looked at", err)
	}
}

// news returns a channel that is closed when something has changed.
func (h *hub) news() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changes
}

// works sets whether Work runs in this process.
func (h *hub) works(yes bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.working = yes
}

// look finds out what changed, if anything may have.
func (h *hub) look(ctx context.Context) error {
	changed, err := h.q.db.changed()
	h.stale = h.stale || changed
	if err != nil || !h.stale {
		return err
	}
	h.mu.Lock()
	close(h.changes)
	h.changes = make(chan struct{})
	ids := slices.Collect(maps.Keys(h.waiting))
	h.mu.Unlock()
	for ids := range slices.Chunk(ids, lookAtOnce) {
		places, args := make([]string, len(ids)), make([]any, len(ids))
		for i, id := range ids {
			places[i], args[i] = fmt.Sprintf("$%d", i+1), id
		}
		found := map[string]glance{}
		err := h.q.db.ask(ctx, func(s scanner) error {
			var id string
			var g glance
			err := s.Scan(&id, &g.version, &g.state, &g.epoch, &g.canceling)
			found[id] = g
			return err
		}, "SELECT id, version, state, epoch, canceling FROM pavage_job WHERE id IN ("+strings.Join(places, ", ")+")", args...)
		if err != nil {
			return err
		}
		h.mu.Lock()
		for _, id := range ids {
			w, g := h.waiting[id], found[id]
			if w == nil || w.seen == g {
				continue
			}
			w.seen = g
			for waiter := range w.waiters {
				select {
				case <-waiter.changed: // a glance that the waiter has not received yet
				default:
				}
				waiter.changed <- g
			}
		}
		h.mu.Unlock()
	}
	h.stale = false
	return nil
}

// lookAtOnce is how many jobs one query asks for.
const lookAtOnce = 500

// Watch returns the job as soon as its Version is greater than after, or at once if it
// has ended.
func (q *Queue) Watch(ctx context.Context, id string, after int64) (Job, error) {
	w := q.hub.enter(id)
	defer q.hub.leave(w)
	for {
		j, err := q.Get(ctx, id, "")
		if err != nil || j.Version > after || j.State.Ended() {
			return j, err
		}
		for changed := false; !changed; {
			select {
			case <-ctx.Done():
				return Job{}, context.Cause(ctx)
			case g := <-w.changed:
				changed = g.version != j.Version
			}
		}
	}
}
