package api

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
)

var kinds = job.SharedKinds()

const maxWait = time.Minute

func (s *service) submission(ctx context.Context, kind string) (r job.Request, l client.Limits, err error) {
	in := sentOf(ctx)
	if in.yaml {
		if !slices.Contains(kinds, kind) {
			return nil, l, refusedKind("query.kind", kind)
		}
		if err := checkOptions(kind, in.query); err != nil {
			return nil, l, err
		}
		r, _ := job.New(job.Kind(kind))
		if err := s.ask(ctx, r, false); err != nil {
			return nil, l, err
		}
		_, err := readQuery(in.query, &l)
		return r, l, err
	}
	in.puzzleAt, in.optionsAt = "body.puzzle", "body.options"
	var sent client.Submission
	if err := place("body", strict.Decode(in.text, &sent)); err != nil {
		var keys map[string]json.RawMessage
		if json.Unmarshal(in.text, &keys) == nil && keys["puzzle"] == nil {
			err = cmp.Or(misplaced(keys), err)
		}
		return nil, l, err
	}
	if kind != "" {
		return nil, l, wrong("query.kind", "the parameter goes with the text of a puzzle, expected the field kind in JSON")
	}
	for name := range in.query {
		if !slices.Contains(ownNames, name) {
			return nil, l, wrong("query."+name, "options go into the query with the text of a puzzle alone; in JSON give them as fields of the object options")
		}
	}
	p, err := jsonPuzzle("body.puzzle", sent.Puzzle)
	if err != nil {
		return nil, l, err
	}
	if !slices.Contains(kinds, string(sent.Kind)) {
		return nil, l, refusedKind("body.kind", string(sent.Kind))
	}
	options, err := sentOptions(string(sent.Kind), sent.Options)
	if err != nil {
		return nil, l, err
	}
	r, _ = job.New(sent.Kind)
	if err := readOptions("body.options", nil, options, r); err != nil {
		return nil, l, err
	}
	return r, sent.Limits, s.check(in, r, p)
}

func (s *service) ask(ctx context.Context, r job.Request, alone bool) error {
	p, err := quick(ctx, r, alone)
	if err != nil {
		return err
	}
	return s.check(sentOf(ctx), r, p)
}

func (s *service) check(in *sent, r job.Request, p job.Puzzle) error {
	reflect.ValueOf(r).Elem().FieldByName("Puzzle").Set(reflect.ValueOf(p)) // each kind of request has this field
	if drawn, ok := r.(*job.Sample); ok && drawn.Number > s.o.MaxDrawn {
		return wrong(in.place("number"), "%s tilings are too many for one request, expected at most %s", drawn.Number, s.o.MaxDrawn)
	}
	return job.Validate(r)
}

func refusedKind(where, kind string) error {
	want := wording.List(kinds)
	switch kind {
	case "":
		return wrong(where, "the kind is missing, expected %s", want)
	case "solve", "check":
		return wrong(where, "jobs of the kind %s run programs or read files of your machine, so only the command line has this kind; expected %s", kind, want)
	}
	return wrong(where, "%s", strict.Unknown("kind", kind, kinds, nil))
}

var puzzleFields = namesOf(strict.FieldsOf(reflect.TypeFor[job.Puzzle]()))

// allowed returns the limits of a request, lowered to the limits of the caller. It refuses a limit
// that is greater than the service allows. The argument most has the limits of the service.
func allowed(c access.Caller, asked client.Limits, where string, most queue.Limits) (l queue.Limits, err error) {
	if asked.Memory != "" {
		if l.Memory, err = human.ParseBytes(asked.Memory); err != nil || l.Memory == 0 {
			return l, wrong(where+".memory", "%.40q is not a size, expected a size such as 512MiB", asked.Memory)
		}
	}
	if l.Memory > most.Memory && most.Memory > 0 {
		return l, wrong(where+".memory", "the value is %s, expected at most %s: the service gives no job more", asked.Memory, human.Bytes(float64(most.Memory)))
	}
	if asked.Timeout != "" {
		if l.Time, err = time.ParseDuration(asked.Timeout); err != nil || l.Time <= 0 {
			return l, wrong(where+".timeout", "%.40q is not a time, expected a time such as 30s or 2h", asked.Timeout)
		}
	}
	switch l.Threads = asked.Threads; {
	case l.Threads < 0:
		return l, wrong(where+".threads", "the value is %d, expected 1 or more", asked.Threads)
	case l.Threads > most.Threads && most.Threads > 0:
		return l, wrong(where+".threads", "the value is %d, expected at most %d: the service has no more", asked.Threads, most.Threads)
	}
	l.Memory, l.Threads, l.Time = least(l.Memory, c.Memory), least(l.Threads, c.Threads), least(l.Time, c.Time)
	return l, nil
}

func least[T int | int64 | time.Duration](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (s *service) submit(ctx context.Context, r job.Request, asked client.Limits) (queue.Job, error) {
	c := access.From(ctx)
	if p := c.Need(access.Run); p != nil {
		return queue.Job{}, p
	}
	where := "body.limits"
	if sentOf(ctx).yaml {
		where = "query"
	}
	l, err := allowed(c, asked, where, s.o.Work.Most())
	if err != nil {
		return queue.Job{}, err
	}
	return s.o.Work.Submit(ctx, c.Name, c.Jobs, r, l)
}

// patience reads the parameter wait, such as 10s, or else the header Prefer of RFC 7240, such as
// wait=10. It ignores an invalid header.
func patience(wait, prefer string) (time.Duration, error) {
	if wait != "" {
		d, err := time.ParseDuration(wait)
		if err != nil {
			d, err = time.ParseDuration(wait + "s")
		}
		if err != nil || d < 0 || d > maxWait {
			return 0, wrong("query.wait", "the value is %.40q, expected 0s to %s", wait, "60s")
		}
		return d, nil
	}
	for part := range strings.SplitSeq(prefer, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if d, err := time.ParseDuration(value + "s"); err == nil && strings.EqualFold(name, "wait") && d > 0 {
			return min(d, maxWait), nil
		}
	}
	return 0, nil
}
