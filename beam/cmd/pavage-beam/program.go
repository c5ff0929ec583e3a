package main

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/cmd/pavage/command"
)

func program() *command.Program {
	return &command.Program{
		Name:  "pavage-beam",
		Short: "Count tilings by one sweep on many machines",
		Long: `Pavage-beam counts tilings and other exact covers by a sweep that is too large
for one machine. The states lie in a store that all machines share: a folder, or
a bucket of an object store. Apache Beam hands the work out: by itself on one
machine, or through Flink, Spark or Dataflow on many.

One machine with a disk goes far: look at "pavage count --estimate" first. See
doc/many-machines.md for when this program is worth it, and how to run it.

PUZZLE, the settings and the exit codes are those of pavage: 0 done, 1 failure,
2 bad puzzle or usage, 3 a limit was reached, 4 a check disagreed, 130
interrupted.`,
		Example: `  pavage-beam count --board 8x8 --piece tetrominoes=any --store states
  pavage-beam count --board 16x16 --piece tetrominoes=any --estimate
  pavage-beam engines`,
		Verbs: map[string]func(*command.Call) *cobra.Command{"count": newCount, "engines": newEngines},
	}
}
