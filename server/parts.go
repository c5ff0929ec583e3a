package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/metrics"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/server/worker"
)

type service struct {
	c       Config
	log     zerolog.Logger
	data    string
	queue   *queue.Queue
	store   *store.Store
	worker  *worker.Worker
	guard   *access.Guard
	metrics *metrics.Metrics
	health  health
	fronts  []*front // addresses on which the service listens

	stopping context.Context // ends when the shutdown begins
	stop     context.CancelFunc
	worked   chan struct{} // closed when work on jobs has ended
}

func open(ctx context.Context, c Config, log zerolog.Logger) (_ *service, err error) {
	s := &service{c: c, log: log, metrics: metrics.New(), worked: make(chan struct{})}
	s.stopping, s.stop = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	// The guard is made first. So no file is changed if the service may not listen at its address.
	s.guard, err = access.New(access.Options{
		Tokens: c.Tokens, Origins: c.Origins, PerMinute: c.PerMinute,
		Open: isOpen, Report: s.report,
	})
	if err == nil && c.Listen != "" {
		err = s.guard.MayListen(c.Listen)
	}
	if err != nil {
		return nil, settingError{err}
	}
	if s.data, err = DataFolder(c.Data); err != nil {
		return nil, err
	}
	database := filepath.Join(s.data, databaseFile)
	if c.Listen == "" && c.Database == "" {
		// This is no settingError, since a service may make the database later.
		if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: no database in this folder, expected the data folder of a running service (--data), or its database (--database)", s.data)
		}
	}
	if err := makeData(s.data); err != nil {
		return nil, err
	}
	s.store, err = store.Open(filepath.Join(s.data, storeFolder), store.Options{Quota: c.Quota, Keep: c.Retention})
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // the name of the host is only for people
	o := queue.Options{Retention: c.Retention, Worker: fmt.Sprintf("%s/%d", host, os.Getpid()), Report: s.report}
	if c.Database == "" {
		s.queue, err = queue.OpenSQLite(ctx, database, o)
	} else {
		s.queue, err = queue.OpenPostgres(ctx, c.Database, o)
	}
	if err != nil {
		return nil, err
	}
	s.warnOfMemory(machine.FreeMemory())
	limits := job.Resolve(c.Memory, c.Threads, job.NoDisk)
	_, set := os.LookupEnv("GOGC")
	machine.Collect(limits.Memory/4, set) // the children use the other three quarters
	s.worker, err = worker.New(s.queue, s.store, worker.Options{
		Limits: limits, Data: s.data, CheckpointEvery: c.Checkpoint, Log: log,
		Metrics: s.metrics,
		Child:   child.Options{Program: c.Program, Temp: c.Temp},
	})
	if err != nil {
		return nil, err
	}
	s.health = health{check: s.check, stopping: s.stopping, report: s.report}
	held := map[string]func() int64{"store": func() int64 { return s.store.Stats().Bytes }}
	maps.Copy(held, s.worker.Held())
	s.metrics.Watch(metrics.Sources{Held: held, Jobs: s.queue.Stats})
	return s, nil
}

// isOpen reports whether a path needs no token. Such paths lead to the web page, which asks the
// user for a token, and to the documents about the API.
func isOpen(path string) bool {
	return path == "/" || path == "/icon.svg" || strings.HasPrefix(path, "/assets/") ||
		path == "/docs" || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, "/openapi.")
}

func (s *service) report(event string, err error) { s.log.Error().Err(err).Msg(event) }

// leastMemory is enough for this process, which gets a quarter of it, and for one job in each lane
// with the smallest share that package worker gives.
const leastMemory = 256 << 20

func (s *service) warnOfMemory(free int64) {
	switch {
	case s.c.Memory == 0:
	case s.c.Memory < leastMemory:
		s.log.Warn().Str("memory", human.Size(s.c.Memory)).Str("expected", human.Size(leastMemory)).
			Msg("the memory limit is too small: many jobs will fail")
	case free > 0 && s.c.Memory > free:
		s.log.Warn().Str("memory", human.Size(s.c.Memory)).Str("free", human.Size(free)).
			Msg("the memory limit is greater than the free memory: the system may kill jobs")
	}
}

func (s *service) api() http.Handler {
	return api.New(api.Options{
		Work: s.worker, Jobs: s.queue, Version: s.c.Version, Private: s.c.Tokens != "", Stop: s.stopping,
		BodyTime: s.c.Timeouts.orDefaults().Body,
	})
}

func (s *service) check(ctx context.Context) error {
	if err := s.queue.Ping(ctx); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return writable(s.data)
}

// Work must have ended before close is called.
func (s *service) close() {
	var errs []error
	if s.worker != nil {
		errs = append(errs, s.worker.Close())
	}
	if s.queue != nil {
		errs = append(errs, s.queue.Close())
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	if err := errors.Join(errs...); err != nil {
		s.report("closing", err)
	}
}
