package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/queue"
)

type getEvents struct {
	JobID
	Last string `header:"Last-Event-ID" doc:"The id of the last event that you have: only later ones are sent." example:"12"`
}

// getEvents streams the changes of a job as Server-Sent Events: the row whenever it
// changed, and an event that says that no more will come.
func (s *service) getEvents(ctx context.Context, in *getEvents) (*stream, error) {
	last := int64(-1)
	if in.Last != "" {
		var err error
		if last, err = strconv.ParseInt(in.Last, 10, 64); err != nil || last < 0 {
			return nil, wrong("header.Last-Event-ID", "it is %.40q, want the id of an event of this job", in.Last)
		}
	}
	j, err := s.find(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case last > j.Version:
		return nil, wrong("header.Last-Event-ID", "it is %d, want the id of an event of this job, which is at %d", last, j.Version)
	}
	return &stream{func(c huma.Context) {
		r, w := humago.Unwrap(c)
		h := w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // a proxy in front shall not wait for more
		if r.Method == "HEAD" {
			return
		}
		out := s.flowTo(w)
		defer out.drop()
		for ctx := r.Context(); ; { // an error of out means that the client went away, and needs no answer
			if j.Version > last {
				last = j.Version
				name, data := "job", any(nil)
				if data, err = s.view(ctx, j); err != nil { // the stream has begun, so the problem is sent as an event
					name, data = "problem", s.explain(ctx, err)
				}
				if event(out, name, last, data) != nil {
					return
				}
			}
			if j.State.Ended() {
				_ = event(out, "end", last, map[string]client.State{"state": j.State})
				return
			}
			if j, err = s.nextOrAlive(ctx, out, j); err != nil {
				return
			}
		}
	}}, nil
}

// nextOrAlive waits for a change of the job, and sends signs of life during the wait.
func (s *service) nextOrAlive(ctx context.Context, out *flow, j queue.Job) (queue.Job, error) {
	for {
		waiting, cancel := s.untilStop(ctx, s.o.KeepAlive)
		next, err := s.o.Jobs.Watch(waiting, j.ID, j.Version)
		over := waiting.Err() != nil
		cancel()
		switch {
		case err == nil:
			return next, nil
		case !over:
			return j, err
		case ctx.Err() != nil:
			return j, ctx.Err()
		}
		select {
		case <-s.o.Stop:
			return j, queue.ErrStopping
		default:
		}
		if _, err := out.Write([]byte(": alive\n\n")); err != nil {
			return j, err
		}
		if err := out.Flush(); err != nil {
			return j, err
		}
	}
}

// event sends one event. JSON has no line breaks, so that one line holds it.
func event(out *flow, name string, id int64, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "id: %d\nevent: %s\ndata: %s\n\n", id, name, text); err != nil {
		return err
	}
	return out.Flush()
}
