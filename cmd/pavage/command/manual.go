package command

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual returns the manual page of a command, in roff: the text of its help, and at its foot the
// date. The page of a zero date has none.
func Manual(cmd *cobra.Command, date time.Time) string {
	var b strings.Builder
	name, day := pageName(cmd), ""
	if !date.IsZero() {
		day = date.UTC().Format(time.DateOnly)
	}
	fmt.Fprintf(&b, ".TH %s 1 %q Pavage Pavage\n", roff.Replace(strings.ToUpper(name)), day)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff.Replace(name), roff.Replace(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR\n", roff.Replace(synopsis(cmd)))

	b.WriteString(".SH DESCRIPTION\n")
	for paragraph := range strings.SplitSeq(cmp.Or(cmd.Long, cmd.Short), "\n\n") {
		if strings.Contains(paragraph, "\n  ") {
			b.WriteString(verbatim(paragraph))
		} else {
			fmt.Fprintf(&b, ".PP\n%s\n", roff.Replace(paragraph))
		}
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff.Replace(below.Name()), roff.Replace(below.Short))
		}
	}

	write := func(f *pflag.Flag) {
		flag, text := flagHelp(f)
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff.Replace(flag), roff.Replace(text))
	}
	b.WriteString(".SH OPTIONS\n")
	flags := flagsOf(cmd)
	for _, group := range []string{ownFlags, puzzleFlags, conditionFlags, outputFlags, limitFlags} {
		if len(flags[group]) > 0 {
			fmt.Fprintf(&b, ".SS %s\n", group)
		}
		for _, f := range flags[group] {
			write(f)
		}
	}
	b.WriteString(".SS Flags of all commands\n")
	cmd.Root().PersistentFlags().VisitAll(write)

	if cmd.HasExample() {
		b.WriteString(".SH EXAMPLES\n" + verbatim(cmd.Example))
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, pageName(cmd.Parent()))
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			others = append(others, pageName(below))
		}
	}
	for i, other := range others {
		others[i] = `\fB` + roff.Replace(other) + `\fR(1)`
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	return b.String()
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// roff escapes what roff would replace by other characters, and a line that would be a request.
var roff = strings.NewReplacer(
	`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\n.", "\n\\&.",
)

// verbatim returns a text whose lines are kept.
func verbatim(text string) string { return ".PP\n.nf\n" + roff.Replace(text) + "\n.fi\n" }
