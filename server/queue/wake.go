package queue

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"
)

// wake is River's job: it says that a job of ours may be queued. It is done when some
// process has looked, whatever becomes of our job.
type wake struct {
	ID string `json:"id"`
}

// Kind is its name in River's table.
func (wake) Kind() string { return "pavage_wake" }

// wakes adds and takes wakes, with River. T is the transaction type of River's driver.
type wakes[T any] struct {
	driver riverdriver.Driver[T]
	poll   time.Duration
	log    *slog.Logger
	maker  *river.Client[T]
}

// Settings of River.
const (
	// fetchCooldown is how long River waits between two looks for wakes, and between two
	// notifications to other processes. Its default, 100 ms, would be added to every job
	// that comes within 100 ms of another.
	fetchCooldown = time.Millisecond
	// wakeRetention is how long River keeps wakes that are done, for people who look at
	// the table.
	wakeRetention = 10 * time.Minute
	// rescueAfter is when River offers a wake again that a process took long ago. If that
	// process still works, the second wake finds the job running and is done. If the
	// process is dead, the job has got another wake long ago.
	rescueAfter = 24 * time.Hour
)

func newWakes[T any](driver riverdriver.Driver[T], poll time.Duration, report func(string, error)) (*wakes[T], error) {
	b := &wakes[T]{driver: driver, poll: poll, log: slog.New(&reporter{report: report})}
	var err error
	b.maker, err = river.NewClient(driver, b.config())
	return b, err
}

func (b *wakes[T]) config() *river.Config {
	return &river.Config{
		Logger:                      b.log,
		FetchCooldown:               fetchCooldown,
		FetchPollInterval:           b.poll,
		JobTimeout:                  -1,
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: wakeRetention,
		CancelledJobRetentionPeriod: wakeRetention,
		DiscardedJobRetentionPeriod: wakeRetention,
	}
}

// add adds a wake in a transaction.
func (b *wakes[T]) add(ctx context.Context, tx T, id string, l Lane) (int64, error) {
	made, err := b.maker.InsertTx(ctx, tx, wake{ID: id}, &river.InsertOpts{Queue: string(l)})
	if err != nil {
		return 0, err
	}
	return made.Job.ID, nil
}

// listen takes wakes until stop is called.
func (b *wakes[T]) listen(ctx context.Context, slots map[Lane]int, take func(id string)) (stop func() error, err error) {
	c := b.config()
	c.Queues = map[string]river.QueueConfig{}
	for l, n := range slots {
		c.Queues[string(l)] = river.QueueConfig{MaxWorkers: n}
	}
	c.Workers = river.NewWorkers()
	river.AddWorker(c.Workers, river.WorkFunc(func(_ context.Context, j *river.Job[wake]) error {
		take(j.Args.ID)
		return nil // whatever became of our job, River is not to try again
	}))
	taker, err := river.NewClient(b.driver, c)
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := taker.Start(ctx); err != nil {
		return nil, err
	}
	return func() error { return taker.Stop(ctx) }, nil
}

// migrate makes River's tables.
func (b *wakes[T]) migrate(ctx context.Context) error {
	m, err := rivermigrate.New(b.driver, &rivermigrate.Config{Logger: b.log})
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// reporter is a slog handler that reports warnings and errors.
type reporter struct {
	report func(string, error)
	with   []slog.Attr
}

func (r *reporter) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

func (r *reporter) Handle(_ context.Context, said slog.Record) error {
	var more []string
	add := func(a slog.Attr) bool { more = append(more, a.String()); return true }
	for _, a := range r.with {
		add(a)
	}
	said.Attrs(add)
	r.report("River: "+said.Message, line{errors.New(strings.Join(more, " "))})
	return nil
}

func (r *reporter) WithAttrs(more []slog.Attr) slog.Handler {
	return &reporter{report: r.report, with: append(r.with[:len(r.with):len(r.with)], more...)}
}

func (r *reporter) WithGroup(string) slog.Handler { return r }
