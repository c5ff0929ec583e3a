package command

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/server/child"
)

// Main runs pavage: see [Program.Main].
func Main(args []string, streams Streams) int { return pavage().Main(args, streams) }

// Tree returns the tree of verbs, for descriptions of the verbs. The verbs cannot be run.
func Tree() *cobra.Command { return newRoot(&Call{}) }

func newRoot(c *Call) *cobra.Command {
	p := pavage()
	return p.root(c, p.needed(nil)...)
}

func pavage() *Program {
	return &Program{
		Name:  "pavage",
		Short: "Count tilings without listing them, draw fair samples, check counts",
		Long: `Pavage counts tilings and other exact covers without listing them. It also
draws random tilings, all equally likely, and checks its counts.

Settings come from the program's defaults, then from the file that --config or
PAVAGE_CONFIG names, then from the environment (PAVAGE_THREADS,
PAVAGE_LOG_LEVEL, …), then from flags. The last one wins.

Exit codes: 0 done, 1 failure, 2 bad puzzle or usage, 3 a limit was reached (of
memory, of time, of the disk, or of an engine), 4 a check disagreed,
130 interrupted.`,
		Example: `  pavage count --board 8x8 --piece domino=any
  pavage count examples/pentominoes-6x10.yaml
  pavage sample name:pentominoes-6x10 -n 3 --seed 7
  pavage list name:pentominoes-3x20 --distinct
  pavage show name:pentominoes-6x10`,
		Verbs: map[string]func(*Call) *cobra.Command{
			child.Verb: newChild, "clues": newClues, "compile": newCompile, "convert": newConvert, "count": newCount,
			"examples": newExamples, "health": newHealth, "list": newList, "query": newQuery,
			"sample": newSample, "sequence": newSequence, "serve": newServe, "show": newShow,
			"store": newStore, "token": newToken, "verify": newVerify, "work": newWork,
		},
		Groups: []Group{
			{"Count", []string{"count", "sequence"}},
			{"Explore", []string{"sample", "list", "query", "clues", "show"}},
			{"Prove", []string{"verify"}},
			{"Files", []string{"convert", "compile", "examples"}},
			{"Service", []string{"serve", "work", "token", "store", "health"}},
		},
		Topics: Topics(),
	}
}
