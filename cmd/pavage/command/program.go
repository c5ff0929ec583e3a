package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/job"
)

// Program is a program of verbs that takes puzzles and settings, writes its log and its errors,
// and ends with exit codes, all as pavage does. Pavage is one; others are made of other
// verbs. Each also has the verbs version and help.
type Program struct {
	Name                 string // of the file
	Short, Long, Example string // of its help
	Verbs                []Verb

	own []func(*app) *cobra.Command // pavage's, which need more than a Verb has
}

// Verb is a verb about one puzzle, with the flags of conditions, for a [Program] that is not
// pavage.
type Verb struct {
	Use, Short, Long, Example string
	NoPuzzle                  bool // it takes neither PUZZLE nor conditions

	// Settings are the keys of package config that are flags of the verb.
	Settings []string
	// Flags adds what other flags there are. It may be nil.
	Flags func(*cobra.Command)
	// Run does the work. Its errors are made one line and an exit code; see [Fail].
	Run func(context.Context, *Call) error
}

// Call is a call of a [Verb]: settings are loaded, and the log is open.
type Call struct {
	Streams
	Config     config.Config
	Limits     job.Limits // of the settings, but for time: the context has that
	Log        zerolog.Logger
	Conditions job.Conditions

	app    *app
	source *source
	args   []string
}

// Puzzle reads the puzzle that the arguments or flags name, and stops when ctx ends.
func (c *Call) Puzzle(ctx context.Context) (job.Puzzle, error) {
	return c.source.puzzle(ctx, c.In, c.args)
}

// Given reports whether a flag was given.
func (c *Call) Given(flag string) bool { return c.source.given(flag) }

// Watch tells on standard error how work goes: a bar on a terminal, remarks unless quiet, and the
// log. Call done, which removes the bar, before the answer is written.
func (c *Call) Watch(doing string, quiet bool) (watch job.Watch, done func()) {
	w := c.app.newWatcher(doing, quiet)
	return w.watch(), w.tell
}

// JSON writes x on one line, as all answers are.
func (c *Call) JSON(x any) error { return writeJSON(c.Out, x) }

// Fail is an error with the exit code for its kind, whatever it wraps.
func Fail(kind job.ErrorKind, err error) error { return fail(codes[kind], err) }

// command makes the verb of one call.
func (v *Verb) command(a *app) *cobra.Command {
	c, s := &Call{app: a}, &source{}
	c.source = s
	cmd := &cobra.Command{Use: v.Use, Short: v.Short, Long: v.Long, Example: v.Example}
	cmd.RunE = a.run(func(ctx context.Context, args []string) error {
		c.Streams, c.Config, c.Limits, c.Log, c.args = a.Streams, a.config, a.limits, a.log, args
		return v.Run(ctx, c)
	})
	if v.NoPuzzle {
		cmd.Args = cobra.NoArgs
	} else {
		s.takePuzzle(cmd)
		declare(cmd, &c.Conditions)
	}
	s.given = cmd.Flags().Changed
	config.Flags(cmd.Flags(), v.Settings...)
	if v.Flags != nil {
		v.Flags(cmd)
	}
	return cmd
}

// Main runs the verb that the arguments name and returns the exit code. It
// ends with code 130 soon after an interrupt or a request to terminate; a
// second one kills the process in the usual way.
func (p *Program) Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := p.root(&app{Streams: streams, log: zerolog.Nop()})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return codeDone
	}
	// Cobra's hint about an unknown verb is several lines of this form.
	text, hint, _ := strings.Cut(err.Error(), "\n\nDid you mean this?")
	if near := strings.Join(strings.Fields(hint), " or "); near != "" {
		text += ", did you mean " + near + "?"
	}
	fmt.Fprintln(streams.Err, p.Name+": "+human.OneLine(text))
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return codeUsage // cobra's own: no verb has run
}

// root is the tree of verbs around one app.
func (p *Program) root(a *app) *cobra.Command {
	a.name = p.Name
	root := &cobra.Command{
		Use: p.Name, Short: p.Short, Long: p.Long, Example: p.Example,
		Version:       version(p.Name), // makes --version
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(unknownFlag)
	config.FileFlag(root.PersistentFlags())
	config.Flags(root.PersistentFlags(), "color", "progress", "log.level", "log.format")
	root.AddCommand(newVersion(a))
	for _, newVerb := range p.own {
		root.AddCommand(newVerb(a))
	}
	for _, v := range p.Verbs {
		root.AddCommand(v.command(a))
	}
	root.InitDefaultHelpCmd()
	settings := config.FlagWords()
	for _, cmd := range append(root.Commands(), root) {
		for flag, words := range settings {
			if cmd.Flags().Lookup(flag) != nil || cmd.PersistentFlags().Lookup(flag) != nil {
				complete(cmd, flag, words)
			}
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			show := cmd.Run
			cmd.Run = nil
			// The error of help about an unknown verb is the error of the verb itself.
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if _, _, err := cmd.Root().Find(args); err != nil {
					return err
				}
				show(cmd, args)
				return nil
			}
		}
	}
	return root
}

// unknownFlag adds the nearest flag of the verb to the error of an unknown flag. Several letters
// after one dash are shorthands.
func unknownFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
	if near := spell.Nearest(name, names); near != "" && len(name) > 1 {
		return fmt.Errorf("%w, did you mean --%s?", err, near)
	}
	return err
}
