package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

func complete(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err)
	}
}

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
