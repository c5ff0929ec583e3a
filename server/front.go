package server

import (
	"cmp"
	"context"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"github.com/pavage/pavage/server/access"
)

// Timeouts has the time limits of the parts of a request. If a field is 0, its default is used.
type Timeouts struct {
	Header time.Duration // time to receive the head of a request; 5 s by default
	Body   time.Duration // time to receive the whole request; 10 s by default
	Write  time.Duration // time to send a piece of an answer; 30 s by default
	Idle   time.Duration // time between two requests on a connection; 60 s by default
}

func (t Timeouts) orDefaults() Timeouts {
	return Timeouts{
		Header: cmp.Or(t.Header, 5*time.Second), Body: cmp.Or(t.Body, 10*time.Second),
		Write: cmp.Or(t.Write, 30*time.Second), Idle: cmp.Or(t.Idle, time.Minute),
	}
}

const (
	maxHeaderBytes = 64 << 10 // large, since the query may have a puzzle
	// A connection uses about 10 KiB and a file descriptor. Most systems allow 4096 descriptors or more.
	maxConnections = 3000
)

type front struct {
	what     string
	listener net.Listener
	server   *http.Server
}

// listen opens all addresses before it accepts a connection. It fails if one of them is in use.
func (s *service) listen() error {
	// At the address Config.Health, these paths need no token.
	health := http.NewServeMux()
	health.HandleFunc("GET /healthz", s.health.alive)
	health.HandleFunc("GET /readyz", s.health.ready)
	health.Handle("GET /metrics", s.metrics.Handler())
	api := s.api()
	guarded := s.guard.Wrap(s.whileOpen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			api.ServeHTTP(w, r)
		} else if p := access.From(r.Context()).Need(access.Admin); p != nil {
			access.WriteProblem(w, p)
		} else {
			health.ServeHTTP(w, r)
		}
	})))
	public := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			health.ServeHTTP(w, r)
		} else {
			guarded.ServeHTTP(w, r)
		}
	})
	for _, f := range []struct {
		what, address string
		loopback      bool
		handler       http.Handler
	}{
		{"listen", s.c.Listen, s.c.Tokens == "", public},
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

func (s *service) openFront(what, address string, loopback bool, h http.Handler) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); loopback && (!ok || !at.IP.IsLoopback()) {
		l.Close()
		return settingError{fmt.Errorf("%s: %s is %v, which other machines may reach, expected a loopback address such as 127.0.0.1", what, address, l.Addr())}
	}
	t := s.c.Timeouts.orDefaults()
	s.fronts = append(s.fronts, &front{what, netutil.LimitListener(l, maxConnections), &http.Server{
		Handler: s.watched(h, t.Write), MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: t.Header, ReadTimeout: t.Body, IdleTimeout: t.Idle,
		ErrorLog: stdlog.New(netLog{s.log}, "", 0),
	}})
	return nil
}

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

// whileOpen records the caller and the route, and refuses requests when the service is about to end.
func (s *service) whileOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if what, ok := r.Context().Value(seenKey{}).(*seen); ok {
			what.caller = access.From(r.Context()).Name
			defer func() { what.route = r.Pattern }()
		}
		if s.stopping.Err() != nil {
			refuseForNow(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func pprofHandler() http.Handler {
	guard, err := access.New(access.Options{})
	if err != nil {
		panic(err) // a guard without a file of tokens cannot fail
	}
	return guard.Wrap(http.DefaultServeMux) // net/http/pprof registers its pages there
}
