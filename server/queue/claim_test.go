package queue

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// change changes the database without the queue.
func change(t *testing.T, q *Queue, text string, args ...any) {
	t.Helper()
	err := q.db.write(t.Context(), func(tx transaction) error {
		return tx.do(t.Context(), text, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// handed is the claim of a task, which then waits.
type handed struct {
	Claim
	leave func() // lets the task return
}

// claims returns a task that sends its claims to a channel.
func claims() (do func(Claim), made chan handed) {
	made = make(chan handed)
	return func(c Claim) {
		left := make(chan bool)
		leave := sync.OnceFunc(func() { close(left) })
		select {
		case made <- handed{c, leave}:
			<-left
		case <-c.Context().Done():
		}
	}, made
}

// TestLease: a job whose lease is over is put back and given to another process. The context of the old
// holder ends, and it can write nothing.
func TestLease(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		do, made := claims()
		stop := o.work(q, do)
		j := add(t, q, example())
		first := <-made
		defer first.leave()
		if err := other.reap(t.Context()); err != nil {
			t.Fatal(err)
		}
		if j := get(t, q, j.ID); j.State != client.Running {
			t.Fatalf("put back before its lease was over: %+v", j)
		}
		change(t, other, "UPDATE pavage_job SET lease = {now} - 1 WHERE id = $1", j.ID)
		if err := other.reap(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-first.Context().Done()
		if err := context.Cause(first.Context()); !errors.Is(err, ErrLost) {
			t.Errorf("the old holder was told %v", err)
		}
		first.leave()
		second := <-made
		defer second.leave()
		if j := second.Job(); j.Attempts != 2 || j.Lapses != 1 || j.Deaths != 0 {
			t.Errorf("claimed again: %+v", j)
		}
		if err := second.Done(t.Context(), "second"); err != nil {
			t.Error(err)
		}
		second.leave()
		stop()
		if j := get(t, q, j.ID); j.Key != "second" || j.State != client.Done {
			t.Errorf("%+v", j)
		}
	})
}

// TestFencing: a holder that does not know yet that it lost its lease cannot end, put
// back or change the job, whether it was put back, is held by another, or is done.
func TestFencing(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		claimed := func() *claim {
			r, err := q.claimFree(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			return newClaim(q, r, t.Context()) // without renewals
		}
		fenced := func(when string, stale *claim) {
			t.Helper()
			before := get(t, q, j.ID)
			writes := map[string]func(*claim) error{
				"Done":     func(c *claim) error { return c.Done(t.Context(), "old") },
				"Failed":   func(c *claim) error { return c.Failed(t.Context(), client.Problem{}) },
				"Canceled": func(c *claim) error { return c.Canceled(t.Context()) },
				"Move":     func(c *claim) error { return c.Move(t.Context(), Long, 1) },
				"Requeue":  func(c *claim) error { return c.Requeue(t.Context(), Died) },
				"Saved":    func(c *claim) error { return c.Saved(t.Context(), "x") },
				"renew": func(c *claim) error {
					c.Progress(client.Progress{Left: 77})
					c.renew(t.Context())
					return context.Cause(c.Context())
				},
			}
			for name, write := range writes {
				c := newClaim(q, stale.row, t.Context())
				if err := write(c); !errors.Is(err, ErrLost) {
					t.Errorf("%s: %s: %v", when, name, err)
				}
			}
			if after := get(t, q, j.ID); after.Version != before.Version || after.State != before.State || after.Key != before.Key {
				t.Errorf("%s: changed from %+v to %+v", when, before, after)
			}
		}
		first := claimed()
		expire := func() {
			change(t, q, "UPDATE pavage_job SET lease = 0 WHERE id = $1", j.ID)
			if err := q.reap(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		expire()
		fenced("put back", first)
		second := claimed()
		fenced("held by another", first)
		if err := second.Done(t.Context(), "second"); err != nil {
			t.Fatal(err)
		}
		fenced("done", first)
		if err := second.Done(t.Context(), "second"); err != nil {
			t.Errorf("done a second time, as if the answer of the database had not come: %v", err)
		}
	})
}

// TestRequeue: a job that is put back is claimed again in its lane. Deaths and lapses are counted
// separately, up to the next checkpoint; a stop is no attempt.
func TestRequeue(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		do, made := claims()
		o.work(q, do)
		j := add(t, q, example())
		for i, tc := range []struct {
			put                  func(c handed) error
			lane                 Lane
			next, deaths, lapses int // at the next claim
		}{
			{func(c handed) error { return c.Requeue(t.Context(), Stopped) }, Long, 1, 0, 0},
			{func(c handed) error { return errors.Join(c.Move(t.Context(), Short, 1), c.Requeue(t.Context(), Died)) }, Short, 2, 1, 0},
			{func(c handed) error { return nil }, Short, 3, 1, 1}, // the task returns, and its claim is open
			{func(c handed) error {
				return errors.Join(c.Saved(t.Context(), "x"), c.Requeue(t.Context(), Died))
			}, Short, 4, 1, 0},
			{func(c handed) error { return c.Done(t.Context(), "x") }, Short, 4, 1, 0},
		} {
			c := <-made
			was, looks := c.Job(), 0
			// The time is stored in milliseconds, so the try must not be shorter.
			testkit.Until(t, "the try to last", func() bool { looks++; return looks == 10 })
			if err := tc.put(c); err != nil {
				t.Errorf("%d: %v", i, err)
			}
			if j := get(t, q, j.ID); j.Attempts < was.Attempts {
				t.Errorf("%d: %d attempts fell to %d", i, was.Attempts, j.Attempts)
			}
			c.leave()
			if i == 4 {
				break
			}
			next := <-made
			if j := next.Job(); j.Attempts != tc.next || j.Lane != tc.lane || j.Worked <= was.Worked || j.Deaths != tc.deaths || j.Lapses != tc.lapses || (j.Checkpoint == "x") != (i == 3) {
				t.Errorf("%d: %d attempts, %d deaths, %d lapses in lane %s after %v, want %+v after more than %v", i, j.Attempts, j.Deaths, j.Lapses, j.Lane, j.Worked, tc, was.Worked)
			}
			go func() { made <- next }()
		}
		await(t, q, j.ID, client.Done)
	})
}

// TestStopping: when Work ends, the contexts of claims end. Jobs that are not done are done by another
// process, or later by this process.
func TestStopping(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		do, made := claims()
		stop := o.work(q, do)
		j := add(t, q, example())
		c := <-made
		stopped := make(chan bool)
		go func() { stop(); close(stopped) }()
		<-c.Context().Done()
		if err := context.Cause(c.Context()); !errors.Is(err, ErrStopping) {
			t.Errorf("told %v", err)
		}
		select {
		case <-stopped:
			t.Error("Work did not wait for do")
		default:
		}
		c.leave() // the claim was not ended
		<-stopped
		if j := get(t, q, j.ID); j.State != client.Queued || j.Attempts != 1 {
			t.Errorf("left as %+v", j)
		}
		o.work(q, do)
		c = <-made
		if err := c.Done(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		c.leave()
		await(t, q, j.ID, client.Done)
	})
}

// TestOldest: the oldest job of a lane is admitted, and blocks its lane as long as there is no
// room for it. The next is admitted if somebody cancels it.
func TestOldest(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		var jobs [3]Job
		for i := range jobs {
			jobs[i] = example()
			if i == 2 {
				jobs[i].Lane = Short
			}
			jobs[i] = add(t, q, jobs[i])
			change(t, q, "UPDATE pavage_job SET created = created + $2 WHERE id = $1", jobs[i].ID, int64(i*1000))
		}
		var looks testCounter
		o.admit(q, func(j Job) Task {
			if j.ID == jobs[0].ID {
				looks.add()
				return nil
			}
			return doing(func(c Claim) { c.Done(t.Context(), "x") })
		})
		testkit.Until(t, "a look", func() bool { return looks.get() > 0 })
		await(t, q, jobs[2].ID, client.Done)
		if j := get(t, q, jobs[1].ID); j.State != client.Queued {
			t.Errorf("a job of the same lane: %+v", j)
		}
		if j, err := q.Cancel(t.Context(), jobs[0].ID, ""); err != nil || j.State != client.Canceled {
			t.Errorf("%+v, %v", j, err)
		}
		await(t, q, jobs[1].ID, client.Done)
	})
}

