// Package command is Pavage's command line: one file a verb.
//
// # Purpose
//
// A verb makes a request of its arguments, has package job do the work, and writes the answer. It
// decides nothing about tilings. All verbs work in the same way:
//
//	flags, environment, file ── config.Load ──► config.Config ──► job.Limits ──┐
//	arguments, flags ── Call.read ──────► job.Puzzle ──► job.Request ──────────┼─► job.Run
//	bars, log, tilings ◄───────────── watcher ◄───────── job.Watch ────────────┘      │
//	text, JSON, pictures ◄──────────────────── job.Answer ◄───────────────────────────┘
//
// Results go to standard output, everything else to standard error: the log,
// progress bars (on a terminal only), and, if the verb fails, one line with the
// error. A verb that fails writes no result.
//
// # Exit codes
//
//	0    done
//	1    failure
//	2    bad puzzle, bad setting or bad usage
//	3    a limit was reached: of memory, of time, of the disk, of an engine
//	130  interrupted
//
// (4, a check disagreed, belongs to verbs that check.) An error in a call carries
// its code from the function that made it, see [usage]. The others have the code of
// their kind, see [codes].
//
// # Other programs
//
// A [Program] is a tree of verbs with all that they share: settings, log, errors, exit
// codes, signals, --version, help. Pavage is one. Another program has its own verbs, each of
// which is made of a [Call]:
//
//	p := command.Program{Name: "pavage-beam", Verbs: map[string]func(*command.Call) *cobra.Command{"count": newCount}}
//	os.Exit(p.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
//
// # Flags
//
// A verb is made of groups: plain structs whose fields are its flags by their tags. A
// request of package job is a group, and so are the options of pictures
// ([render.PictureOptions]) and the source of the puzzle. Usage, choices and
// the shell's completion come from the same tags, see declare.
//
// # Help
//
// -h is short, --help has all flags. Prose that several verbs need is a topic, a file of topics/,
// which pavage help, the manual pages and the shell's completion read. doc/ may link to these files.
//
// # Non-goals
//
// No globals: a tree of commands is built for each call of [Main] around one
// [Call], so that tests can run verbs side by side.
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
	Limits job.Limits // limits of the settings, except the time, which is in the context
	Log    zerolog.Logger
	Args   []string
	Puzzle job.Puzzle // puzzle of a verb with PUZZLE
	Given  func(flag string) bool
	has    func(flag string) bool // reports whether the verb has the flag

	name   string // name of the program
	topics []Topic
	source source // source of the puzzle
}

// Verb makes cmd call run after the settings are loaded. The verb has the flags of the settings keys and
// of the groups, see declare. If cmd.Use has PUZZLE, the verb also has the flags of a puzzle, and reads
// the puzzle. For errors see [Fail].
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
		// Resolve is called once in a process: the process does one piece of work, or divides these
		// limits.
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
		return f != nil && f.Name == flag // otherwise the name is a former name of the flag
	}
	w := c.Err
	if c.Config.Log.Format == "text" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !colored("auto", w)}
	}
	level := zerolog.Disabled // for the setting "off"
	if c.Config.Log.Level != "off" {
		level, _ = zerolog.ParseLevel(c.Config.Log.Level) // the setting was validated
	}
	c.Log = zerolog.New(w).Level(level).With().Timestamp().Logger()
	for _, warning := range config.Unknown(os.Environ()) {
		c.Log.Warn().Msg(warning)
	}
}

// wanted reports the choice of always, never or auto for w. auto means always on a terminal, else never.
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

// An environment variable can switch colours off: see https://no-color.org.
func colored(when string, w io.Writer) bool {
	return wanted(when, w) && (when == "always" || os.Getenv("NO_COLOR") == "")
}
