package command

import (
	"flag"
	"fmt"
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

// reference describes all verbs of the program as Markdown.
func reference(root *cobra.Command) string {
	var b strings.Builder
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" || cmd.Hidden {
			continue // cobra's own
		}
		describe(&b, cmd)
		for _, below := range cmd.Commands() {
			describe(&b, below)
		}
	}
	b.WriteString("### Flags of all verbs\n\n")
	b.WriteString(flagTable(root.PersistentFlags()))
	return b.String()
}

// describe writes the help of one verb.
func describe(b *strings.Builder, cmd *cobra.Command) {
	path := cmd.CommandPath()
	fmt.Fprintf(b, "### %s\n\n```text\n%s%s%s\n```\n\n", path, path, strings.TrimPrefix(cmd.Use, cmd.Name()), flagsNote(cmd))
	b.WriteString(prose(strings.TrimSuffix(longOf(cmd), ".") + ".\n"))
	b.WriteString(flagTable(cmd.LocalNonPersistentFlags()))
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

// flagTable is what help prints of the flags, as a table.
func flagTable(flags *pflag.FlagSet) string {
	var b strings.Builder
	for line := range strings.Lines(flags.FlagUsages()) {
		flag, usage, _ := strings.Cut(strings.TrimSpace(line), "   ")
		if strings.HasSuffix(flag, "--help") {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("| flag | |\n|---|---|\n")
		}
		cell := strings.NewReplacer("|", `\|`, "<", "&lt;")
		fmt.Fprintf(&b, "| `%s` | %s |\n", cell.Replace(flag), cell.Replace(strings.TrimSpace(usage)))
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
