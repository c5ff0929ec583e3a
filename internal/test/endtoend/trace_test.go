package endtoend

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// line is a line of the log, as far as tests want it.
type line struct {
	Message string `json:"message"`
	Job     string `json:"job"`
	End     string `json:"end"`
	State   string `json:"state"`
	Attempt int    `json:"attempt"`
	Note    struct {
		Level int `json:"level"` // of a checkpoint
	} `json:"note"`
	Level int `json:"-"` // of a checkpoint that was written or gone on from; 0: none
}

// The messages of the log.
const (
	accepted = "job accepted"
	begun    = "job begun"
	ended    = "job ended"
	written  = "checkpoint written"
)

// goingOn matches the log line of a count that found a checkpoint.
var goingOn = regexp.MustCompile(`^continuing from level (\d+) of`)

// about are the lines of the log about jobs, as they came. Tests ask a thousand times a
// second: so each line is read once.
func (r *record) about() []line {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := r.text.String()
	for {
		next, _, whole := strings.Cut(text[r.read:], "\n")
		if !whole {
			return slices.Clip(r.jobs)
		}
		r.read += len(next) + 1
		var l line
		if json.Unmarshal([]byte(next), &l) == nil && l.Job != "" {
			l.Level = l.Note.Level
			if m := goingOn.FindStringSubmatch(l.Message); m != nil {
				l.Level, _ = strconv.Atoi(m[1])
			}
			r.jobs = append(r.jobs, l)
		}
	}
}

// traces are the lines about each job in the logs of all processes that were started, one
// log after another.
func (s *setup) traces() map[string][]line {
	of := map[string][]line{}
	for _, v := range s.started {
		for _, l := range v.log.about() {
			of[l.Job] = append(of[l.Job], l)
		}
	}
	return of
}

// number is how many of the lines are such.
func number(lines []line, such func(line) bool) (n int) {
	for _, l := range lines {
		if such(l) {
			n++
		}
	}
	return n
}

// isDone reports whether a line logs that a job is done: after some work, or because its answer was
// stored.
func isDone(l line) bool {
	return l.Message == ended && l.End == "done" || l.Message == accepted && l.State == "done"
}

// newest is the level of the last checkpoint of each job that has some.
func (s *setup) newest() map[string]int {
	files, _ := filepath.Glob(filepath.Join(s.data, "checkpoints", "*", "level-*.pavage"))
	levels := map[string]int{}
	for _, file := range files { // sorted
		name := strings.TrimSuffix(filepath.Base(file), ".pavage")
		levels[filepath.Base(filepath.Dir(file))], _ = strconv.Atoi(strings.TrimPrefix(name, "level-"))
	}
	return levels
}

// goesOn wants that a job has gone on from a level or a later one: the first of the lines
// about levels is not of an earlier one.
func goesOn(t testing.TB, id string, lines []line, level int) {
	t.Helper()
	for _, l := range lines {
		if l.Level == 0 {
			continue
		}
		if l.Level < level || l.Message == written && l.Level == level {
			t.Errorf("job %s had a checkpoint of level %d, and then says %q of level %d", id, level, l.Message, l.Level)
		}
		return
	}
}

// leavesNothing wants no file of a job that has ended, and no file that is not whole. An unfinished
// file of a killed process stays in the store for some hours.
func (s *setup) leavesNothing(t testing.TB) {
	t.Helper()
	patterns := []string{"checkpoints/*", "tmp/*", "store/damaged/*"}
	if !s.anyKilled() {
		patterns = append(patterns, "store/*/*/*.tmp")
	}
	for _, pattern := range patterns {
		if left, _ := filepath.Glob(filepath.Join(s.data, filepath.FromSlash(pattern))); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

func (s *setup) anyKilled() bool {
	return slices.ContainsFunc(s.started, func(v *service) bool { return v.killed })
}

// allOnce wants each of these jobs to be done, once, with its count.
func (v *service) allOnce(jobs map[string]wanted) {
	v.t.Helper()
	c, ctx := v.client(), v.t.Context()
	versions := map[string]int64{}
	for id, want := range jobs {
		j := must(c.Wait(ctx, id))(v.t)
		if j.State != client.Done {
			v.t.Fatalf("job %s (%s): %s after %d attempts: %v", id, want.r.Puzzle.Board, j.State, j.Attempts, j.Error)
		}
		want.check(v.t, j)
		versions[id] = j.Version
	}
	for id, version := range versions {
		if j := must(c.Get(ctx, id))(v.t); j.Version != version || j.State != client.Done {
			v.t.Errorf("job %s was done at version %d, and then %s at version %d", id, version, j.State, j.Version)
		}
	}
	v.loggedOnce(jobs)
}

// loggedOnce wants one line in the logs for each job that is done. A killed process may have had no
// time to write the line.
func (v *service) loggedOnce(jobs map[string]wanted) {
	v.t.Helper()
	var done map[string]int
	testkit.Until(v.t, "the log of each job's end", func() bool {
		done = map[string]int{}
		for id, lines := range v.traces() {
			done[id] = number(lines, isDone)
		}
		return v.anyKilled() || !slices.ContainsFunc(slices.Collect(maps.Keys(jobs)), func(id string) bool { return done[id] == 0 })
	})
	logged := 0
	for id := range jobs {
		logged += done[id]
		if done[id] > 1 {
			v.t.Errorf("job %s was done %d times: %+v", id, done[id], v.traces()[id])
		}
	}
	if logged < len(jobs)/2 {
		v.t.Errorf("the logs have the ends of %d jobs of %d", logged, len(jobs))
	}
}
