package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/pavage/pavage/client"
)

type getEvents struct {
	JobID
	Last string `header:"Last-Event-ID" doc:"The id of the last event that you have: only later events are sent." example:"12"`
}

// getEvents sends the whole job after each change, and an event "end" after the last change.
func (s *service) getEvents(ctx context.Context, in *getEvents) (http.HandlerFunc, error) {
	last := int64(-1)
	if in.Last != "" {
		var err error
		if last, err = strconv.ParseInt(in.Last, 10, 64); err != nil || last < 0 {
			return nil, wrong("header.Last-Event-ID", "the value is %.40q, expected the id of an event of this job", in.Last)
		}
	}
	j, err := s.find(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case last > j.Version:
		return nil, wrong("header.Last-Event-ID", "the value is %d, expected the id of an event of this job, at most %d", last, j.Version)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // a proxy must not buffer the stream
		if r.Method == http.MethodHead {
			return
		}
		for ctx := r.Context(); ; { // an error of emit means that the client has disconnected
			if j.Version > last {
				last = j.Version
				name, data := "job", any(nil)
				if data, err = s.view(ctx, j); err != nil { // the answer has begun, so the problem is sent as an event
					name, data = "problem", explain(ctx, err)
				}
				if emit(w, event(name, last, data)) != nil {
					return
				}
			}
			if j.State.Ended() {
				_ = emit(w, event("end", last, map[string]client.State{"state": j.State}))
				return
			}
			waiting, cancel := s.untilStop(ctx, s.o.KeepAlive)
			next, err := s.o.Jobs.Watch(waiting, j.ID, j.Version)
			over := waiting.Err()
			cancel()
			switch {
			case err == nil:
				j = next
			case over != context.DeadlineExceeded || emit(w, []byte(": alive\n\n")) != nil:
				return
			}
		}
	}, nil
}

func event(name string, id int64, data any) []byte {
	return fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", id, name, quoted(data))
}

func emit(w http.ResponseWriter, piece []byte) error {
	if _, err := w.Write(piece); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}
