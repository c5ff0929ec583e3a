package command

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/test/testkit"
)

var update = flag.Bool("update", false, "write doc/reference.md instead of comparing with it")

// TestReference: doc/reference.md has the help of the verbs.
func TestReference(t *testing.T) {
	testkit.Section(t, "../../../doc/reference.md", "verbs", "\n"+reference(newRoot(&Call{})), *update, "make reference")
}

// reference describes all verbs of the program as Markdown. A flag that several verbs share with
// the same help is described once, below the verbs.
func reference(root *cobra.Command) string {
	var verbs []*cobra.Command
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" || cmd.Hidden {
			continue // cobra's own
		}
		verbs = append(append(verbs, cmd), cmd.Commands()...)
	}
	uses, shared := map[flagRow]int{}, map[string]flagRow{} // by the name of the flag
	for _, verb := range verbs {
		for _, row := range flagRows(verb.LocalNonPersistentFlags()) {
			uses[row]++
			if uses[row] > max(1, uses[shared[row.name]]) {
				shared[row.name] = row
			}
		}
	}
	var b strings.Builder
	for _, verb := range verbs {
		var own []flagRow
		var names []string
		for _, row := range flagRows(verb.LocalNonPersistentFlags()) {
			if row == shared[row.name] {
				names = append(names, "`--"+row.name+"`")
			} else {
				own = append(own, row)
			}
		}
		describe(&b, verb, own, names)
	}
	var rows []flagRow
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		rows = append(rows, shared[name])
	}
	b.WriteString("### Shared flags\n\n" + flagTable(rows))
	b.WriteString("### Flags of all verbs\n\n" + flagTable(flagRows(root.PersistentFlags())))
	return b.String()
}

// describe writes the help of one verb, with a table of its own flags and the names of its shared
// flags.
func describe(b *strings.Builder, cmd *cobra.Command, own []flagRow, shared []string) {
	path := cmd.CommandPath()
	fmt.Fprintf(b, "### %s\n\n```text\n%s%s%s\n```\n\n", path, path, strings.TrimPrefix(cmd.Use, cmd.Name()), flagsNote(cmd))
	b.WriteString(prose(strings.TrimSuffix(longOf(cmd), ".") + ".\n"))
	b.WriteString(flagTable(own))
	if len(shared) > 0 {
		fmt.Fprintf(b, "[Shared flags](#shared-flags): %s.\n\n", strings.Join(shared, ", "))
	}
	if cmd.HasExample() {
		fmt.Fprintf(b, "```sh\n%s\n```\n\n", unindent(cmd.Example))
	}
}

func flagsNote(cmd *cobra.Command) string {
	if cmd.HasAvailableLocalFlags() {
		return " [flags]"
	}
	return ""
}

func longOf(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short
}

// prose is a help text as Markdown: a paragraph with indented lines is a list,
// and keeps its form.
func prose(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.Contains(paragraph, "\n  ") {
			paragraph = "```text\n" + paragraph + "\n```"
		}
		b.WriteString(strings.NewReplacer("<", "&lt;", "*", `\*`).Replace(paragraph) + "\n\n")
	}
	return b.String()
}

func unindent(example string) string {
	var lines []string
	for line := range strings.SplitSeq(example, "\n") {
		lines = append(lines, strings.TrimPrefix(line, "  "))
	}
	return strings.Join(lines, "\n")
}

// flagRow is a flag in a table: its name, its names and its argument as help prints them, and its
// help.
type flagRow struct{ name, usage, help string }

// flagRows returns the rows of the flags that help prints.
func flagRows(flags *pflag.FlagSet) []flagRow {
	var rows []flagRow
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		usage, help := flagHelp(f)
		rows = append(rows, flagRow{f.Name, usage, help})
	})
	return rows
}

// flagTable returns a table of flags.
func flagTable(rows []flagRow) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| flag | |\n|---|---|\n")
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;")
	for _, row := range rows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", cell.Replace(row.usage), cell.Replace(row.help))
	}
	b.WriteString("\n")
	return b.String()
}
