//go:build !js

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

// hub wakes goroutines that wait for jobs. One query serves all of them. The query runs after each
// write of this process, and when a poll finds that another process may have written.
type hub struct {
	q       *Queue
	kick    chan struct{} // receives a signal when this process has written
	mu      sync.Mutex
	waiting map[string]*watched
	changes chan struct{} // closed and replaced when something has changed

	stale bool // whether the database may have changed since the last query; only run uses this field
}

type watched struct {
	glance
	waiters int
}

type glance struct {
	version   int64 // 0 if there is no such job
	state     client.State
	epoch     int64
	canceling int64
}

var unseen = glance{version: -1}

// A caller calls enter before it reads the job. Otherwise it could miss a change in between.
func (h *hub) enter(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting[id] == nil {
		h.waiting[id] = &watched{glance: unseen}
	}
	h.waiting[id].waiters++
}

func (h *hub) leave(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting[id].waiters--; h.waiting[id].waiters == 0 {
		delete(h.waiting, id)
	}
}

func (h *hub) seen(id string) glance {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waiting[id].glance
}

func (h *hub) tell() {
	select {
	case h.kick <- struct{}{}:
	default: // run has a signal already
	}
}

func (h *hub) run(ctx context.Context) {
	poll := time.NewTicker(h.q.options.Poll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.kick:
			h.stale = true
		case <-poll.C:
		}
		h.q.report(ctx, "jobs that are waited for could not be looked at", h.look(ctx))
	}
}

// news returns a channel that is closed when the database has changed.
func (h *hub) news() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changes
}

func (h *hub) look(ctx context.Context) error {
	changed, err := h.q.db.changed()
	h.stale = h.stale || changed
	if err != nil || !h.stale {
		return err
	}
	h.mu.Lock()
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
			if w := h.waiting[id]; w != nil {
				w.glance = found[id]
			}
		}
		h.mu.Unlock()
	}
	h.mu.Lock()
	close(h.changes)
	h.changes = make(chan struct{})
	h.mu.Unlock()
	h.stale = false
	return nil
}

const lookAtOnce = 500

// Watch waits until the Version of a job is greater than the argument after, or the job has ended.
func (q *Queue) Watch(ctx context.Context, id string, after int64) (Job, error) {
	q.hub.enter(id)
	defer q.hub.leave(id)
	for {
		j, err := q.Get(ctx, id, "")
		if err != nil || j.Version > after || j.State.Ended() {
			return j, err
		}
		for {
			news := q.hub.news()
			if g := q.hub.seen(id); g.version > j.Version || g.version == 0 {
				break
			}
			select {
			case <-ctx.Done():
				return Job{}, context.Cause(ctx)
			case <-news:
			}
		}
	}
}
