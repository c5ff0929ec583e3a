package queue

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
)

// childVariable is set in processes that tests start to kill them.
const childVariable = "QUEUE_TEST_CHILD"

// childDoes is the least number of jobs that such a process does, and childHolds the number of
// later jobs that it then holds for ever.
const (
	childDoes  = 10
	childHolds = 4
)

// mortal has the options of tests that kill processes: their leases are short. On a busy machine other
// leases may end too; then jobs only begin more often.
func mortal() Options { return Options{Lease: time.Second, Poll: 5 * time.Millisecond} }

// beChild is the process that is killed. It writes a line for each job that it has done.
func beChild() {
	name, at, _ := strings.Cut(os.Getenv(childVariable), "|")
	q, err := openAt(context.Background(), name, at, mortal())
	if err != nil {
		fmt.Println("error", err)
		return
	}
	var n testCounter
	free := make(chan bool, childHolds)
	q.Work(context.Background(), func(j Job) Task {
		select {
		case free <- true:
		default:
			return nil
		}
		return doing(func(c Claim) {
			if n.get() >= childDoes {
				fmt.Println("holds", j.ID)
				select {}
			}
			if c.Done(context.Background(), "child") == nil {
				n.add()
				fmt.Println("done", j.ID)
			}
			<-free
		})
	}, func(Lane) {})
}

// child starts a process. When the process has done its jobs and holds others, child returns the done
// jobs.
func (o *opener) child() (kill func(), done map[string]bool) {
	o.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+o.name+"|"+o.at)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	done, holds := map[string]bool{}, 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, id, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "done":
			done[id] = true
		case "holds":
			holds++
		default:
			o.t.Error(lines.Text())
		}
		if holds == childHolds { // the process now does nothing more
			return kill, done
		}
	}
	kill()
	o.t.Fatal("the process ended by itself")
	return nil, nil
}

// TestKilled: two processes share a hundred jobs, and one is killed while it holds some.
// Each job is done once.
func TestKilled(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(mortal())
		var ids []string
		for range 100 {
			ids = append(ids, add(t, q, example()).ID)
		}
		kill, done := o.child()
		var ours testCounter
		o.work(q, func(c Claim) {
			if ours.add() == 20 {
				kill()
			}
			if id := c.Job().ID; done[id] {
				t.Errorf("job %s was done, and is begun again", id)
			}
			c.Done(context.WithoutCancel(c.Context()), "parent")
		})
		again := 0
		for _, id := range ids {
			j := await(t, q, id, client.Done)
			if want := map[bool]string{true: "child", false: "parent"}[done[id]]; j.Key != want {
				t.Errorf("done by the %s, want the %s", j.Key, want)
			}
			if j.Attempts > 1 {
				again++
			}
		}
		if again < childHolds {
			t.Errorf("%d jobs were begun twice, want the %d that the process held at least", again, childHolds)
		}
	})
}
