package command

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual returns the manual page of a command in roff. The page has no date if date is zero.
func Manual(cmd *cobra.Command, date time.Time) string {
	var b strings.Builder
	name := PageName(cmd)
	writeTitle(&b, name, 1, cmd.Short, date)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR\n", roff.Replace(synopsis(cmd)))

	writeDescription(&b, cmp.Or(cmd.Long, cmd.Short))
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, below := range available(cmd) {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff.Replace(below.Name()), roff.Replace(below.Short))
	}

	write := func(f *pflag.Flag) {
		flag, text := flagHelp(f)
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff.Replace(flag), roff.Replace(text))
	}
	b.WriteString(".SH OPTIONS\n")
	eachFlag(cmd, func(group string) { fmt.Fprintf(&b, ".SS %s\n", group) }, write)

	if cmd.HasExample() {
		b.WriteString(".SH EXAMPLES\n" + verbatim(cmd.Example))
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, PageName(cmd.Parent()))
	}
	for _, below := range available(cmd) {
		others = append(others, PageName(below))
	}
	for i, other := range others {
		others[i] = `\fB` + roff.Replace(other) + `\fR(1)`
	}
	for _, t := range Topics() {
		others = append(others, `\fB`+roff.Replace(t.PageName())+`\fR(7)`)
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	return b.String()
}

// Manual returns the manual page of a topic, in section 7 of the manual: see [Manual].
func (t Topic) Manual(date time.Time) string {
	var b strings.Builder
	writeTitle(&b, t.PageName(), 7, t.title(), date)
	_, text, _ := strings.Cut(t.Text, "\n")
	writeDescription(&b, text)
	b.WriteString(".SH SEE ALSO\n\\fBpavage\\fR(1)\n")
	return b.String()
}

// PageName returns the name of the manual page of a topic.
func (t Topic) PageName() string { return "pavage-" + t.Name }

func writeTitle(b *strings.Builder, name string, section int, short string, date time.Time) {
	day := ""
	if !date.IsZero() {
		day = date.UTC().Format(time.DateOnly)
	}
	fmt.Fprintf(b, ".TH %s %d %q Pavage Pavage\n", roff.Replace(strings.ToUpper(name)), section, day)
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", roff.Replace(name), roff.Replace(short))
}

func writeDescription(b *strings.Builder, text string) {
	b.WriteString(".SH DESCRIPTION\n")
	for _, p := range paragraphs(text) {
		if p.example != "" {
			b.WriteString(verbatim(p.example))
		}
		if p.prose != "" {
			fmt.Fprintf(b, ".PP\n%s\n", roff.Replace(p.prose))
		}
		for _, e := range p.list {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff.Replace(e.name), roff.Replace(e.text))
		}
	}
}

// PageName returns the name of the manual page of a command.
func PageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// roff escapes special characters of roff, and a dot that begins a line.
var roff = strings.NewReplacer(
	`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\n.", "\n\\&.",
)

func verbatim(text string) string { return ".PP\n.nf\n" + roff.Replace(text) + "\n.fi\n" }
