// Package command is Pavage's command line: one file a verb.
//
// # Purpose
//
// A verb makes a request of its arguments, has package job do the work, and
// writes the answer. It decides nothing about tilings. The way of every verb is
// the same:
//
//	flags, environment, file ── config.Load ──► config.Config ──► job.Limits ──┐
//	arguments, flags ── source.puzzle ──► job.Puzzle ──► job.Request ──────────┼─► job.Run
//	bars, log, tilings ◄───────────── watcher ◄───────── job.Watch ────────────┘      │
//	text, JSON, pictures ◄──────────────────── job.Answer ◄───────────────────────────┘
//
// Results go to standard output, everything else to standard error: the log,
// progress bars (on a terminal only), and, if the verb fails, one line that
// says why. A verb that fails writes no result.
//
// # Exit codes
//
//	0    done
//	1    failure
//	2    bad puzzle, bad setting or bad usage
//	3    a limit was reached: of memory, of time, of the disk, of what an engine can hold
//	130  interrupted
//
// (4, a check disagreed, belongs to verbs that check.) An error in a call carries
// its code from the place that knows it, see [usage]. The others have that of
// their kind, see [codes].
//
// # Other programs
//
// A [Program] is a tree of verbs with all that they share: settings, log, errors, exit
// codes, signals, --version, help. Pavage is one. Another program has its own verbs, which
// find in a [Call] what pavage's verbs find in an app:
//
//	p := command.Program{Name: "pavage-beam", Verbs: []command.Verb{{Use: "count PUZZLE", Run: count}}}
//	os.Exit(p.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
//
// # Non-goals
//
// No globals: a tree of commands is built for each call of [Main] around one
// [app], so that tests can run verbs side by side.
package command

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
)

// Streams are the files a run reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// app is what the verbs of one run share. Its settings are loaded, and its
// log opened, when the verb has been chosen and its flags parsed.
type app struct {
	Streams
	name   string // of the program
	config config.Config
	limits job.Limits // of the settings, but for time: run's context has that
	log    zerolog.Logger
}

// verb is what a command does once settings are loaded.
type verb func(ctx context.Context, args []string) error

// run makes a verb cobra's RunE: settings before it, exit codes after it.
func (a *app) run(do verb) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := config.Load(cmd.Flags())
		if err != nil {
			return fail(codeUsage, err)
		}
		a.config, a.log = c, newLog(a.Err, c.Log)
		for _, warning := range config.Unknown(os.Environ()) {
			a.log.Warn().Msg(warning)
		}
		ctx := cmd.Context()
		if c.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = job.WithTimeLimit(ctx, c.Timeout)
			defer cancel()
		}
		// Resolve reads the free memory, and Collect sets the garbage collector, once in a process: it does
		// one piece of work, or divides these limits.
		a.limits = job.Resolve(int64(a.config.Memory), a.config.Threads, a.config.Disk)
		_, set := os.LookupEnv("GOGC")
		machine.Collect(a.limits.Memory, set)
		return a.coded(do(ctx, args))
	}
}

// newLog opens the log on w. Its level and format have been validated.
func newLog(w io.Writer, c config.Log) zerolog.Logger {
	if c.Format == "text" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !colored("auto", w)}
	}
	level := zerolog.Disabled // what the setting calls off
	if c.Level != "off" {
		level, _ = zerolog.ParseLevel(c.Level)
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// wanted decides auto, always, never for something that only makes sense on
// a terminal.
func wanted(when string, w io.Writer) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored is wanted for colours, which https://no-color.org can switch off.
func colored(when string, w io.Writer) bool {
	return wanted(when, w) && (when == "always" || os.Getenv("NO_COLOR") == "")
}