// TestNoRoom: a job that one process does not admit is done by another, and its row is not written
// before that.
func TestNoRoom(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		full, idle := o.open(brisk()), o.open(brisk())
		var looks testCounter
		o.admit(full, func(Job) Task { looks.add(); return nil })
		j := add(t, full, example())
		testkit.Until(t, "a look", func() bool { return looks.get() > 0 })
		if got := get(t, full, j.ID); got.Version != 1 {
			t.Errorf("%+v", got)
		}
		o.work(idle, func(c Claim) { c.Done(t.Context(), "x") })
		if j := await(t, full, j.ID, client.Done); j.Attempts != 1 {
			t.Errorf("%+v", j)
		}
	})
}

// room is a task that has the only place of a process.
type room struct {
	doing
	free chan bool
}

func (r room) Release() { r.free <- true }

// TestRelease: a job that was not admitted is admitted when a task has released what the job needs,
// also if nothing is written then.
func TestRelease(t *testing.T) {
	options := brisk()
	options.Poll, options.Lease = time.Hour, time.Hour
	o := &opener{t: t, name: "sqlite", at: filepath.Join(t.TempDir(), "pavage.db")}
	q := o.open(options)
	free := make(chan bool, 1)
	free <- true
	o.admit(q, func(Job) Task {
		select {
		case <-free:
			return room{func(c Claim) { c.Done(t.Context(), "x") }, free}
		default:
			return nil
		}
	})
	for _, j := range []Job{add(t, q, example()), add(t, q, example()), add(t, q, example())} {
		await(t, q, j.ID, client.Done)
	}
}

