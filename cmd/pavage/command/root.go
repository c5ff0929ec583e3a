package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/human"
)

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
A file may also be an exact cover, as "pavage convert --to cover" writes it, or
a file of "pavage compile", which holds all tilings of a puzzle.

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
	root.AddCommand(newChild(a), newCompile(a), newConvert(a), newCount(a), newExamples(a), newHealth(a), newList(a), newQuery(a), newSample(a), newSequence(a), newServe(a), newShow(a), newStore(a), newToken(a), newVerify(a), newVersion(a), newWork(a))
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
