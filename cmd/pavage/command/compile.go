package command

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

type compileVerb struct {
	*Call
	jsonFlag
	request  job.Compile
	Output   string `flag:"FILE" short:"o" doc:"the FILE to write; an existing file is replaced"`
	FromDump string `flag:"FILE" doc:"read the tilings from FILE, which another program wrote"`
}

func newCompile(c *Call) *cobra.Command {
	v := &compileVerb{Call: c}
	return c.Verb(&cobra.Command{
		Use:   "compile PUZZLE --output FILE",
		Short: "Write a decision diagram of all tilings to a file",
		Long: `Make the decision diagram of all tilings of a puzzle, and write it to a file
with the puzzle and all counts. Such a compiled file is a PUZZLE of every
command: "pavage count" then answers at once, and "pavage sample" draws in
milliseconds. doc/howto/compiled.md has examples.

With conditions (pavage help conditions) the file has only the tilings that keep
them. --union, --intersect and --minus combine these tilings with those of other
compiled files of the same puzzle, one after another, in the order of the flags.
The result is a derived family: it can be counted, sampled, listed, queried and
compiled. Other commands refuse it, because they need all tilings of a puzzle
under some conditions.

--from-dump reads a family in the format graphillion or sapporo of "pavage
convert". All its sets must be tilings of PUZZLE. If PUZZLE is not a compiled
file, it is compiled first.`,
		Example: `  pavage compile --board 8x8 --piece domino=any -o dominoes.pavage
  pavage compile name:pentominoes-6x10 -o x.pavage --with X5@0,2
  pavage compile a.pavage --minus b.pavage -o rest.pavage
  pavage compile a.pavage --from-dump some.dump -o some.pavage`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

// Flags adds the flags of the operations. The operations are done in the order of their flags.
func (v *compileVerb) Flags(cmd *cobra.Command) {
	for _, o := range []struct{ name, help string }{
		{"union", "add the tilings of `FILE`, a compiled file"},
		{"intersect", "keep only the tilings that are also in `FILE`"},
		{"minus", "leave out the tilings of `FILE`"},
	} {
		cmd.Flags().Func(o.name, o.help+"; repeatable", func(file string) error {
			v.request.Operations = append(v.request.Operations, job.Operation{Do: o.name, With: job.Puzzle{Name: file}})
			return nil
		})
		cmd.Flags().Lookup(o.name).Annotations = map[string][]string{groupKey: {ownFlags}}
	}
}

func (v *compileVerb) run(ctx context.Context) error {
	switch {
	case v.Output == "":
		return usage("no file given, expected --output FILE%s", job.CompiledExtension)
	case v.Given("dump-format") && v.FromDump == "":
		return usage("--dump-format given without --from-dump")
	}
	v.request.Puzzle = v.Puzzle
	for i, o := range v.request.Operations {
		p, err := openArgument(v.In, o.With.Name)
		if err != nil {
			return unreadable(fmt.Errorf("--%s: %w", o.Do, err))
		}
		v.request.Operations[i].With = p
	}
	w := v.watch(job.Compiling, v.AsJSON)
	if v.FromDump != "" {
		f, err := os.Open(v.FromDump)
		if err != nil {
			return usage("--from-dump: %w", err)
		}
		defer f.Close()
		w.Input, v.request.Dump = f, v.FromDump
	}
	compiled, err := toFile(ctx, w, "output", v.Output, &v.request)
	return answer(v.Call, v.jsonFlag, func(c *job.Compiled) error {
		if c.Derived != "" {
			fmt.Fprintln(v.Err, "a derived family: "+c.Derived)
		}
		_, err := fmt.Fprintf(v.Out, "%s: %s, %s, %s bytes, %s\n", v.Output, human.Count(c.Count, "tiling"),
			human.Count(human.Grouped(c.Effort.Nodes), "node"), human.Grouped(c.Bytes), human.Time(c.Seconds))
		return err
	}, compiled, err)
}