// TestEqualKeys: while a job is running, no process takes another job with its key, and the jobs
// behind that are done.
func TestEqualKeys(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		queues := []*Queue{o.open(brisk()), o.open(brisk())}
		do, made := claims()
		for _, q := range queues {
			o.work(q, do)
		}
		j := example()
		j.Key = "k"
		first := add(t, queues[0], j)
		holder := <-made
		second := add(t, queues[0], j)
		j.Key = "another"
		add(t, queues[1], j)
		another := <-made
		if got := another.Job(); got.Key != "another" {
			t.Errorf("%+v", got)
		}
		if got := get(t, queues[1], second.ID); got.State != client.Queued {
			t.Errorf("%+v", got)
		}
		for _, c := range []handed{another, holder} {
			if err := c.Done(t.Context(), c.Job().Key); err != nil {
				t.Error(err)
			}
			c.leave()
		}
		await(t, queues[1], first.ID, client.Done)
		last := <-made
		if last.Job().ID != second.ID {
			t.Errorf("%+v", last.Job())
		}
		if err := last.Done(t.Context(), "k"); err != nil {
			t.Error(err)
		}
		last.leave()
	})
}

// TestEqualKeysAtOnce: two lanes, whose oldest jobs have the same key, read them at the same time.
// One claims its job, and the other waits.
func TestEqualKeysAtOnce(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		long := example()
		long.Key = "k"
		short := long
		short.Lane = Short
		jobs := []Job{add(t, q, long), add(t, q, short)}
		do, made := claims()
		gone := make(chan bool, 10)
		var both sync.WaitGroup
		both.Add(2)
		read := map[Lane]func(){}
		for _, j := range jobs {
			read[j.Lane] = sync.OnceFunc(func() { both.Done(); both.Wait() })
		}
		o.admit(q, func(j Job) Task {
			read[j.Lane]()
			return room{do, gone}
		})
		first := <-made
		select {
		case other := <-made:
			first.leave()
			other.leave()
			t.Fatal("both jobs are running")
		case <-gone:
		}
		if err := first.Done(t.Context(), "k"); err != nil {
			t.Error(err)
		}
		first.leave()
		second := <-made
		if err := second.Done(t.Context(), "k"); err != nil {
			t.Error(err)
		}
		second.leave()
		for _, j := range jobs {
			await(t, q, j.ID, client.Done)
		}
	})
}

