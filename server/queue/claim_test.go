package queue

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// change changes the database behind the queue's back.
func change(t *testing.T, q *Queue, text string, args ...any) {
	t.Helper()
	err := q.db.write(t.Context(), func(tx transaction) error {
		return tx.do(t.Context(), text, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// both are slots of both lanes.
var both = map[Lane]int{Short: 2, Long: 2}

// handed is a claim that a do has made, which then waits.
type handed struct {
	*Claim
	leave func() // do returns
}

// claims makes a do that hands its claims on.
func claims(t *testing.T) (do func(context.Context, Job, func() (*Claim, error)), made chan handed) {
	made = make(chan handed)
	return func(ctx context.Context, j Job, claim func() (*Claim, error)) {
		c, err := claim()
		if err != nil {
			if !errors.Is(err, ErrTaken) && !errors.Is(err, ErrStopping) {
				t.Error(err)
			}
			return
		}
		left := make(chan bool)
		leave := sync.OnceFunc(func() { close(left) })
		select {
		case made <- handed{c, leave}:
			<-left
		case <-ctx.Done():
		}
	}, made
}

// TestLease: a job whose lease is over is put back and given to another process. Its
// old holder is told, and can write nothing any more.
func TestLease(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		do, made := claims(t)
		stop := o.work(q, both, do)
		j := add(t, q, example())
		first := <-made
		defer first.leave()
		late := overdue{id: j.ID, epoch: first.epoch()} // it renewed its lease just now
		if err := errors.Join(other.reap(t.Context()), other.putBackOverdue(t.Context(), late)); err != nil {
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
		apart := func(r row) *Claim { // a claim without keepUp
			right, end := context.WithCancelCause(t.Context())
			return newClaim(q, r, right, end)
		}
		claimed := func() *Claim {
			r, err := q.offer(t.Context(), j.Lane)
			if err != nil {
				t.Fatal(err)
			}
			c, err := apart(r).claim()
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		fenced := func(when string, stale *Claim) {
			t.Helper()
			before := get(t, q, j.ID)
			writes := map[string]func(*Claim) error{
				"Done":     func(c *Claim) error { return c.Done(t.Context(), "old") },
				"Failed":   func(c *Claim) error { return c.Failed(t.Context(), client.Problem{}) },
				"Canceled": func(c *Claim) error { return c.Canceled(t.Context()) },
				"Move":     func(c *Claim) error { return c.Move(t.Context(), Long) },
				"Requeue":  func(c *Claim) error { return c.Requeue(t.Context(), Short, Died) },
				"Saved":    func(c *Claim) error { return c.Saved(t.Context(), "x") },
				"renew": func(c *Claim) error {
					c.Progress(client.Progress{Left: 77})
					c.renew(t.Context())
					return context.Cause(c.Context())
				},
			}
			for name, write := range writes {
				c := apart(stale.row)
				c.phase = held
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
		second.phase = held // as if the answer of the database had not come
		if err := second.Done(t.Context(), "second"); err != nil {
			t.Errorf("done a second time: %v", err)
		}
	})
}

// TestRequeue: a job that is put back is offered again in its lane. Deaths and lapses are counted
// separately, up to the next checkpoint; a stop is no attempt.
func TestRequeue(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		do, made := claims(t)
		o.work(q, both, do)
		j := add(t, q, example())
		for i, tc := range []struct {
			put                  func(c handed) error
			lane                 Lane
			next, deaths, lapses int // at the next claim
		}{
			{func(c handed) error { return c.Requeue(t.Context(), Short, Stopped) }, Short, 1, 0, 0},
			{func(c handed) error { return c.Requeue(t.Context(), Long, Died) }, Long, 2, 1, 0},
			{func(c handed) error { return nil }, Long, 3, 1, 1}, // do returns, and its claim is open
			{func(c handed) error {
				return errors.Join(c.Saved(t.Context(), "x"), c.Requeue(t.Context(), Long, Died))
			}, Long, 4, 1, 0},
			{func(c handed) error { return c.Done(t.Context(), "x") }, Long, 4, 1, 0},
		} {
			c := <-made
			was, looks := c.Job(), 0
			// The time worked is kept in milliseconds, so the try lasts some.
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

// TestStopping: when Work ends, do's are told; what they leave is done by another
// process, or by this one later.
func TestStopping(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		do, made := claims(t)
		stop := o.work(q, both, do)
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
		c.leave() // without a word
		<-stopped
		if j := get(t, q, j.ID); j.State != client.Queued || j.Attempts != 1 {
			t.Errorf("left as %+v", j)
		}
		o.work(q, both, do)
		c = <-made
		if err := c.Done(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		c.leave()
		await(t, q, j.ID, client.Done)
	})
}

// TestOfferedAgain: a job that a do does not claim stays queued and is offered again,
// also where the do was waiting when its Work ended.
func TestOfferedAgain(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		offers := make(chan bool, 3)
		stop := o.work(q, both, func(ctx context.Context, j Job, claim func() (*Claim, error)) {
			offers <- true
			if len(offers) == 3 {
				<-ctx.Done()
				if _, err := claim(); !errors.Is(err, ErrStopping) {
					t.Errorf("claim at the end: %v", err)
				}
			}
		})
		j := add(t, q, example())
		testkit.Until(t, "three offers", func() bool { return len(offers) == 3 })
		stop()
		if j := get(t, q, j.ID); j.State != client.Queued || j.Version != 1 {
			t.Errorf("%+v", j)
		}
		do, made := claims(t)
		o.work(other, both, do)
		c := <-made
		if err := c.Done(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		c.leave()
	})
}

// TestOffer: the oldest job of a lane is offered, and to one process until its lease is over
// or its do returns. Then the earlier offer gives no right any more.
func TestOffer(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		var jobs [3]Job
		for i := range jobs {
			jobs[i] = add(t, q, example())
			change(t, q, "UPDATE pavage_job SET created = created + $2 WHERE id = $1", jobs[i].ID, int64(i*1000))
		}
		offer := func(q *Queue, want string) *Claim {
			t.Helper()
			r, err := q.offer(t.Context(), Long)
			if err != nil || r.ID != want {
				t.Fatalf("offered %q, %v; want %q", r.ID, err, want)
			}
			right, end := context.WithCancelCause(t.Context())
			return newClaim(q, r, right, end)
		}
		first := offer(q, jobs[0].ID)
		if _, err := other.offer(t.Context(), Short); !errors.Is(err, errNone) {
			t.Errorf("a job of the other lane was offered: %v", err)
		}
		second := offer(other, jobs[1].ID)
		offer(q, jobs[2].ID)
		if _, err := other.offer(t.Context(), Long); !errors.Is(err, errNone) {
			t.Errorf("all jobs are offered, and one was offered again: %v", err)
		}
		change(t, q, "UPDATE pavage_job SET lease = {now} - 1 WHERE id = $1", jobs[0].ID)
		first.renew(t.Context()) // before another process has looked
		if _, err := other.offer(t.Context(), Long); !errors.Is(err, errNone) {
			t.Errorf("a lease was renewed, and its job offered: %v", err)
		}
		change(t, q, "UPDATE pavage_job SET lease = {now} - 1 WHERE id = $1", jobs[0].ID)
		again := offer(other, jobs[0].ID)
		first.leave(t.Context(), true) // too late, as the next two
		first.renew(t.Context())
		if _, err := first.claim(); !errors.Is(err, ErrTaken) {
			t.Errorf("an offer whose lease is over was claimed: %v", err)
		}
		if _, err := again.claim(); err != nil {
			t.Error(err)
		}
		second.leave(t.Context(), true)
		offer(q, jobs[1].ID)
	})
}

// TestDeadOffer: a job whose process died before it claimed the job is offered again when the
// lease is over, although nothing is written then.
func TestDeadOffer(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(mortal())
		j := add(t, q, example())
		if _, err := q.offer(t.Context(), j.Lane); err != nil { // by a process that then dies
			t.Fatal(err)
		}
		do, made := claims(t)
		o.work(q, both, do)
		c := <-made
		if err := c.Done(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		c.leave()
	})
}

// TestLateWatch: a waiter that comes after another one has seen the last change gets it too.
func TestLateWatch(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		first := q.hub.enter(j.ID)
		defer q.hub.leave(first)
		if _, err := q.Cancel(t.Context(), j.ID, ""); err != nil {
			t.Fatal(err)
		}
		for g := range first.changed {
			if g.state == client.Canceled {
				break
			}
		}
		second := q.hub.enter(j.ID)
		defer q.hub.leave(second)
		if g := <-second.changed; g.state != client.Canceled {
			t.Errorf("%+v", g)
		}
	})
}

// TestCancel: a job can be canceled in every state, and its holder is told.
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

		do, made := claims(t)
		o.work(q, both, do) // the job that was canceled is not offered
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
			} // else it is put back, and so canceled
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

