package command

import (
	"embed"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/pavage/pavage/job"
)

// Topic is a text of the help. Its first line is its title.
type Topic struct{ Name, Text string }

func (t Topic) title() string {
	title, _, _ := strings.Cut(t.Text, "\n")
	return title
}

//go:embed topics
var topicFiles embed.FS

// Topics returns the topics of pavage. The formats of puzzles replace {formats}.
func Topics() (all []Topic) {
	var formats strings.Builder
	for _, name := range job.Formats() {
		fmt.Fprintf(&formats, "  %s  %s\n", name, job.AboutFormat(name))
	}
	for _, name := range []string{"puzzle", "conditions", "methods", "formats", "limits"} {
		text, err := topicFiles.ReadFile("topics/" + name + ".txt")
		if err != nil {
			panic(err) // the file is embedded
		}
		all = append(all, Topic{name, strings.Replace(string(text), "{formats}\n", formats.String(), 1)})
	}
	return all
}

func (c *Call) writeTopic(t Topic) error {
	var b strings.Builder
	writeProse(&b, t.Text, helpWidth(c.Out))
	_, err := io.WriteString(c.Out, b.String())
	return err
}

// paragraph is a paragraph of a help text. If it begins with four blanks, the whole paragraph is an
// example. Otherwise a line that begins with two blanks is an entry: a name, two blanks and a text.
// Lines with more blanks continue the entry. Other lines are prose.
type paragraph struct {
	example, prose string
	list           []entry
}

type entry struct{ name, text string }

func paragraphs(text string) (all []paragraph) {
	for part := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(part, "    ") {
			all = append(all, paragraph{example: part})
			continue
		}
		prose, list, isList := strings.Cut("\n"+part, "\n  ")
		p := paragraph{prose: strings.TrimPrefix(prose, "\n")}
		for line := range strings.SplitSeq(continued.ReplaceAllString(list, " "), "\n") {
			name, text, _ := strings.Cut(strings.TrimLeft(line, " "), "  ")
			if isList {
				p.list = append(p.list, entry{name, strings.TrimLeft(text, " ")})
			}
		}
		all = append(all, p)
	}
	return all
}

var continued = regexp.MustCompile(`\n {3,}`)

func writeProse(b *strings.Builder, text string, width int) {
	for i, p := range paragraphs(text) {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.example != "" {
			b.WriteString(p.example + "\n")
		}
		if p.prose != "" {
			wrap(b, p.prose, 0, 0, width, anyLines)
		}
		column := 0
		for _, e := range p.list {
			column = max(column, min(len([]rune(e.name))+4, indent))
		}
		for _, e := range p.list {
			writeEntry(b, "  "+e.name, e.text, column, width, anyLines)
		}
	}
}
