// Package command is Pavage's command line, with one file for each verb.
//
// # Purpose
//
// A verb makes a request from its arguments, calls package job to do the work, and writes the
// answer. It decides nothing about tilings. All verbs work in the same way:
//
//	flags, environment, file ── config.Load ──► config.Config ──► job.Limits ──┐
//	arguments, flags ── Call.read ──────► job.Puzzle ──► job.Request ──────────┼─► job.Run
//	bars, log, tilings ◄───────────── watcher ◄───────── job.Watch ────────────┘      │
//	text, JSON, pictures ◄──────────────────── job.Answer ◄───────────────────────────┘
//
// Results go to standard output, everything else to standard error: the log, progress bars (on a
// terminal only), and, if the verb fails, one line with the error. A verb that fails writes no
// result.
//
// # Exit codes
//
//	0    done
//	1    failure
//	2    bad puzzle, bad setting or bad usage
//	3    a limit was reached: of memory, of time, of the disk, of an engine
//	4    a check has found a difference
//	130  interrupted
//
// For bad usage, the function that makes the error sets the code: see [usage]. For other errors,
// the kind of the error determines the code: see [codes].
//
// # Other programs
//
// A [Program] is a tree of verbs with the parts that all verbs need: settings, log, errors, exit
// codes, signals, --version, help. Pavage is a Program. Another Program has its own verbs. A
// function makes each verb, with [Call.Verb]:
//
//	p := command.Program{Name: "pavage-beam", Verbs: map[string]func(*command.Call) *cobra.Command{"count": newCount}}
//	os.Exit(p.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
//
// # Flags
//
// The flags of a verb are the fields of groups: plain structs whose tags describe flags. A request
// of package job is a group, and so are the options of pictures ([render.PictureOptions]) and the
// source of the puzzle. Usage, choices and the shell's completion come from the same tags: see the
// function declare.
//
// # Help
//
// -h writes a short help, --help a help with all flags. A text that several verbs need is a topic:
// a file of topics/. The command pavage help, the manual pages and the shell's completion read the
// topics. doc/ may link to these files.
//
// # Non-goals
//
// There are no global variables: each call of [Main] builds a tree of commands with its own [Call],
// so that tests can run verbs at the same time.
package command

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
)

// Streams has the files that a run reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Call has the values that all verbs of a program use, and the verb that runs.
type Call struct {
	Streams
	Config config.Config
	Limits job.Limits // limits from the settings; the context has the time limit
	Log    zerolog.Logger
	Args   []string
	Puzzle job.Puzzle // set if the verb has the argument PUZZLE
	Given  func(flag string) bool
	has    func(flag string) bool

	name   string
	topics []Topic
	source source
}

// Verb makes cmd load the settings and then call run. The verb has flags for the settings in keys
// and for the fields of the groups: see declare. If cmd.Use has PUZZLE, the verb also has the flags
// of a puzzle, and reads the puzzle. For the exit codes of errors see [Fail].
func (c *Call) Verb(cmd *cobra.Command, run func(context.Context) error, keys []string, groups ...any) *cobra.Command {
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	if strings.Contains(cmd.Use, "PUZZLE") {
		cmd.ValidArgsFunction = completePuzzle
		groups = append(groups, &c.source)
	}
	for _, g := range groups {
		declare(cmd, g)
	}
	config.Flags(cmd.Flags(), false, keys...)
	offer(cmd, cmd.Flags())
	renew(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		if c.Config, err = config.Load(cmd.Flags()); err != nil {
			return fail(codeUsage, err)
		}
		c.begin(cmd, args)
		ctx := cmd.Context()
		if c.Config.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = job.WithTimeLimit(ctx, c.Config.Timeout)
			defer cancel()
		}
		// Resolve measures the free memory, so it is called once, before the work.
		c.Limits = job.Resolve(int64(c.Config.Memory), c.Config.Threads, c.Config.Disk)
		_, set := os.LookupEnv("GOGC")
		machine.Collect(c.Limits.Memory, set)
		if strings.Contains(cmd.Use, " PUZZLE") {
			if c.Puzzle, err = c.read(ctx); err != nil {
				return c.coded(err)
			}
		}
		return c.coded(run(ctx))
	}
	return cmd
}

func (c *Call) begin(cmd *cobra.Command, args []string) {
	c.Args, c.Given = args, cmd.Flags().Changed
	c.has = func(flag string) bool {
		f := cmd.Flags().Lookup(flag)
		return f != nil && f.Name == flag // Lookup also finds former names of flags
	}
	w := c.Err
	if c.Config.Log.Format == "text" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !colored("auto", w)}
	}
	level := zerolog.Disabled // for the setting "off"
	if c.Config.Log.Level != "off" {
		level, _ = zerolog.ParseLevel(c.Config.Log.Level) // package config has checked the level
	}
	c.Log = zerolog.New(w).Level(level).With().Timestamp().Logger()
	for _, warning := range config.Unknown(os.Environ()) {
		c.Log.Warn().Msg(warning)
	}
}

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

// colored reports whether text for w has colours. If the argument when is "auto", w must be a
// terminal, and NO_COLOR must be empty: see https://no-color.org.
func colored(when string, w io.Writer) bool {
	return wanted(when, w) && (when == "always" || os.Getenv("NO_COLOR") == "")
}
