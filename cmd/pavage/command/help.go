package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// The groups of flags, in the order of the help.
const (
	ownFlags       = "Flags"
	methodFlags    = "Method"
	puzzleFlags    = "Puzzle"
	conditionFlags = "Conditions"
	outputFlags    = "Output"
	limitFlags     = "Limits and settings"
)

var flagGroups = []string{ownFlags, methodFlags, puzzleFlags, conditionFlags, outputFlags, limitFlags}

// groupKey is the key of the annotation that names the group of a flag. A flag without annotation
// is in limitFlags. The flag that chooses an engine or a method is always in methodFlags.
const groupKey = "pavage_group"

var groupOf = map[string]string{
	"source": puzzleFlags, "Conditions": conditionFlags,
	"output": outputFlags, "PictureOptions": outputFlags, "jsonFlag": outputFlags,
}

func columns(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	n, _, _ := term.GetSize(int(f.Fd())) // -1 if the file is not a terminal
	return max(0, n)
}

func helpWidth(out io.Writer) int {
	if n := columns(out); n > 0 {
		return min(max(n, 60), 100)
	}
	return 80
}

// writeHelp writes the help of a command. The short help has at most 24 lines. The long help has
// the description of the command, and all flags in groups.
func (c *Call) writeHelp(cmd *cobra.Command, short bool) {
	width := helpWidth(c.Out)
	var b strings.Builder
	tree := cmd.HasAvailableSubCommands()
	fmt.Fprintln(&b, cmd.Short)
	if !tree || !short { // no blank line in the short help of pavage, which fills the screen
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "Usage: %s\n", synopsis(cmd))
	if examples := strings.SplitAfterN(cmd.Example+"\n", "\n", 6); cmd.HasExample() {
		if tree && short {
			b.WriteString(examples[0])
		} else {
			b.WriteString("\nExamples:\n" + strings.Join(examples[:min(5, len(examples))], ""))
		}
	}
	if tree {
		writeCommands(&b, cmd, c.topics, width, short)
	}
	switch {
	case tree && short:
		fmt.Fprintf(&b, "\n%s COMMAND -h describes a command", cmd.CommandPath())
		if len(c.topics) > 0 && !cmd.HasParent() {
			fmt.Fprintf(&b, ", %s help TOPIC a topic", c.name)
		}
		b.WriteString(".\n")
	case short:
		writeUsedFlags(&b, cmd, width)
	default:
		writeAllFlags(&b, cmd, width)
	}
	_, _ = io.WriteString(c.Out, b.String()) // an error of the help cannot be reported elsewhere
}

