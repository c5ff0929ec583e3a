package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// lives does random things to jobs, and records the holders that have ended them.
type lives struct {
	*testing.T
	queues []*Queue

	mu   sync.Mutex
	rng  *rand.Rand
	ends map[string][]string // by job: a word for each end whose write has succeeded
}

func (l *lives) dice(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rng.IntN(n)
}

// wrote records an end, unless the holder has lost the job.
func (l *lives) wrote(id, end string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.ends[id] = append(l.ends[id], end)
	case !errors.Is(err, ErrLost):
		l.Errorf("%s: %v", end, err)
	}
}

func (l *lives) admit(Job) Task {
	if l.dice(6) == 0 {
		return nil
	}
	return doing(l.do)
}

func (l *lives) do(c Claim) {
	j := c.Job()
	always := context.WithoutCancel(c.Context())
	key := fmt.Sprint("key of try ", c.(*claim).row.epoch)
	q := l.queues[l.dice(len(l.queues))]
	switch l.dice(7) {
	case 0: // hold puts the job back
		return
	case 1:
		c.Move(always, []Lane{Short, Long}[l.dice(2)], 1)
		if err := c.Requeue(always, []Pause{Stopped, Died}[l.dice(2)]); err != nil && !errors.Is(err, ErrLost) {
			l.Error(err)
		}
		return
	case 2:
		l.wrote(j.ID, string(client.Failed), c.Failed(always, client.Problem{}))
		return
	case 3: // the process sleeps until another process has the job
		change(l.T, q, "UPDATE pavage_job SET lease = 0 WHERE id = $1", j.ID)
		if err := q.reap(always); err != nil {
			l.Error(err)
		}
	case 4:
		if _, err := q.Cancel(always, j.ID, ""); err != nil {
			l.Error(err)
		}
		<-c.Context().Done()
		l.wrote(j.ID, string(client.Canceled), c.Canceled(always))
		return
	case 5:
		c.Progress(client.Progress{Left: 1})
	}
	l.wrote(j.ID, key, c.Done(always, key))
}

// TestRandomLives: whatever holders do, and however late, exactly one of them ends each job.
func TestRandomLives(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		l := &lives{T: t, queues: []*Queue{o.open(brisk()), o.open(brisk())}, rng: rand.New(rand.NewPCG(8, 9)), ends: map[string][]string{}}
		var stops []func()
		for _, q := range l.queues {
			stops = append(stops, o.admit(q, l.admit))
		}
		var jobs []Job
		for i := range testkit.Size(60, 1000) {
			j := example()
			j.Key = fmt.Sprint(i / 3)
			jobs = append(jobs, add(t, l.queues[i%2], j))
		}
		for i, j := range jobs {
			for !j.State.Ended() {
				var err error
				if j, err = l.queues[0].Watch(t.Context(), j.ID, j.Version); err != nil {
					t.Fatal(err)
				}
			}
			jobs[i] = j
		}
		for _, stop := range stops {
			stop()
		}
		for _, j := range jobs {
			l.check(j, l.ends[j.ID])
		}
	})
}

// check compares a job with what its holders have written as its end. A job that was canceled
// needs none: it may have been queued.
func (l *lives) check(j Job, ends []string) {
	want := string(j.State)
	if j.State == client.Done {
		want = j.Key
	}
	if len(ends) == 1 && ends[0] == want || len(ends) == 0 && j.State == client.Canceled {
		return
	}
	l.Errorf("job %s is %s with the key %q after %d tries, and these have ended it: %q", j.ID, j.State, j.Key, j.Attempts, ends)
}
