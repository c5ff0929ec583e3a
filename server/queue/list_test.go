package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// pages returns all jobs of a filter, and calls between after each page.
func pages(t *testing.T, q *Queue, f Filter, between func()) (all []Job) {
	t.Helper()
	for {
		page, next, err := q.List(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > f.Limit || next != "" && len(page) < f.Limit {
			t.Fatalf("%d jobs on a page of %d, next %q", len(page), f.Limit, next)
		}
		all = append(all, page...)
		if f.Cursor = next; next == "" {
			return all
		}
		if len(all) > 1000 {
			t.Fatal("the pages do not end")
		}
		between()
	}
}

// TestList: the pages have each job of the filter once, the newest first, while other jobs are added.
func TestList(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		rng := rand.New(rand.NewPCG(1, 2))
		var jobs []Job
		one := func() Job {
			j := example()
			j.Owner = []string{"ada", "eve"}[rng.IntN(2)]
			j.Kind = []job.Kind{"count", "sample"}[rng.IntN(2)]
			if rng.IntN(2) == 0 {
				j.State, j.Key = client.Done, "k"
			}
			return add(t, q, j)
		}
		for range 60 {
			jobs = append(jobs, one())
		}
		// Many jobs of the same time: their order is the order of their ids.
		change(t, q, "UPDATE pavage_job SET created = created / 100000 * 100000")
		for _, f := range []Filter{
			{},
			{Owner: "ada"},
			{Kind: "count"},
			{State: client.Done},
			{Owner: "eve", State: client.Queued},
			{Owner: "ada", Kind: "sample", State: client.Done},
			{Owner: "nobody"},
			{State: client.Failed},
		} {
			f.Limit = 1 + rng.IntN(9)
			got := map[string]int{}
			listed := pages(t, q, f, func() { one() })
			for _, j := range listed {
				got[j.ID]++
				if j.Request != nil || j.Plan != nil || j.Owner == "" || j.Version != 1 {
					t.Errorf("listed: %+v", j)
				}
			}
			for _, j := range jobs {
				want := (f.Owner == "" || f.Owner == j.Owner) && (f.Kind == "" || f.Kind == j.Kind) && (f.State == "" || f.State == j.State)
				if n := got[j.ID]; n > 1 || (n == 1) != want {
					t.Errorf("filter %+v: job %+v is listed %d times", f, j, n)
				}
			}
			if !slices.IsSortedFunc(listed, func(a, b Job) int { return b.Created.Compare(a.Created) }) {
				t.Errorf("filter %+v: not the newest first", f)
			}
		}
	})
}

// TestCursor: a cursor that was cut off or made up is an error, and so is a page of the wrong size.
func TestCursor(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		for range 3 {
			add(t, q, example())
		}
		f := Filter{Owner: "ada", Limit: 1}
		_, next, err := q.List(t.Context(), f)
		if err != nil || next == "" {
			t.Fatal(next, err)
		}
		bad := []string{"x", "0", "a' OR 1 = 1", next[20:], next[:len(next)-1], next + "a", strings.ToUpper(next), strings.Repeat("a", len(next)), strings.Repeat("a", 1<<20)}
		for _, cursor := range bad {
			f.Cursor = cursor
			if _, _, err := q.List(t.Context(), f); !errors.Is(err, ErrCursor) {
				t.Errorf("cursor %.80q: %v", cursor, err)
			}
		}
		f.Cursor = next
		for _, n := range []int{-1, 1001} {
			if _, _, err := q.List(t.Context(), Filter{Limit: n}); err == nil {
				t.Errorf("a page of %d", n)
			}
		}
		if page, _, err := q.List(t.Context(), f); err != nil || len(page) != 1 {
			t.Errorf("%v, %v", page, err)
		}
	})
}

// TestRetention: only jobs that ended too long ago are removed.
func TestRetention(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		options := brisk()
		options.Retention = time.Hour
		q := o.open(options)
		done := example()
		done.State, done.Key = client.Done, "k"
		old, fresh, queued := add(t, q, done), add(t, q, done), add(t, q, example())
		change(t, q, "UPDATE pavage_job SET created = created - 7200000000 WHERE id <> $1", fresh.ID)
		change(t, q, "UPDATE pavage_job SET ended = ended - 7200000000 WHERE id = $1", old.ID)
		if err := q.removeOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Get(t.Context(), old.ID, ""); !errors.Is(err, ErrAbsent) {
			t.Errorf("the old job: %v", err)
		}
		get(t, q, fresh.ID)
		get(t, q, queued.ID)
	})
}

// TestStats: jobs are counted by kind and state, with the age of the oldest queued job.
func TestStats(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		if s, err := q.Stats(t.Context()); err != nil || len(s.Jobs) != 0 || s.Oldest[Short] != 0 || s.Oldest[Long] != 0 {
			t.Errorf("of nothing: %+v, %v", s, err)
		}
		done := example()
		done.State, done.Key, done.Kind = client.Done, "k", "sample"
		add(t, q, done)
		add(t, q, example())
		j := add(t, q, example())
		change(t, q, "UPDATE pavage_job SET created = created - 60000000 WHERE id = $1", j.ID)
		s, err := q.Stats(t.Context())
		want := map[job.Kind]map[client.State]int{"count": {client.Queued: 2}, "sample": {client.Done: 1}}
		if err != nil || fmt.Sprint(s.Jobs) != fmt.Sprint(want) {
			t.Errorf("%+v, %v", s, err)
		}
		if s.Oldest[Long] < time.Minute || s.Oldest[Short] != 0 {
			t.Errorf("oldest: %v", s.Oldest)
		}
	})
}

// TestWatchers: watchers get changes by each process and the end of a job that is removed, and return
// when their context ends. Watchers leave nothing behind.
func TestWatchers(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		type seen struct {
			j   Job
			err error
		}
		var jobs []Job
		all := make(chan seen)
		for i := range lookAtOnce + 20 {
			if i < 20 {
				jobs = append(jobs, add(t, q, example()))
			}
			id := NewID()
			if i < len(jobs) {
				id = jobs[i].ID
			} else {
				q.hub.enter(id) // of jobs that do not exist
				defer q.hub.leave(id)
				continue
			}
			go func() {
				j, err := q.Watch(t.Context(), id, 1)
				all <- seen{j, err}
			}()
		}
		for _, j := range jobs[1:] {
			change(t, other, "UPDATE pavage_job SET version = version + 1 WHERE id = $1", j.ID)
		}
		change(t, other, "DELETE FROM pavage_job WHERE id = $1", jobs[0].ID)
		absent := 0
		for range jobs {
			switch s := <-all; {
			case errors.Is(s.err, ErrAbsent):
				absent++
			case s.err != nil || s.j.Version != 2:
				t.Errorf("%+v, %v", s.j, s.err)
			}
		}
		if absent != 1 {
			t.Errorf("%d jobs were removed, want 1", absent)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("gone"))
		if _, err := q.Watch(ctx, jobs[1].ID, 99); err == nil {
			t.Error("watched on")
		}
		q.hub.mu.Lock()
		defer q.hub.mu.Unlock()
		if len(q.hub.waiting) != lookAtOnce {
			t.Errorf("%d jobs are waited for", len(q.hub.waiting))
		}
	})
}
