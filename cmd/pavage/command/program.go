package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
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

// Program is a program of verbs that reads puzzles and settings, writes its log and its errors,
// and ends with exit codes, all as pavage does. Pavage is one; others are made of other
// verbs. Each also has the verbs version and help.
type Program struct {
	Name                 string                                // of the file
	Short, Long, Example string                                // of its help
	Verbs                map[string]func(*Call) *cobra.Command // by their names
}

// Watch reports on standard error how work goes: a bar on a terminal, remarks unless quiet, and the
// log. Call done, which removes the bar, before the answer is written.
func (c *Call) Watch(doing string, quiet bool) (watch job.Watch, done func()) {
	w := c.watch(doing, quiet)
	return w.Watch, w.tell
}

// JSON writes x on one line, as all answers are.
func (c *Call) JSON(x any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// Fail is an error with the exit code for its kind, whatever it wraps.
func Fail(kind job.ErrorKind, err error) error { return fail(codes[kind], err) }

// Main runs the verb that the arguments name and returns the exit code. It
// ends with code 130 soon after an interrupt or a request to terminate; a
// second one kills the process in the usual way.
func (p *Program) Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := p.root(&Call{Streams: streams, Log: zerolog.Nop()}, p.needed(args)...)
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

// needed returns the names of the verbs that the arguments may use: only the first argument if it
// is a verb, since the flags of all verbs cost 1.5 ms of CPU. Help, completion and the hint about
// an unknown verb need all verbs.
func (p *Program) needed(args []string) []string {
	if len(args) > 0 && p.Verbs[args[0]] != nil {
		return args[:1]
	}
	return slices.Sorted(maps.Keys(p.Verbs))
}

// root returns the tree of some verbs around one call.
func (p *Program) root(c *Call, verbs ...string) *cobra.Command {
	c.name = p.Name
	root := &cobra.Command{
		Use: p.Name, Short: p.Short, Long: p.Long, Example: p.Example,
		Version:       version(p.Name), // makes --version
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(wrongFlag)
	root.SetHelpFunc(c.writeHelp)
	config.FileFlag(root.PersistentFlags())
	config.Flags(root.PersistentFlags(), false, "color", "progress", "log.level", "log.format")
	offer(root, root.PersistentFlags())
	root.AddCommand(newVersion(c))
	for _, name := range verbs {
		root.AddCommand(p.Verbs[name](c))
	}
	root.InitDefaultHelpCmd()
	root.Commands() // sorts them, as the hint about an unknown verb has them
	// The error of help about an unknown verb is the error of the verb itself.
	help, _, _ := root.Find([]string{"help"})
	show := help.Run
	help.Run, help.RunE = nil, func(cmd *cobra.Command, args []string) error {
		_, _, err := root.Find(args)
		if err == nil {
			show(cmd, args)
		}
		return err
	}
	return root
}

// wrongFlag words the error of a value that a flag cannot have as our other errors, and adds the
// nearest flag of the verb to the error of an unknown flag. Several letters after one dash are
// shorthands.
func wrongFlag(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	if errors.As(err, &invalid) {
		is, wrong := "empty", invalid.Unwrap()
		if invalid.GetValue() != "" {
			is = fmt.Sprintf("%.40q", invalid.GetValue())
		}
		if errors.As(wrong, &number) {
			kinds := map[string]string{"ParseBool": "true or false", "ParseFloat": "a number"}
			wrong = errors.New("expected " + cmp.Or(kinds[number.Func], "a whole number"))
		}
		if strings.HasPrefix(wrong.Error(), "expected ") {
			return fmt.Errorf("--%s is %s, %w", invalid.GetFlag().Name, is, wrong)
		}
	}
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
