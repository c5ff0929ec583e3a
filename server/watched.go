package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/server/access"
)

type seen struct {
	caller string
	route  string // pattern of the handler; "" if there is none
}

type seenKey struct{}

func (s *service) watched(next http.Handler, stall time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin, what := time.Now(), &seen{}
		id := r.Header.Get("X-Request-Id")
		if access.CheckName(id) != nil { // an invalid id must not reach the log
			id = rand.Text()[:16]
		}
		log := s.log.With().Str("id", id).Logger()
		w.Header().Set("X-Request-Id", id)
		if r.ContentLength != 0 {
			// With this header, net/http does not read the rest of the body before the answer. A
			// handler that has read the whole body removes the header.
			w.Header().Set("Connection", "close")
		}
		answer := &answer{ResponseWriter: w, control: http.NewResponseController(w), stall: stall}
		answer.extend()
		r = r.WithContext(context.WithValue(log.WithContext(r.Context()), seenKey{}, what))
		defer func() {
			broken := recover() // handlers panic with http.ErrAbortHandler on purpose
			if broken != nil && broken != http.ErrAbortHandler {
				log.Error().Str("panic", fmt.Sprint(broken)).Bytes("stack", debug.Stack()).Msg("a handler panicked")
				if answer.status == 0 {
					access.WriteProblem(answer, access.NewProblem(http.StatusInternalServerError, "the service failed, and its log has the error"))
					broken = nil
				}
			}
			if what.route == "" {
				what.route = r.Pattern
			}
			s.note(log, r, answer, what, time.Since(begin))
			if broken != nil {
				panic(http.ErrAbortHandler) // the connection is closed, so that the client detects the incomplete answer
			}
			if r.ContentLength != 0 && w.Header().Get("Connection") == "close" && r.Header.Get("Expect") == "" {
				// More of the body is read, since otherwise a reset may overtake the answer.
				if answer.control.Flush() == nil {
					_ = answer.control.SetReadDeadline(time.Now().Add(s.c.Timeouts.orDefaults().Body)) // the writers of some tests have no deadlines
					_, _ = io.CopyN(io.Discard, r.Body, lingerBytes)
				}
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// note logs no path, query or body, since they may have ids and puzzles.
func (s *service) note(log zerolog.Logger, r *http.Request, a *answer, what *seen, took time.Duration) {
	route := what.route
	if route == "" || route == "/" {
		route = "none"
	}
	status := a.status
	if status == 0 {
		status = http.StatusOK // net/http sends this status if the handler sets none
	}
	s.metrics.Request(route, status, took.Seconds())
	level := zerolog.InfoLevel
	if strings.HasSuffix(route, "z") || strings.HasSuffix(route, "/metrics") {
		level = zerolog.DebugLevel // programs request these paths every few seconds
	}
	method := "other" // the method of a request may be any word
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		method = r.Method
	}
	log.WithLevel(level).Str("caller", what.caller).Str("method", method).Str("route", route).Int("status", status).
		Int64("bytes", a.bytes).Float64("ms", float64(took.Microseconds())/1000).Str("remote", r.RemoteAddr).Msg("request")
}

// answer limits the time for each piece of an answer. A limit for all pieces would cut off streams.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	status  int // status of the answer; 0 before the first write
	bytes   int64
}

func (a *answer) extend() {
	_ = a.control.SetWriteDeadline(time.Now().Add(a.stall)) // the writers of some tests have no deadlines
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 { // a status below 200 does not begin the answer
		a.status = status
	}
	a.extend()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.extend()
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// FlushError is for [http.ResponseController].
func (a *answer) FlushError() error {
	a.extend()
	return a.control.Flush()
}

const lingerBytes = 64 << 20

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

type netLog struct{ log zerolog.Logger }

func (n netLog) Write(p []byte) (int, error) {
	n.log.Debug().Msg(strings.TrimSpace(string(p)))
	return len(p), nil
}
