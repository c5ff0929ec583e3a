package endtoend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// TestMemory: a job that needs far more memory than the service may use goes on with files on the
// disk, or is refused with the figure. Three small jobs beside it are done, and all processes
// together stay within the budget and a tenth.
func TestMemory(t *testing.T) {
	t.Parallel()
	if !seesProcesses {
		t.Skip("cannot see the memory of processes")
	}
	m := memoryTest{budget: 96, board: "20x20", piece: "domino=any", limit: "4MiB", enough: 1 << 60} // it wants 20 MiB
	if testkit.IsLong() {
		m = memoryTest{budget: 160, board: "24x24", piece: "domino=any", enough: 64 << 20} // it wants 300 MiB
	}
	v := fresh(t, "", "--memory", fmt.Sprintf("%dMiB", m.budget)).serve(t)
	c, ctx := v.client(), t.Context()
	r := &job.Count{Puzzle: job.Puzzle{Board: m.board, Pieces: []string{m.piece}}, Engine: "sweep"}
	large := must(c.Submit(ctx, r, client.Limits{Memory: m.limit}, 0))(t)
	testkit.Until(t, "the large job", func() bool { return v.stateOf(large.ID) != client.Queued })
	jobs := newJobs()
	for i := range 3 {
		if err := jobs.submit(v, tinies(t)[i]); err != nil {
			t.Fatal(err)
		}
	}
	m.watch(v, large.ID)
	v.allOnce(jobs.accepted())
	m.check(t, must(c.Wait(ctx, large.ID))(t))
	v.stop()
	v.untilGone(t)
	v.leavesNothing(t)
}

// memoryTest has the limits of a large job and the figures measured.
type memoryTest struct {
	budget int64  // of the service, in MiB
	board  string // of the large job
	piece  string
	limit  string // of its memory; "": the share that the service gives, which makes the short run long
	enough int64  // bytes in files: then the job is canceled

	peak, disk int64 // most bytes of all processes, and in files
	looks      int
}

// watch measures the memory of all processes until the large job ends, some thirty times a
// second, and at least once.
func (m *memoryTest) watch(v *service, id string) {
	v.t.Helper()
	canceled, ended := false, false
	for !ended { // the job ends whatever happens: no need to give up
		m.peak, m.disk, m.looks = max(m.peak, v.resident()), max(m.disk, v.onDisk()), m.looks+1
		if m.disk >= m.enough && !canceled {
			must(v.client().Cancel(v.t.Context(), id))(v.t)
			canceled = true
		}
		turns := 0
		testkit.Until(v.t, "the next look", func() bool { turns++; return turns == 30 })
		ended = v.stateOf(id).Ended()
	}
	v.t.Logf("%d looks: at most %d MiB of memory, %d MiB in files", m.looks, m.peak>>20, m.disk>>20)
}

// check wants the large job to have been on disk, or refused.
func (m *memoryTest) check(t *testing.T, j *client.Job) {
	t.Helper()
	switch {
	case j.State == client.Done:
		if a := as[job.Counted](t, j.Answer); a.Disk == 0 {
			t.Errorf("it needed no disk: %+v", a)
		}
	case j.State == client.Canceled:
		if m.disk < m.enough {
			t.Errorf("%+v", j)
		}
	case j.Error == nil || j.Error.Status != 422 || !strings.Contains(j.Error.Detail, "memory"):
		t.Errorf("%s: %v", j.State, j.Error)
	}
	if most := m.budget * 11 / 10; m.peak == 0 || m.peak>>20 > most {
		t.Errorf("all processes together took %d MiB, want at most %d", m.peak>>20, most)
	}
}
