// Package command is Pavage's command line: one file a verb.
//
// # Purpose
//
// A verb reads its arguments, calls the libraries, and writes. It decides
// nothing about tilings. The way of every verb is the same:
//
//	arguments ── source.read ──▶ tiling.Puzzle ──▶ tiling.Model ─┬─ show
//	flags, environment, file ── config.Load ──▶ config.Config    ├─ count.Count
//	                                                             ├─ count.Each ─ list ─ render
//	                                                             └─ count.Compile ─ sample ─ render
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
// (4, a check disagreed, belongs to verbs that check.) An error carries its
// code from the place that knows it, see [fail]; [codeOf] tells the codes of
// the libraries' errors.
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
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/count"
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
	fmt.Fprintln(streams.Err, "pavage: "+oneLine(err.Error()))
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return codeUsage // cobra's own: no verb has run
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "pavage",
		Short: "Count tilings without listing them, draw fair samples, check counts",
		Long: `Pavage counts tilings and other exact covers without listing them. It also
draws random tilings, all equally likely, and checks its counts.

A PUZZLE is a file (YAML or JSON), or - for standard input, or name:EXAMPLE for
a puzzle that is inside the program. Or give --board and --piece in its place.

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
	root.AddCommand(newConvert(a), newCount(a), newList(a), newSample(a), newSequence(a), newShow(a), newVerify(a), newVersion(a))
	root.InitDefaultHelpCmd()
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
			ctx, cancel = context.WithTimeout(ctx, c.Timeout)
			defer cancel()
		}
		return a.coded(do(ctx, args))
	}
}

// engine is the one that the settings name.
func (a *app) engine() count.Engine { return count.Engine(a.config.Engine) }

// options are the settings as package count wants them.
func (a *app) options(report func(count.Progress)) count.Options {
	threads := a.config.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	memory := int64(a.config.Memory)
	if memory == 0 {
		memory = availableMemory() / 4 * 3 // better our error than the kernel's killing
	}
	if memory > 0 {
		// The count's own arrays stay below the limit; this makes Go collect
		// what they leave behind before the process doubles in size.
		debug.SetMemoryLimit(memory)
	}
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(garbagePercent)
	}
	return count.Options{
		Limits: count.Limits{Threads: threads, Memory: memory, Disk: a.disk()},
		Watch:  count.Watch{Progress: report},
	}
}

// garbagePercent of what is in use may be garbage. Levels are a few large arrays
// without pointers, which cost the collector nothing. (14x14 tetrominoes: 16 GB
// with Go's 100, for levels of 10.)
const garbagePercent = 20

// checkDisk tries that levels can be kept in the directory that was asked for.
func (a *app) checkDisk() error {
	if a.config.Disk == "" || a.config.Disk == "none" {
		return nil
	}
	f, err := os.CreateTemp(a.config.Disk, "pavage-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return usage("disk is %.60q, want a directory to keep levels in: %w", a.config.Disk, err)
	}
	return nil
}

// disk is the directory for levels, empty for none. The system's for temporary
// files will not do where it is a part of memory.
func (a *app) disk() string {
	switch a.config.Disk {
	case "":
		for _, dir := range []string{os.TempDir(), "/var/tmp"} {
			if onDisk(dir) {
				return dir
			}
		}
		return ""
	case "none":
		return ""
	}
	return a.config.Disk
}

// oneLine puts what stands on several lines, as joined errors do, on one, folds
// every run of white space, and drops what a terminal would act
// on: errors quote their input, which may be anything.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	s = strings.Join(lines, "; ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}