// TestLateWatch: a watcher gets the last change even if another watcher has seen it before.
func TestLateWatch(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		q.hub.enter(j.ID)
		defer q.hub.leave(j.ID)
		if _, err := q.Cancel(t.Context(), j.ID, ""); err != nil {
			t.Fatal(err)
		}
		testkit.Until(t, "the first waiter is told", func() bool { return q.hub.seen(j.ID).state == client.Canceled })
		if j, err := q.Watch(t.Context(), j.ID, 1); err != nil || j.State != client.Canceled {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// TestCancel: a job can be canceled in each state, and the context of its holder ends.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		cancel := func(q *Queue, j Job, want client.State, version int64) {
			t.Helper()
			got, err := q.Cancel(t.Context(), j.ID, "ada")
			if err != nil || got.State != want || got.Version != version {
				t.Errorf("%+v, %v; want %s, version %d", got, err, want, version)
			}
		}
		j := add(t, q, example())
		cancel(q, j, client.Canceled, 2) // it is queued
		cancel(q, j, client.Canceled, 2) // it has ended
		if j := get(t, q, j.ID); j.Ended.IsZero() || j.Attempts != 0 {
			t.Errorf("%+v", j)
		}

		do, made := claims()
		o.work(q, do) // the job that was canceled is not claimed
		for _, by := range []*Queue{q, other} {
			j = add(t, q, example())
			c := <-made
			cancel(by, j, client.Running, 3)
			cancel(by, j, client.Running, 3)
			<-c.Context().Done()
			if err := context.Cause(c.Context()); !errors.Is(err, ErrCanceled) {
				t.Errorf("told %v", err)
			}
			if by == q {
				if err := c.Canceled(t.Context()); err != nil {
					t.Error(err)
				}
			} // otherwise it is put back, which cancels it
			c.leave()
			await(t, other, j.ID, client.Canceled)
		}

		j = add(t, q, example())
		c := <-made
		cancel(q, j, client.Running, 3)
		if err := c.Done(t.Context(), "x"); err != nil { // it was too late
			t.Error(err)
		}
		c.leave()
		cancel(q, j, client.Done, 4)
	})
}

// TestCancelDead: a job whose holder died after a request to cancel is canceled.
func TestCancelDead(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		change(t, q, "UPDATE pavage_job SET state = 'running', epoch = 1, lease = 4102444800000000 WHERE id = $1", j.ID)
		if j, err := q.Cancel(t.Context(), j.ID, ""); err != nil || j.State != client.Running {
			t.Errorf("%+v, %v", j, err)
		}
		change(t, q, "UPDATE pavage_job SET lease = 0 WHERE id = $1", j.ID)
		if err := q.reap(t.Context()); err != nil {
			t.Error(err)
		}
		if j := get(t, q, j.ID); j.State != client.Canceled || j.Ended.IsZero() {
			t.Errorf("%+v", j)
		}
	})
}

// TestWatchOfNone: a watcher of a removed job gets an error, even if it has never read the job.
func TestWatchOfNone(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(Options{})
		id := NewID()
		q.hub.enter(id)
		defer q.hub.leave(id)
		q.hub.tell()
		testkit.Until(t, "the waiter is told", func() bool { return q.hub.seen(id).version == 0 })
	})
}

// TestLateGlance: an old glance at a job, from before its claim, does not end the claim. A newer glance
// does.
func TestLateGlance(t *testing.T) {
	for _, late := range []glance{{version: 3, state: client.Queued}, {version: 5, state: client.Queued, epoch: 1}, {version: 2, state: client.Running, epoch: 1}} {
		c := newClaim(nil, row{Job: Job{Version: 4}, epoch: 2}, t.Context())
		if c.look(late); c.right.Err() != nil {
			t.Errorf("%+v has ended the claim: %v", late, context.Cause(c.right))
		}
		late.version, late.epoch = 5, late.epoch+2
		if c.look(late); !errors.Is(context.Cause(c.right), ErrLost) {
			t.Errorf("%+v has not ended the claim: %v", late, context.Cause(c.right))
		}
	}
}
