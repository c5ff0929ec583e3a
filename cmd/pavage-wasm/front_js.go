package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"syscall/js"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/internal/kit/jsbytes"
	"github.com/pavage/pavage/server/access"
)

type front struct {
	api  http.Handler
	log  zerolog.Logger
	mu   sync.Mutex
	open map[int]*answer // incomplete answers, indexed by the id of the request
}

// serve answers a request. The list args has the id, method, URL, headers and body of the request.
// The headers are a list: name, value, name, value, and so on.
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
	w := &answer{id: id, ctx: ctx, cancel: cancel, header: http.Header{}, room: semaphore.NewWeighted(onTheWay)}
	f.mu.Lock()
	f.open[id] = w
	f.mu.Unlock()
	go f.answer(w, r)
	return nil
}

func (f *front) abort(_ js.Value, args []js.Value) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.open[args[0].Int()]; w != nil {
		w.cancel()
	}
	return nil
}

func (f *front) taken(_ js.Value, args []js.Value) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.open[args[0].Int()]; w != nil {
		w.room.Release(int64(args[1].Int()))
	}
	return nil
}

func (f *front) answer(w *answer, r *http.Request) {
	complete := false // if false at the end, the page discards the answer
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			f.log.Error().Any("panic", p).Str("path", r.URL.Path).Msg("a request made the program panic")
			if !w.begun {
				access.WriteProblem(w, access.NewProblem(http.StatusInternalServerError, "internal error (a panic)"))
				complete = true
			}
		}
		if complete {
			w.WriteHeader(http.StatusOK)
		}
		js.Global().Call("over", w.id, complete)
		w.cancel()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.open, w.id)
	}()
	f.api.ServeHTTP(w, r)
	complete = true
}

type answer struct {
	id     int
	ctx    context.Context
	cancel context.CancelFunc
	header http.Header
	begun  bool
	room   *semaphore.Weighted
}

// When onTheWay bytes were sent and not yet taken by the page, Write waits until it takes some.
const onTheWay = 128 << 10

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

func (w *answer) Write(b []byte) (n int, err error) {
	w.WriteHeader(http.StatusOK)
	for piece := range slices.Chunk(b, onTheWay) {
		if w.room.Acquire(w.ctx, int64(len(piece))) != nil {
			return n, context.Cause(w.ctx)
		}
		js.Global().Call("piece", w.id, jsbytes.To(piece))
		n += len(piece)
	}
	return n, nil
}

// Flush is for [http.ResponseController]. It does nothing, since Write has no buffer.
func (w *answer) Flush() {}

// SetReadDeadline is for [http.ResponseController]. The whole body has been read already.
func (w *answer) SetReadDeadline(time.Time) error { return nil }