func synopsis(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

func available(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
}

// writeCommands writes a line for each subcommand of cmd. If the subcommands have groups, the names
// of the groups are on the left, and the short help omits the subcommands without a group and the
// titles of topics.
func writeCommands(b *strings.Builder, cmd *cobra.Command, topics []Topic, width int, short bool) {
	b.WriteString("\n")
	if len(cmd.Groups()) == 0 {
		b.WriteString("Commands:\n")
		for _, below := range available(cmd) {
			writeEntry(b, "  "+below.Name(), below.Short, indent, width, 2)
		}
		return
	}
	row := func(group, name, text string) {
		writeEntry(b, fmt.Sprintf("%-10s%s", group, name), text, indent, width, 2)
	}
	other := &cobra.Group{Title: "Other"}
	for _, g := range append(cmd.Groups(), other) {
		title := g.Title
		for _, below := range available(cmd) {
			if below.GroupID == g.ID && !(short && g == other) {
				row(title, below.Name(), below.Short)
				title = ""
			}
		}
	}
	title, names := "Topics", []string{}
	for _, t := range topics {
		names = append(names, t.Name)
		if !short {
			row(title, t.Name, t.title())
			title = ""
		}
	}
	if short && len(names) > 0 {
		row(title, strings.Join(names, ", "), "")
	}
}

// writeUsedFlags writes at most ten flags: first the flags in the group methodFlags, then the flags
// in the examples, the most frequent first, then other flags of the verb, and at the end --board
// and --piece.
func writeUsedFlags(b *strings.Builder, cmd *cobra.Command, width int) {
	words := map[string]int{} // number of occurrences of each word in the examples; the value after a flag is cut off
	for _, word := range strings.Fields(cmd.Example) {
		name, _, _ := strings.Cut(word, "=")
		words[name]++
	}
	uses := func(f *pflag.Flag) int { return words["--"+f.Name] + words["-"+cmp.Or(f.Shorthand, "-")] }
	flags := flagsOf(cmd)
	var method, used, others, board []*pflag.Flag
	for _, group := range flagGroups {
		for _, f := range flags[group] {
			switch {
			case f.Name == "board" || f.Name == "piece":
				board = append(board, f)
			case group == methodFlags:
				method = append(method, f)
			case uses(f) > 0:
				used = append(used, f)
			case group == ownFlags:
				others = append(others, f)
			}
		}
	}
	slices.SortStableFunc(used, func(f, g *pflag.Flag) int { return uses(g) - uses(f) })
	used = slices.Concat(method, used, others)
	used = append(used[:min(8, len(used))], board...)
	if len(used) > 0 {
		b.WriteString("\nFlags that are used most:\n")
	}
	for _, f := range used {
		name, text := flagHelp(f)
		writeEntry(b, "  "+name, firstClause(name, text), indent, width, 1)
	}
	fmt.Fprintf(b, "\n%s --help describes the command and all of its flags.\n", cmd.CommandPath())
}

func firstClause(name, text string) string {
	for _, end := range []string{" (default ", "; ", ": ", " (", ", "} {
		if max(indent, len(name)+4)+len([]rune(text)) > 80 {
			text, _, _ = strings.Cut(text, end)
		}
	}
	return text
}

func writeAllFlags(b *strings.Builder, cmd *cobra.Command, width int) {
	write := func(f *pflag.Flag) {
		name, text := flagHelp(f)
		writeEntry(b, "  "+name, text, indent, width, anyLines)
	}
	eachFlag(cmd, func(group string) { fmt.Fprintf(b, "\n%s:\n", group) }, write)
	if cmd.Long != "" {
		b.WriteString("\n")
		writeProse(b, cmd.Long, width)
	}
}

// eachFlag calls title for each group that has flags, and then write for each flag of the group.
// The last group has the flags of all commands, with the defaults that they have for cmd.
func eachFlag(cmd *cobra.Command, title func(group string), write func(*pflag.Flag)) {
	flags := flagsOf(cmd)
	for _, group := range flagGroups {
		if len(flags[group]) > 0 {
			title(group)
		}
		for _, f := range flags[group] {
			write(f)
		}
	}
	title("Flags of all commands")
	cmd.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { write(cmp.Or(cmd.Flags().Lookup(f.Name), f)) })
}

// flagsOf returns the flags that only this command has, by group and in the order of declaration.
func flagsOf(cmd *cobra.Command) map[string][]*pflag.Flag {
	flags := map[string][]*pflag.Flag{}
	cmd.Flags().SortFlags = false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		group := limitFlags
		if names := f.Annotations[groupKey]; names != nil {
			group = names[0]
		}
		if f.Name == "engine" || f.Name == "method" {
			group = methodFlags
		}
		general := f.Name == "help" || f.Name == "version" || cmd.Root().PersistentFlags().Lookup(f.Name) != nil
		if !general && !f.Hidden {
			flags[group] = append(flags[group], f)
		}
	})
	cmd.Flags().SortFlags = true
	return flags
}

func flagHelp(f *pflag.Flag) (name, text string) {
	arg, text := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch {
	case f.NoOptDefVal == "true":
	case f.NoOptDefVal != "":
		name += "[=" + f.NoOptDefVal + "]"
	case arg != "":
		name += " " + arg
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && !strings.Contains(text, "default") {
		text += " (default " + d + ")"
	}
	return name, text
}

const (
	indent   = 22 // column at which the help of a flag begins
	anyLines = 1000
)

// writeEntry writes a name and a text. Each line of the text begins at the given column. The
// argument most limits the number of lines.
func writeEntry(b *strings.Builder, name, text string, column, width, most int) {
	b.WriteString(name)
	line := len([]rune(name))
	if text == "" {
		b.WriteString("\n")
		return
	}
	switch gap := column - line; {
	case gap > 0:
		b.WriteString(strings.Repeat(" ", gap))
		line = column
	case most == 1:
		b.WriteString("  ")
		line += 2
	default:
		b.WriteString("\n" + strings.Repeat(" ", column))
		line = column
	}
	wrap(b, text, line, column, width, most)
}

// wrap writes a text in lines of up to width columns. The argument most limits the number of lines.
// The arguments column and indent are the columns at which the first line and later lines begin.
func wrap(b *strings.Builder, text string, column, indent, width, most int) {
	between := ""
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		if between != "" && column+1+n > width {
			if most--; most == 0 {
				break
			}
			b.WriteString("\n" + strings.Repeat(" ", indent))
			between, column = "", indent
		}
		b.WriteString(between + word)
		column += len(between) + n
		between = " "
	}
	b.WriteString("\n")
}
