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
//	3    a limit was reached: of memory, of time, of what an engine can hold
//	130  interrupted
//
// (4, a check disagreed, belongs to verbs that check.) An error in a call carries
// its code from the place that knows it, see [usage]. The others have that of
// their kind, see [codes].
//
// # Non-goals
//
// No globals: a tree of commands is built for each call of [Main] around one
// [app], so that tests can run verbs side by side.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/human"
	"github.com/pavage/pavage/internal/machine"
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
	config config.Config
	limits job.Limits // of the settings, but for time: run's context has that
	log    zerolog.Logger
}

// Main runs the verb that the arguments name and returns the exit code. It
// ends with code 130 soon after an interrupt or a request to terminate; a
// second one kills the process in the usual way.
func Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot(&app{Streams: streams, log: zerolog.Nop()})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return codeDone
	}
	fmt.Fprintln(streams.Err, "pavage: "+human.OneLine(err.Error()))
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return codeUsage // cobra's own: no verb has run
}

// Tree is the tree of verbs, to be described and not to be run.
func Tree() *cobra.Command { return newRoot(&app{}) }

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "pavage",
		Short: "Count tilings without listing them, draw fair samples, check counts",
		Long: `Pavage counts tilings and other exact covers without listing them. It also
draws random tilings, all equally likely, and checks its counts.

A PUZZLE is a file (YAML or JSON), or - for standard input, or name:EXAMPLE for
a puzzle that is inside the program. Or give --board and --piece in its place.
A file may also be an exact cover, as "pavage convert --to cover" writes it.

Settings come from the program's defaults, then from the file that --config or
PAVAGE_CONFIG names, then from the environment (PAVAGE_THREADS,
PAVAGE_LOG_LEVEL, …), then from flags. The last one wins.

Exit codes: 0 done, 1 failure, 2 bad puzzle or usage, 3 a limit was reached (of
memory, of time, or of what an engine can hold), 4 a check disagreed, 130
interrupted.`,
		Example: `  pavage count examples/pentominoes-6x10.yaml
  pavage count --board 8x8 --piece domino=any
  pavage sample name:pentominoes-6x10 -n 3 --seed 7
  pavage list name:pentominoes-3x20 --distinct
  pavage show name:pentominoes-6x10`,
		Version:       version(), // makes --version
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	config.FileFlag(root.PersistentFlags())
	config.Flags(root.PersistentFlags(), "color", "progress", "log.level", "log.format")
	root.AddCommand(newChild(a), newConvert(a), newCount(a), newExamples(a), newList(a), newSample(a), newSequence(a), newShow(a), newVerify(a), newVersion(a))
	root.InitDefaultHelpCmd()
	completeSettings(root)
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			strict(cmd)
		}
	}
	return root
}

// strict makes help about an unknown verb the same error as the verb itself.
func strict(help *cobra.Command) {
	show := help.Run
	help.Run = nil
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if _, _, err := cmd.Root().Find(args); err != nil {
			return err
		}
		show(cmd, args)
		return nil
	}
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
		a.resolve()
		return a.coded(do(ctx, args))
	}
}

// resolve makes limits of the settings. Free memory is asked for once, and the garbage
// collector is set once: this process does one piece of work, or divides these limits.
func (a *app) resolve() {
	a.limits = job.Resolve(int64(a.config.Memory), a.config.Threads, a.config.Disk)
	_, set := os.LookupEnv("GOGC")
	machine.Collect(a.limits.Memory, set)
}
