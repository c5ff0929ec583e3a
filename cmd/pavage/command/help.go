package command

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Groups of flags in the help, in their order.
const (
	ownFlags       = "Flags"
	puzzleFlags    = "Puzzle"
	conditionFlags = "Conditions"
	outputFlags    = "Output"
	limitFlags     = "Limits and settings"
)

// groupKey is the key of the annotation of a flag that names its group; without it a flag is of
// limitFlags.
const groupKey = "pavage_group"

// groupOf is the group of the flags of a type.
var groupOf = map[string]string{
	"source": puzzleFlags, "Conditions": conditionFlags,
	"output": outputFlags, "PictureOptions": outputFlags, "jsonFlag": outputFlags,
}

// columns returns the width of a terminal, and 0 for anything else.
func columns(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	n, _, _ := term.GetSize(int(f.Fd())) // -1 unless it is a terminal
	return max(0, n)
}

// writeHelp writes the help of a command: for -h at most 24 lines, otherwise all flags in groups and
// the description.
func (c *Call) writeHelp(cmd *cobra.Command, args []string) {
	width := 80
	if n := columns(c.Out); n > 0 {
		width = min(max(n, 60), 100)
	}
	var b strings.Builder
	short, tree := slices.Contains(args, "-h"), cmd.HasAvailableSubCommands()
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", cmd.Short, synopsis(cmd))
	if cmd.HasExample() && !(short && tree) {
		lines := strings.Split(cmd.Example, "\n")
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.Join(lines[:min(5, len(lines))], "\n"))
	}
	if tree {
		b.WriteString("\nCommands:\n")
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			writeFlag(&b, below.Name(), below.Short, width, 2)
		}
	}
	if short {
		writeUsedFlags(&b, cmd, width)
	} else {
		writeAllFlags(&b, cmd, width)
	}
	_, _ = io.WriteString(c.Out, b.String()) // help that cannot be written has no other place
}

func synopsis(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// writeUsedFlags writes a line for each of at most ten flags of a command.
func writeUsedFlags(b *strings.Builder, cmd *cobra.Command, width int) {
	flags := flagsOf(cmd)
	used := flags[ownFlags][:min(8, len(flags[ownFlags]))]
	for _, f := range flags[puzzleFlags] {
		if f.Name == "board" || f.Name == "piece" {
			used = append(slices.Clip(used), f)
		}
	}
	if len(used) > 0 {
		b.WriteString("\nFlags that are used most:\n")
	}
	for _, f := range used {
		name, text := flagHelp(f)
		if i := strings.IndexAny(text, ":;("); i > 0 {
			text = strings.TrimSpace(text[:i])
		}
		if i := strings.Index(text, ", "); i > 0 && len(text) > width-indent {
			text = text[:i]
		}
		writeFlag(b, name, text, width, 1)
	}
	fmt.Fprintf(b, "\n%s --help describes the command and all of its flags.\n", cmd.CommandPath())
}

// writeAllFlags writes the flags of a command in groups, the flags of all commands, and the
// description.
func writeAllFlags(b *strings.Builder, cmd *cobra.Command, width int) {
	write := func(f *pflag.Flag) {
		name, text := flagHelp(f)
		writeFlag(b, name, text, width, 100)
	}
	flags := flagsOf(cmd)
	for _, group := range []string{ownFlags, puzzleFlags, conditionFlags, outputFlags, limitFlags} {
		if len(flags[group]) > 0 {
			fmt.Fprintf(b, "\n%s:\n", group)
		}
		for _, f := range flags[group] {
			write(f)
		}
	}
	b.WriteString("\nFlags of all commands:\n")
	cmd.Root().PersistentFlags().VisitAll(write)
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n%s\n", cmd.Long)
	}
}

// flagsOf returns the flags of a command alone by group, in the order of their declarations.
func flagsOf(cmd *cobra.Command) map[string][]*pflag.Flag {
	flags := map[string][]*pflag.Flag{}
	cmd.Flags().SortFlags = false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		group := limitFlags
		if names := f.Annotations[groupKey]; names != nil {
			group = names[0]
		}
		general := f.Name == "help" || f.Name == "version" || cmd.Root().PersistentFlags().Lookup(f.Name) != nil
		if !general && !f.Hidden && !strings.HasPrefix(f.Usage, "the same as ") {
			flags[group] = append(flags[group], f)
		}
	})
	cmd.Flags().SortFlags = true
	return flags
}

// flagHelp returns the names of a flag with its argument, and its help with its default.
func flagHelp(f *pflag.Flag) (name, text string) {
	arg, text := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch {
	case f.Value.Type() == "bool":
	case f.NoOptDefVal != "":
		name += "[=" + f.NoOptDefVal + "]"
	case arg != "":
		name += " " + arg
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && !strings.Contains(text, "default") {
		text += " (default " + d + ")"
	}
	return name, text
}

// indent is the column of the help of flags.
const indent = 22

// writeFlag writes a flag, and its help beside it in at most some lines.
func writeFlag(b *strings.Builder, name, text string, width, most int) {
	fmt.Fprintf(b, "  %-*s", indent-3, name)
	line, lines := indent-1, 1
	if len(name) > indent-3 && most > 1 {
		line = width // the help begins below
	} else {
		line = max(line, len(name)+2)
		b.WriteString(strings.Repeat(" ", min(1, line-indent+1)))
	}
	for word := range strings.FieldsSeq(text) {
		if line+1+len([]rune(word)) > width {
			if lines == most {
				break
			}
			b.WriteString("\n" + strings.Repeat(" ", indent-1))
			line, lines = indent-1, lines+1
		}
		b.WriteString(" " + word)
		line += 1 + len([]rune(word))
	}
	b.WriteString("\n")
}
