package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
)

// fake is the claim of a job without a database.
type fake struct {
	ctx  context.Context
	job  queue.Job
	move func(context.Context) error // nil: Move succeeds
	said []string
}

func (f *fake) Context() context.Context { return f.ctx }
func (f *fake) Plan(*job.Plan)           {}
func (f *fake) Job() queue.Job           { return f.job }
func (f *fake) Progress(client.Progress) {}

func (f *fake) Move(ctx context.Context, _ queue.Lane, _ int64) error {
	if f.move == nil {
		return nil
	}
	return f.move(ctx)
}

func (f *fake) Done(context.Context, string) error {
	f.said = append(f.said, "done")
	return nil
}

func (f *fake) Failed(_ context.Context, p client.Problem) error {
	f.said = append(f.said, "failed: "+p.Detail)
	for _, d := range p.Errors {
		f.said = append(f.said, d.Location+": "+d.Message)
	}
	return nil
}

func (f *fake) Canceled(context.Context) error {
	f.said = append(f.said, "canceled")
	return nil
}

func (f *fake) Saved(context.Context, string) error {
	f.said = append(f.said, "saved")
	return nil
}

func (f *fake) Requeue(_ context.Context, why queue.Pause) error {
	f.said = append(f.said, fmt.Sprintf("requeued, %s", []string{"stopped", "died", "lapsed"}[why]))
	return nil
}

// does does a job without a queue.
func (s *service) does(f *fake) {
	tk := s.admit(f.job).(*task)
	defer tk.Release()
	tk.do(f)
}

// saidOf does a job without a queue, and returns the calls of its claim.
func (s *service) saidOf(r job.Request, ctx context.Context, tries queue.Job) []string {
	s.t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		s.t.Fatal(err)
	}
	tries.ID, tries.Kind, tries.Request, tries.Lane = "abc", r.Kind(), text, queue.Short
	f := &fake{ctx: ctx, job: tries}
	s.does(f)
	return f.said
}

// TestLost: a worker that has lost a lease ends its child and writes nothing. The checkpoints are for the
// new holder of the job.
func TestLost(t *testing.T) {
	s := serve(t, settings{})
	ctx, lose := context.WithCancelCause(t.Context())
	s.spies.note = levels(5, func(*task) { lose(queue.ErrLost) })
	if said := s.saidOf(sweep(), ctx, queue.Job{}); len(said) > 0 {
		t.Error(said)
	}
	if s.store.Stats().Files != 0 {
		t.Error("an answer was written")
	}
	if left, err := os.ReadDir(s.folder("abc")); err != nil || len(left) == 0 {
		t.Error("the checkpoints are gone", err)
	}
	if s.budget.held() != 0 || s.watched.of("started") != 1 || s.watched.of("ended") != 1 {
		t.Error(s.budget.held(), s.watched.events)
	}
}

// TestEndings: the ends of a job that is ended from outside.
func TestEndings(t *testing.T) {
	for cause, want := range map[error]string{
		queue.ErrCanceled: "[canceled]",
		queue.ErrStopping: "[requeued, stopped]",
		queue.ErrLost:     "[]",
	} {
		s := serve(t, settings{})
		ctx, end := context.WithCancelCause(t.Context())
		s.spies.child = func(int, bool) { end(cause) }
		if said := s.saidOf(endless(), ctx, queue.Job{}); fmt.Sprint(said) != want {
			t.Errorf("%v: %v, want %s", cause, said, want)
		}
	}
}

// TestDeaths: a job fails after the deaths of two children without a checkpoint between
// them. Deaths of the service are counted separately, and fail a job only after maxLapses of them.
func TestDeaths(t *testing.T) {
	for name, tc := range map[string]struct {
		tries queue.Job
		level int // level of the checkpoint after which the child is killed; 0: at its start; -1: never
		want  string
	}{
		"after two deaths of the service": {queue.Job{Attempts: 3, Lapses: 2}, 0, "[requeued, died]"},
		"again":                           {queue.Job{Attempts: 4, Lapses: 2, Deaths: 1}, 0, `ended by the signal "killed"; 2 processes in a row died without a new checkpoint, and the work is not tried again]`},
		"after a checkpoint":              {queue.Job{Attempts: 4, Lapses: 2, Deaths: 1}, 5, "[saved requeued, died]"},
		"the service died 19 times":       {queue.Job{Attempts: 20, Lapses: 19}, -1, "[done]"},
		"20 times":                        {queue.Job{Attempts: 21, Lapses: 20}, -1, "[failed: the service died 20 times in a row while it did the work, without a new checkpoint, and the work is not tried again]"},
	} {
		s := serve(t, settings{})
		var pid int
		kill := func() { _ = syscall.Kill(pid, syscall.SIGKILL) }
		s.spies.child = func(of int, alive bool) {
			if pid = of; alive && tc.level == 0 {
				kill()
			}
		}
		if tc.level > 0 {
			s.spies.note = levels(tc.level, func(*task) { kill() })
		}
		if said := fmt.Sprint(s.saidOf(sweep(), t.Context(), tc.tries)); !strings.HasSuffix(said, tc.want) {
			t.Errorf("%s: %s, want %s", name, said, tc.want)
		}
		if tc.level <= 0 {
			continue
		}
		s.spies.note, s.spies.child = nil, nil // the next service finds a checkpoint of which no row has a record
		if said := fmt.Sprint(s.saidOf(sweep(), t.Context(), queue.Job{Deaths: 1, Lapses: 20})); said != "[saved done]" {
			t.Errorf("%s, in the next service: %s", name, said)
		}
	}
}

