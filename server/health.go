package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/pavage/pavage/server/access"
)

const (
	checkPatience = 2 * time.Second
	checkEvery    = time.Second // least time between two calls of health.check, even if clients ask more often
)

type health struct {
	check    func(ctx context.Context) error
	stopping context.Context
	report   func(event string, err error)

	mutex  sync.Mutex
	looked time.Time
	found  error
}

func (*health) alive(w http.ResponseWriter, _ *http.Request) { say(w, "ok\n") }

// ready answers /readyz. The answer has no reason for a failure, since every client may ask.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	switch {
	case h.stopping.Err() != nil:
		refuseForNow(w)
	case h.look(r.Context()) != nil:
		access.WriteProblem(w, access.NewProblem(http.StatusServiceUnavailable, "the database or the data folder cannot be used; the log of the service has the error"))
	default:
		say(w, "ready\n")
	}
}

func (h *health) look(ctx context.Context) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if now := time.Now(); now.Sub(h.looked) >= checkEvery {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkPatience)
		defer cancel()
		h.looked, h.found = now, h.check(ctx)
		if h.found != nil {
			h.report("the service is not ready", h.found)
		}
	}
	return h.found
}

func say(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // an error means that the client has disconnected
}

func refuseForNow(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	access.WriteProblem(w, access.NewProblem(http.StatusServiceUnavailable, "the service is shutting down or restarting"))
}
