package command

import (
	"embed"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/pavage/pavage/job"
)

// Topic is a text that help has beside the texts of the verbs. The first line of the text is its
// title. See writeProse for its paragraphs.
type Topic struct{ Name, Text string }

func (t Topic) title() string {
	title, _, _ := strings.Cut(t.Text, "\n")
	return title
}

//go:embed topics
var topicFiles embed.FS

// topics returns the topics of pavage. {formats} in a text stands for the formats that a puzzle may
// have.
func topics() (all []Topic) {
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

// writeTopic writes a topic at the width of the terminal.
func (c *Call) writeTopic(t Topic) error {
	var b strings.Builder
	writeProse(&b, t.Text, helpWidth(c.Out))
	_, err := io.WriteString(c.Out, b.String())
	return err
}

// writeProse writes paragraphs, wrapped at a width. A paragraph that begins with four blanks is
// written as it is. In one that begins with two blanks each line with two blanks is an entry of a
// list: a name, two blanks and a text, which lines with more blanks continue. A paragraph may end with
// a list.
func writeProse(b *strings.Builder, text string, width int) {
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString("\n")
		}
		if strings.HasPrefix(paragraph, "    ") {
			b.WriteString(paragraph + "\n")
			continue
		}
		prose, list, _ := strings.Cut("\n"+paragraph, "\n  ")
		if prose != "" {
			wrap(b, prose, 0, 0, width, anyLines)
		}
		if list != "" {
			writeList(b, list, width)
		}
	}
}

// writeList writes the entries of a list, whose texts begin at one column.
func writeList(b *strings.Builder, list string, width int) {
	list = continued.ReplaceAllString(list, " ")
	var names, texts []string
	column := 0
	for entry := range strings.SplitSeq(list, "\n") {
		name, text, _ := strings.Cut(strings.TrimLeft(entry, " "), "  ")
		names, texts = append(names, "  "+name), append(texts, text)
		column = max(column, min(len([]rune(name))+4, indent))
	}
	for i, name := range names {
		writeEntry(b, name, texts[i], column, width, anyLines)
	}
}

// continued matches the beginning of a line that continues an entry of a list.
var continued = regexp.MustCompile(`\n {3,}`)