// TestNoRoom: work that exceeds the memory limit of its owner fails, and the error has the limit.
func TestNoRoom(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	s.disk = ""
	s.work()
	r := endless()
	j, err := s.Submit(t.Context(), "somebody", 0, r, queue.Limits{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	j = s.ended(j.ID)
	s.is(j, client.Failed)
	// The forecast may come before the sweep needs more.
	if got := problem(j); !strings.Contains(got, "problem 422") || !strings.Contains(got, "more memory than the 1 MB that its limits allow") && !strings.Contains(got, "far beyond the memory limit of 1 MB") {
		t.Error(got)
	}
	s.clean()
}

// TestTimeLimit: a short job has the limits of its share, but the time limit of its owner.
func TestTimeLimit(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	s.disk = ""
	s.work()
	submit := func(r job.Request, l queue.Limits) queue.Job {
		j, err := s.Submit(t.Context(), "somebody", 0, r, l)
		if err != nil {
			t.Fatal(err)
		}
		return s.ended(j.ID)
	}
	j := submit(endless(), queue.Limits{Time: 1})
	if got, want := problem(j), "problem 422: the time limit of 1ns was reached"; j.State != client.Failed || got != want || j.Lane != queue.Short {
		t.Errorf("%s, lane %s, want %s", got, j.Lane, want)
	}
	if testkit.IsLong() { // more than 64 MiB, the share of a short job
		r := &job.Count{Puzzle: dominoes("17x18").Puzzle, Engine: "diagram"}
		if j = submit(r, queue.Limits{Time: time.Hour}); j.State != client.Done || j.Lane != queue.Long {
			t.Errorf("%s, lane %s", j.State, j.Lane)
		}
	}
	s.clean()
}

// TestCrosses: a job whose time ends just before the move to the long lane stays in the short lane. If
// its time ends during the move, the move is completed, so that the row is right.
func TestCrosses(t *testing.T) {
	s := serve(t, settings{})
	for when, want := range map[string]struct {
		lane   queue.Lane
		writes int
	}{
		"in time": {queue.Long, 1}, "before": {queue.Short, 0}, "meanwhile": {queue.Long, 1},
	} {
		ctx, end := context.WithCancelCause(t.Context())
		over := func() { end(job.NewError(job.Limit, errors.New("the time limit was reached"))) }
		writes := 0
		f := &fake{ctx: t.Context(), move: func(ctx context.Context) error {
			if writes++; when == "meanwhile" {
				over()
			}
			return ctx.Err()
		}}
		var logged bytes.Buffer
		s.log = zerolog.New(&logged).Level(zerolog.WarnLevel)
		tk := s.admit(queue.Job{Lane: queue.Short}).(*task)
		tk.job, tk.claim = queue.Job{Lane: queue.Short}, f
		if when == "before" {
			over()
		}
		if crossed := tk.grows(ctx, 0); crossed != (want.lane == queue.Long) || tk.job.Lane != want.lane || writes != want.writes {
			t.Errorf("%s: crossed %v, lane %s, %d writes, want %+v", when, crossed, tk.job.Lane, writes, want)
		}
		if logged.Len() > 0 {
			t.Errorf("%s: %s", when, &logged)
		}
		tk.Release()
		end(nil)
	}
	if held := s.budget.held(); held != 0 {
		t.Errorf("%d bytes are held", held)
	}
}

// TestBrief: a job with no more time than a try is in the short lane, whatever its forecast or plan. So
// it never waits for a long job.
func TestBrief(t *testing.T) {
	s := serve(t, settings{})
	s.tryTime = tryTime
	sweep := &job.Plan{Engine: bySweep, Sweep: &job.SweepForecast{Seconds: 1000}}
	for most, brief := range map[time.Duration]bool{0: false, time.Second: true, tryTime: true, tryTime + 1: false} {
		l := queue.Limits{Time: most}
		if lane := s.laneOf(job.Forecast{Known: true, Seconds: 1000}, l); (lane == queue.Short) != brief {
			t.Errorf("time %v: lane %s", most, lane)
		}
		tk := &task{Worker: s.Worker, job: queue.Job{Limits: l}, request: dominoes("8x8"), claim: &fake{}}
		var stopped error
		tk.plan(func(why error) { stopped = why })(sweep)
		if (stopped == nil) != brief {
			t.Errorf("time %v: the count is stopped by its plan: %v", most, stopped)
		}
	}
	if sh := s.share(queue.Job{Seconds: 1000, Bytes: 1 << 40, Lane: queue.Short}, true); sh.memory != least {
		t.Errorf("a brief job takes %d bytes of the short lane, want %d", sh.memory, least)
	}
}

// TestDisk: a sweep that does not fit in its share goes to disk.
func TestDisk(t *testing.T) {
	testkit.Long(t)
	s := serve(t, settings{})
	s.unknown()
	s.disk = s.data // on any file system
	s.work()
	r := &job.Count{Puzzle: dominoes("20x20").Puzzle, Engine: bySweep}
	j, err := s.Submit(t.Context(), "somebody", 0, r, queue.Limits{Memory: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Answer(t.Context(), s.ended(j.ID))
	if err != nil || !bytes.Contains(text, []byte(`"count":"1269984011256235834242602753102293934298576249856"`)) || !bytes.Contains(text, []byte(`"disk_bytes"`)) {
		t.Errorf("%s, %v", text, err)
	}
	s.clean()
}

// TestRoughEstimate: an estimate with limits is not an answer for other owners.
func TestRoughEstimate(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	keys := map[string]bool{}
	for _, limits := range []queue.Limits{{}, {}, {Time: time.Second}, {Memory: 1 << 20}} {
		j, err := s.Submit(t.Context(), "somebody", 0, &job.Estimate{Puzzle: dominoes("8x8").Puzzle}, limits)
		if err != nil {
			t.Fatal(err)
		}
		keys[j.Key] = true
	}
	if len(keys) != 3 {
		t.Errorf("%d keys, want one of both estimates without limits, and two others", len(keys))
	}
}

// TestGrace: a child may need long to write its last level when the service is stopped, but not when its
// job was canceled.
func TestGrace(t *testing.T) {
	s := serve(t, settings{})
	of := s.options.Child.GraceFor
	if a, b := of(queue.ErrStopping), of(queue.ErrCanceled); a < 5*time.Second || b != 0 {
		t.Errorf("%v when the service is stopped, %v when a job is canceled", a, b)
	}
}

// TestSweepFolders: when work begins, folders of checkpoints and children without a job are removed, and
// others stay.
func TestSweepFolders(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	queued, ended := s.submit(sweep()), s.submit(dominoes("4x4"))
	if _, err := s.queue.Cancel(t.Context(), ended.ID, ""); err != nil {
		t.Fatal(err)
	}
	temp := func(id string) string { return filepath.Join(s.data, temporary, child.FolderPrefix+id+"-1") }
	for _, id := range []string{queued.ID, ended.ID, "strange", "ancient"} {
		for _, folder := range []string{s.folder(id), temp(id)} {
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if id == "ancient" {
				if err := os.Chtimes(folder, time.Time{}, time.Unix(0, 0)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	left := func(want ...string) {
		t.Helper()
		slices.Sort(want)
		for _, of := range []func(string) string{s.folder, temp} {
			folders := make([]string, len(want))
			for i, id := range want {
				folders[i] = of(id)
			}
			if got, err := filepath.Glob(of("*")); err != nil || !slices.Equal(got, folders) {
				t.Errorf("%v %v, want %v", got, err, folders)
			}
		}
	}
	s.sweepOnce(t.Context())
	left(queued.ID, "strange") // it may be a job of another database
	if _, err := s.queue.Cancel(t.Context(), queued.ID, ""); err != nil {
		t.Fatal(err)
	}
	s.sweepOnce(t.Context())
	left("strange")
}

// TestStartFails: a child that cannot be started is a failure with the reason.
func TestStartFails(t *testing.T) {
	s := serve(t, settings{})
	s.options.Child.Program = filepath.Join(s.data, "no program")
	said := s.saidOf(dominoes("8x8"), t.Context(), queue.Job{})
	if len(said) != 1 || !strings.Contains(said[0], "a child process could not be started: ") {
		t.Error(said)
	}
	if !errors.Is(os.Remove(s.folder("abc")), os.ErrNotExist) {
		t.Error("a folder is left")
	}
}
