package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

// complete makes the shell offer words for the value of a flag. A flag that the
// verb does not have is a mistake in the program and panics.
func complete(cmd *cobra.Command, flag string, words []string) {
	completeBy(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func completeBy(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err)
	}
}

// completeSettings makes the shell offer the words that settings may be, for the
// flags of root and its verbs that are settings.
func completeSettings(root *cobra.Command) {
	settings := config.FlagWords()
	for _, cmd := range append(root.Commands(), root) {
		for flag, words := range settings {
			if cmd.Flags().Lookup(flag) != nil || cmd.PersistentFlags().Lookup(flag) != nil {
				complete(cmd, flag, words)
			}
		}
	}
}

// completePuzzle offers the bundled examples, then files.
func completePuzzle(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, n := range examples.Names() {
		if strings.HasPrefix(job.ExamplePrefix+n, toComplete) {
			names = append(names, job.ExamplePrefix+n)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeInline offers values for the flags that stand for a puzzle. Behind a
// piece its copies may follow.
func completeInline(cmd *cobra.Command) {
	completeBy(cmd, "piece", completePiece)
	complete(cmd, "lattice", tiling.LatticeNames())
	complete(cmd, "wrap", tiling.WrapNames())
	complete(cmd, "cover", []string{"exact", "at-most"})
	complete(cmd, "motions", []string{tiling.Free.String(), tiling.OneSided.String(), tiling.Fixed.String()})
}

func completePiece(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	name, _, copies := strings.Cut(toComplete, "=")
	var words []string
	for _, n := range tiling.PieceNames() {
		switch {
		case copies && n == name:
			words = append(words, n+"=any", n+"=1", n+"=0..2")
		case !copies && strings.HasPrefix(n, name):
			words = append(words, n)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
