// Package server puts the parts of the service together, and ends them in order.
//
// # Purpose
//
// [Run] is the whole service in one process. [Work] has no API, and only does jobs that other
// processes accept. All these processes share the data folder and the database.
//
//	connection ─► limit of connections ──► request id, log, time limits
//	                                    │
//	          /healthz, /readyz ◄───────┼───► access ─► api, /metrics
//	           without token                 (who, how often)
//	                                               │ ▲
//	                                               ▼ │
//	                                    worker ─► quick work here, heavy work in children
//	                                      │ ▲
//	                                      ▼ │
//	                                 queue, store
//
//	DATA/pavage.db            jobs, unless another database is given
//	     store/               answers, by the key of the request
//	     checkpoints/ID/      checkpoints of the job with this id
//	     tmp/                 folders of children, unless Config.Temp names another place
//
// # How it shuts down
//
// When the context of Run ends, the service shuts down in this order:
//
//	1  /readyz answers 503; requests are refused with 503 and Retry-After; streams of events end
//	2  children stop at their checkpoints, and their jobs go back to the queue
//	3  answers that have begun are sent to their end
//	4  connections, worker, database and store are closed
//
// The shutdown takes at most Config.Drain. After that time, the service ends all remaining work at
// once. No job is lost: when the lease of a job has run out, another process continues the job from
// its checkpoint.
//
// # Limits of connections
//
// The service closes a connection whose request does not come in time. So a thousand slow
// clients use a thousand small buffers for a few seconds. The number of connections is
// limited, so that there are enough file descriptors. Further connections wait until
// others have ended.
//
// # Words
//
//   - A route is the pattern of a handler, such as GET /v1/jobs/{id}. Logs and metrics name
//     the route and not the path, since a path may have a puzzle or an id in it.
//   - A request id names a request in the log. It comes from the header X-Request-Id, or is
//     random. Every answer has it.
//
// # Non-goals
//
// This package does not count, store or decide anything: other packages do. It has no TLS; a proxy
// can add it.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"
)

// Config has the settings of the service.
type Config struct {
	Listen    string   // address of the API
	Data      string   // folder of the database, the answers and the checkpoints; in the user's home if ""
	Database  string   // a postgres:// URL; if "", SQLite in Data is used
	Temp      string   // folder for temporary files, not shared with other machines; tmp in Data if ""
	Tokens    string   // file of tokens; if "", no token is needed, and addresses must be loopback
	Origins   []string // web sites whose pages may use the service
	PerMinute int      // greatest number of requests per minute of a caller without a limit of its own; 0 means no limit

	Memory     int64         // memory in bytes for all processes together; three quarters of the free memory if 0
	Threads    int           // threads for all processes together; one for each core if 0
	Quota      int64         // greatest number of bytes of the files in the store; 0 means no limit
	Retention  time.Duration // time for which ended jobs and their answers are kept
	Checkpoint time.Duration // time between two checkpoints of a count
	Drain      time.Duration // longest time of the shutdown

	Health string // address of /healthz, /readyz and /metrics without tokens; none if ""
	Pprof  string // loopback address of Go's profiles; none if ""

	Version string
	Program string // program of the children; this program if ""
	Timeouts
	Ready func(At) // called when the service is ready for requests; may be nil
}

// At has the addresses on which a service listens.
type At struct {
	Address net.Addr // address of the API; nil if there is no API
	Health  net.Addr // address for Config.Health; nil if there is none
	Data    string
	Tokens  bool
}

// ErrSetting is wrapped by errors for settings that cannot be used.
var ErrSetting = errors.New("invalid setting")

type settingError struct{ error }

func (e settingError) Is(target error) bool { return target == ErrSetting }
func (e settingError) Unwrap() error        { return e.error }

// Run runs the service until ctx ends, and then shuts it down.
func Run(ctx context.Context, c Config, log zerolog.Logger) error {
	if c.Listen == "" {
		return settingError{errors.New("the address to listen on is empty, expected an address such as 127.0.0.1:8080")}
	}
	return serve(ctx, c, log)
}

// Work does the jobs of the database, without an API, until ctx ends, and then shuts down.
func Work(ctx context.Context, c Config, log zerolog.Logger) error {
	c.Listen = ""
	return serve(ctx, c, log)
}

func serve(ctx context.Context, c Config, log zerolog.Logger) error {
	s, err := open(ctx, c, log)
	if err != nil {
		return err
	}
	if err := s.listen(); err != nil {
		s.close()
		return err
	}
	s.tell()
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	parts, failed := errgroup.WithContext(ctx)
	parts.Go(func() error {
		defer close(s.worked)
		s.worker.Work(working)
		return nil
	})
	for _, f := range s.fronts {
		parts.Go(func() error {
			if err := f.server.Serve(f.listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("%s: %w", f.what, err)
			}
			return nil
		})
	}
	<-failed.Done() // ctx has ended, or a part has failed
	if err := s.drain(stop); err != nil {
		return err // database and store stay open, since work that has not stopped still uses them
	}
	err = parts.Wait()
	s.close()
	return err
}

func (s *service) drain(stopWork context.CancelFunc) error {
	s.log.Info().Stringer("at_most", s.c.Drain).Msg("the service is ending")
	late, cancel := context.WithTimeout(context.Background(), s.c.Drain)
	defer cancel()
	s.stop()
	stopWork()
	select {
	case <-s.worked:
		s.shutdown(late)
		s.log.Info().Msg("the service has ended")
		return nil
	case <-late.Done():
		s.shutdown(late)
		return fmt.Errorf("the work did not stop within %v; the jobs continue in another process, or after the next start", s.c.Drain)
	}
}

func (s *service) tell() {
	at := At{Data: s.data, Tokens: s.c.Tokens != ""}
	event, what := s.log.Info().Str("data", s.data), "the worker is ready"
	if s.c.Listen != "" {
		event, what = event.Bool("tokens", at.Tokens), "the service is ready"
	}
	for _, f := range s.fronts {
		switch f.what {
		case "listen":
			at.Address = f.listener.Addr()
		case "health":
			at.Health = f.listener.Addr()
		}
		event = event.Stringer(f.what, f.listener.Addr())
	}
	event.Msg(what)
	if s.c.Ready != nil {
		s.c.Ready(at)
	}
}