// TestCancelDead: a job is canceled whose holder died after somebody asked for that.
func TestCancelDead(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		change(t, q, "UPDATE pavage_job SET state = 'running', epoch = 1 WHERE id = $1", j.ID)
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

// TestCancelOffered: a do that waits to claim a job is told that it was canceled, or
// that it was taken.
func TestCancelOffered(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		causes, waits := make(chan error, 2), make(chan bool)
		o.work(q, both, func(ctx context.Context, j Job, claim func() (*Claim, error)) {
			waits <- true
			<-ctx.Done()
			_, err := claim()
			causes <- errors.Join(context.Cause(ctx), err)
		})
		j := add(t, q, example())
		<-waits
		if _, err := other.Cancel(t.Context(), j.ID, ""); err != nil {
			t.Error(err)
		}
		if err := <-causes; !errors.Is(err, ErrCanceled) {
			t.Errorf("told %v", err)
		}
		j = add(t, q, example())
		<-waits
		change(t, other, "UPDATE pavage_job SET state = 'running', epoch = 1, version = version + 1 WHERE id = $1", j.ID)
		if err := <-causes; !errors.Is(err, ErrTaken) {
			t.Errorf("told %v", err)
		}
	})
}

// TestWatchOfNone: who waits for a job that is removed meanwhile is told, also if nobody
// ever looked at it.
func TestWatchOfNone(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(Options{})
		w := q.hub.enter(newID())
		defer q.hub.leave(w)
		q.hub.tell()
		testkit.Until(t, "the waiter is told", func() bool { return len(w.changed) > 0 })
	})
}

// TestLateGlance: what was seen of a job before it was claimed, and is told only after
// that, does not end its claim. What came later does.
func TestLateGlance(t *testing.T) {
	for _, late := range []glance{{version: 3, state: client.Queued}, {version: 5, state: client.Queued, epoch: 1}, {version: 2, state: client.Running, epoch: 1}} {
		right, end := context.WithCancelCause(t.Context())
		c := newClaim(nil, row{}, right, end)
		c.settle(row{Job: Job{Version: 4}, epoch: 2}, held)
		if c.look(late); !c.claimed() || right.Err() != nil {
			t.Errorf("%+v has ended the claim: %v", late, context.Cause(right))
		}
		late.version, late.epoch = 5, late.epoch+2
		if c.look(late); c.claimed() || !errors.Is(context.Cause(right), ErrLost) {
			t.Errorf("%+v has not ended the claim: %v", late, context.Cause(right))
		}
	}
}
