package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"syscall/js"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/internal/kit/jsbytes"
	"github.com/pavage/pavage/server/access"
)

// front answers the requests of the page.
type front struct {
	api  http.Handler
	log  zerolog.Logger
	mu   sync.Mutex
	open map[int]context.CancelFunc // the requests that are not answered yet, by their number
}

// serve begins to answer a request. Its arguments are a number, the method, the URL, the headers as a
// list of names and values in turn, and the body or null.
func (f *front) serve(_ js.Value, args []js.Value) any {
	id, body := args[0].Int(), io.Reader(http.NoBody)
	if !args[4].IsNull() {
		body = bytes.NewReader(jsbytes.From(args[4]))
	}
	ctx, cancel := context.WithCancel(access.With(f.log.WithContext(context.Background()), local))
	r, err := http.NewRequestWithContext(ctx, args[1].String(), args[2].String(), body)
	if err != nil {
		cancel()
		js.Global().Call("over", id, false)
		return nil
	}
	r.RequestURI = r.URL.RequestURI()
	for i := 0; i < args[3].Length(); i += 2 {
		r.Header.Add(args[3].Index(i).String(), args[3].Index(i+1).String())
	}
	f.mu.Lock()
	f.open[id] = cancel
	f.mu.Unlock()
	go f.answer(id, r)
	return nil
}

// abort ends the context of a request, whose answer nobody waits for.
func (f *front) abort(_ js.Value, args []js.Value) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if cancel := f.open[args[0].Int()]; cancel != nil {
		cancel()
	}
	return nil
}

func (f *front) answer(id int, r *http.Request) {
	w := &answer{id: id, ctx: r.Context(), header: http.Header{}, yielded: time.Now()}
	complete := false // the page gives up an answer that is cut off, whether it has a head or not
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			f.log.Error().Any("panic", p).Str("path", r.URL.Path).Msg("a request made the program panic")
			if !w.begun {
				access.WriteProblem(w, access.NewProblem(http.StatusInternalServerError, "the program made a mistake (a panic)"))
				complete = true
			}
		}
		if complete {
			w.WriteHeader(http.StatusOK)
		}
		js.Global().Call("over", id, complete)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.open[id]()
		delete(f.open, id)
	}()
	f.api.ServeHTTP(w, r)
	complete = true
}

// answer is an answer on its way to the page.
type answer struct {
	id      int
	ctx     context.Context
	header  http.Header
	begun   bool
	yielded time.Time
}

func (w *answer) Header() http.Header { return w.header }

func (w *answer) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	headers := js.Global().Get("Array").New()
	for name, values := range w.header {
		for _, value := range values {
			headers.Call("push", name, value)
		}
	}
	js.Global().Call("head", w.id, status, headers)
}

// yieldEvery is how long an answer is written before this thread looks for messages of the page, which
// may have no more use for the answer.
const yieldEvery = 50 * time.Millisecond

func (w *answer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if time.Since(w.yielded) > yieldEvery {
		time.Sleep(1)
		w.yielded = time.Now()
	}
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	js.Global().Call("piece", w.id, jsbytes.To(b))
	return len(b), nil
}

// Flush is for [http.ResponseController]. Each piece is sent at once.
func (w *answer) Flush() {}

// SetReadDeadline is for [http.ResponseController]. A request has been read as a whole.
func (w *answer) SetReadDeadline(time.Time) error { return nil }
