package server

import (
	"cmp"
	"context"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"github.com/pavage/pavage/server/access"
)

// Timeouts are how long clients may take. A field that is zero has the default.
type Timeouts struct {
	Header time.Duration // to send the head of a request: 5 s
	Body   time.Duration // to send the whole of a request: 10 s
	Write  time.Duration // to receive a piece of an answer: 30 s
	Idle   time.Duration // between two requests: 60 s
}

func (t Timeouts) orDefaults() Timeouts {
	return Timeouts{
		Header: cmp.Or(t.Header, 5*time.Second), Body: cmp.Or(t.Body, 10*time.Second),
		Write: cmp.Or(t.Write, 30*time.Second), Idle: cmp.Or(t.Idle, time.Minute),
	}
}

const (
	// maxHeaderBytes bounds the head of a request: a puzzle may stand in its query.
	maxHeaderBytes = 64 << 10
	// maxConnections is how many connections an address of the service has at once. Each
	// connection takes about 10 KiB and a file descriptor. Most systems give a process
	// 4096 file descriptors or more.
	maxConnections = 3000
)

// front is an address with a handler.
type front struct {
	what     string
	listener net.Listener
	server   *http.Server
}

// listen opens all addresses before it accepts a connection. So of two services with
// the same address only one begins.
func (s *service) listen() error {
	// Anybody may ask whether the service is well.
	api, metrics := s.healthPaths(), s.metrics.Handler()
	api.rest = s.guard.Wrap(s.whileOpen(known(paths{rest: s.api(), of: map[string]http.Handler{
		"/metrics": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if p := access.From(r.Context()).Need(access.Admin); p != nil {
				access.WriteProblem(w, p)
				return
			}
			metrics.ServeHTTP(w, r)
		}),
	}})))
	health := s.healthPaths() // for programs that watch the service
	health.of["/metrics"] = metrics
	for _, f := range []struct {
		what, address string
		loopback      bool
		handler       http.Handler
	}{
		{"listen", s.c.Listen, s.c.Tokens == "", api},
		{"health", s.c.Health, false, health},
		{"pprof", s.c.Pprof, true, pprofHandler()},
	} {
		if f.address == "" {
			continue
		}
		if err := s.openFront(f.what, f.address, f.loopback, f.handler); err != nil {
			for _, opened := range s.fronts {
				opened.listener.Close()
			}
			return err
		}
	}
	return nil
}

// openFront opens an address.
func (s *service) openFront(what, address string, loopback bool, h http.Handler) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); loopback && (!ok || !at.IP.IsLoopback()) {
		l.Close()
		return settingError{fmt.Errorf("%s: %s is %v, which others may reach, want a loopback address such as 127.0.0.1", what, address, l.Addr())}
	}
	t := s.c.Timeouts.orDefaults()
	s.fronts = append(s.fronts, &front{what, netutil.LimitListener(l, maxConnections), &http.Server{
		Handler: s.watched(h, t.Write), MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: t.Header, ReadTimeout: t.Body, IdleTimeout: t.Idle,
		ErrorLog: stdlog.New(netLog{s.log}, "", 0),
	}})
	return nil
}

// shutdown waits until all answers are sent, or until ctx ends.
func (s *service) shutdown(ctx context.Context) {
	var all sync.WaitGroup
	for _, f := range s.fronts {
		all.Go(func() {
			if err := f.server.Shutdown(ctx); err != nil {
				s.log.Warn().Str("address", f.what).Msg("answers are cut off: the time to shut down is over")
				f.server.Close()
			}
		})
	}
	all.Wait()
}

func (s *service) healthPaths() paths {
	return paths{
		of: map[string]http.Handler{"/healthz": http.HandlerFunc(s.health.alive), "/readyz": http.HandlerFunc(s.health.ready)},
		rest: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			access.WriteProblem(w, access.NewProblem(http.StatusNotFound, "there is nothing at this path, want /healthz, /readyz or /metrics"))
		}),
	}
}

// paths has a handler for each of a few paths, which accept GET and HEAD only, and one
// for all other paths. (An http.ServeMux redirects paths such as /a/../b, which the API
// refuses.)
type paths struct {
	of   map[string]http.Handler
	rest http.Handler
}

func (p paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, known := p.of[r.URL.Path]
	switch {
	case !known:
		p.rest.ServeHTTP(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		access.WriteProblem(w, access.NewProblem(http.StatusMethodNotAllowed, "the method is %.20q, want GET or HEAD", r.Method))
	default:
		r.Pattern = "GET " + r.URL.Path
		h.ServeHTTP(w, r)
	}
}

// whileOpen refuses requests when the service is about to end.
func (s *service) whileOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Err() != nil {
			refuseForNow(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// pprofHandler serves Go's profiles to programs on this machine, and not to web sites.
func pprofHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	guard, err := access.New(access.Options{})
	if err != nil {
		panic(err) // it has no file to read
	}
	return guard.Wrap(mux)
}
