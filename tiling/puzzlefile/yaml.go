package puzzlefile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/internal/kit/wording"
)

const (
	maxDepth = 16
	// maxFlow limits the number of commas and open brackets in a file, since the parser needs 700
	// bytes of memory for each value in brackets. The pieces of the largest puzzle have 16,384 cells,
	// and a cell, such as "[0, 0, 1],", has four of these characters.
	maxFlow = 1 << 17
)

// readYAML returns the outermost node of a file. It fails at tags, merge keys, a second document,
// aliases and anchors. With aliases, a few lines can mean billions of values.
func readYAML(name string, data []byte) *node {
	start := &node{name: name, line: 1, column: 1}
	data = bytes.TrimLeft(data, "\ufeff")
	switch {
	case len(data) > MaxFileBytes:
		start.fail("the file is too long, expected at most %d bytes", MaxFileBytes)
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		start.fail("the file has binary data, expected YAML or JSON in UTF-8")
	case bytes.Count(data, []byte(","))+bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxFlow:
		start.fail("too many commas and open brackets in the file, expected at most %d", maxFlow)
	}
	text := surrogates.ReplaceAllStringFunc(lineEnds.Replace(string(data)), func(pair string) string {
		pair = strings.ToLower(pair)
		return `\ue` + digits.Replace(pair[3:4]) + pair[4:6] + `\ue` + digits.Replace(pair[9:10]) + pair[10:]
	})
	t := &tree{name: name, text: text, lines: strings.Split(text, "\n")}
	doc := t.load()
	if doc == nil {
		start.fail("the file has no puzzle, expected keys such as board and pieces")
	}
	return t.convert(doc)
}

// tree converts the nodes of the YAML parser. In these nodes, the first line and column are 1.
type tree struct {
	name   string
	text   string   // the file after the replacements of lineEnds and surrogates
	lines  []string // lines of text
	cursor cursor
}

type cursor struct{ line, column, offset int }

// lineEnds replaces the characters NEL, LS and PS, at which the parser ends a line and editors do
// not. It replaces them by no-break spaces, which titles and names may not have.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\u00a0", "\u2028", "\u00a0", "\u2029", "\u00a0")

// JSON has escapes of surrogates, which the YAML parser refuses. So readYAML adds 0x800 to each
// surrogate. The result is a private character, which titles and names may not have.
var (
	surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	private    = regexp.MustCompile("[\ue000-\ue3ff][\ue400-\ue7ff]")
	digits     = strings.NewReplacer("8", "0", "9", "1", "a", "2", "b", "3", "c", "4", "d", "5", "e", "6", "f", "7")
)

// joined replaces each pair of private characters by the character whose surrogates they replaced.
func joined(text string) string {
	return private.ReplaceAllStringFunc(text, func(pair string) string {
		runes := []rune(pair)
		return string(utf16.DecodeRune(runes[0]-0x800, runes[1]-0x800))
	})
}

// limits is a plugin of the parser. It stops the parser at a document that is nested too deep.
type limits struct{}

func (limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return errNested
	}
	return nil
}

// CheckAlias is never called: convert fails at an alias before anything expands it.
func (limits) CheckAlias(int, int) error { return nil }

var errNested = fmt.Errorf("lists and mappings are nested too deeply, expected at most %d levels", maxDepth)

func (t *tree) load() (first *yaml.Node) {
	t.checkDrawings()
	loader, err := yaml.NewLoader(strings.NewReader(t.text), yaml.WithPlugin(limits{}))
	t.at(1, 1).check(err)
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); errors.Is(err, io.EOF) {
			return first
		} else if err != nil {
			t.explain(err)
		}
		body := doc.Content[0]
		isNothing := body.Kind == yaml.ScalarNode && body.Tag == "!!null" && body.Value == ""
		switch {
		case isNothing:
		case first != nil:
			t.at(body.Line, body.Column).fail(second)
		default:
			first = body
		}
	}
}

const second = "the file has a second document, expected one puzzle in a file"

var firsts = map[byte]string{
	'&': "an anchor (&)",
	'*': "an alias (*)",
	'!': "a tag (!)",
	'%': "a directive (%)",
	'?': "a complex key (?)",
	'<': "a merge key (<<)",
}

const refused = "%s is not allowed in a puzzle file, expected plain values: quote text that begins with this character"

func (t *tree) at(line, column int) *node {
	return &node{name: t.name, line: max(1, line), column: max(1, column)}
}

func (t *tree) split(line, column int) (before, from string) {
	if line < 1 || line > len(t.lines) {
		return "", ""
	}
	at := t.offset(line, column)
	return t.lines[line-1][:at], t.lines[line-1][at:]
}

// offset returns the index of the byte at a column of a line. It begins at the column of the last
// call, since a line may have 100,000 nodes, and convert calls offset for them in order.
func (t *tree) offset(line, column int) int {
	c := &t.cursor
	if c.line != line || c.column > column {
		*c = cursor{line: line, column: 1}
	}
	text := t.lines[line-1]
	for ; c.column < column && c.offset < len(text); c.column++ {
		_, size := utf8.DecodeRuneInString(text[c.offset:])
		c.offset += size
	}
	return c.offset
}

func (t *tree) convert(v *yaml.Node) *node {
	n := t.at(v.Line, v.Column)
	before, here := t.split(v.Line, v.Column)
	if here != "" && strings.IndexByte("&*!", here[0]) >= 0 {
		n.fail(refused, firsts[here[0]])
	}
	switch {
	case v.Kind == yaml.MappingNode:
		n.kind = mapping
		for i := 0; i < len(v.Content); i += 2 {
			n.keys = append(n.keys, t.key(n, v, v.Content[i]))
			n.items = append(n.items, t.convert(v.Content[i+1]))
		}
	case v.Kind == yaml.SequenceNode:
		n.kind = sequence
		for _, item := range v.Content {
			n.items = append(n.items, t.convert(item))
		}
	case v.Tag == "!!null":
		n.kind = missing
		if v.Value != "" {
			break
		}
		// The place of a missing value is after the ':' or "- ". If a comment follows, the place is its
		// '#', which was probably meant as the start of a value.
		switch gap := blanks(here); {
		case strings.HasPrefix(here[gap:], "#"):
			n.column = v.Column + gap
		case strings.HasSuffix(before, "-"):
			n.column = v.Column + 1
		default:
			n.column = v.Column - (len(before) - len(strings.TrimRight(before, " ")))
		}
	default:
		n.text = joined(v.Value)
		switch v.Style {
		case yaml.LiteralStyle, yaml.FoldedStyle:
			n.folded, n.block, n.indent = v.Style == yaml.FoldedStyle, true, t.indent(n)
		case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
			n.folded = !closes(here)
		default:
			n.folded = !strings.HasPrefix(here, v.Value)
		}
	}
	return n
}

func (t *tree) key(n *node, v, key *yaml.Node) *node {
	k := t.convert(key)
	before, _ := t.split(key.Line, key.Column)
	before = strings.TrimRight(before, " ")
	switch {
	case key.Tag == "!!merge":
		k.fail(refused, firsts['<'])
	case key.Tag != "!!str":
		k.fail("the key is not plain text, expected a word")
	case strings.HasSuffix(before, "?"):
		t.at(key.Line, utf8.RuneCountInString(before)).fail(refused, firsts['?'])
	case v.Style&yaml.FlowStyle == 0 && key.Column != v.Column: // the key is on a line below its '?'
		n.fail(refused, firsts['?'])
	}
	return k
}

func closes(line string) bool {
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote:
			return true // a doubled quote, which is part of the text, also ends the loop
		}
	}
	return false
}

// indent returns the number of bytes that YAML removes from the start of each row of a block. It
// compares the length of the first row that is not blank with the length of its line in the file.
func (t *tree) indent(n *node) int {
	for i, row := range strings.Split(n.text, "\n") {
		if line := n.line + i; strings.TrimSpace(row) != "" && line < len(t.lines) {
			return max(0, len(t.lines[line])-len(row))
		}
	}
	return 0
}

// checkDrawings fails if YAML would read only the first rows of a drawing. YAML ends the text
// before a row that begins further left than the first row, and then reads '#' as a comment.
//
//	board: |
//	    ##        the text
//	  ######      a comment
func (t *tree) checkDrawings() {
	first := -1 // number of blanks before the first row of the block; -1 if not in a block
	margin := 0 // number of blanks before the key of the block
	for i, row := range t.lines {
		from := blanks(row)
		switch mark := strings.TrimSpace(row); {
		case mark == "":
		case blockBegins.MatchString(row):
			first, margin = 0, from
		case !drawnIn(mark, everyMark):
			first = -1
		case first == 0:
			first = from
		case first > from && from > margin:
			t.at(i+1, from+1).fail("this row begins further left than the first row of the drawing, so YAML does not read it as a part of the drawing; " +
				"expected '.' in place of the blanks at the start of the first row")
		case first > from:
			first = -1
		}
	}
}

var blockBegins = regexp.MustCompile(`\|[-+]?( +#.*)?$`)

func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// noColon is the parser's message about a line without ':'. The error has a place after the line.
const noColon = "could not find expected ':'"

// syntax maps errors of the parser to texts that are easier to understand.
var syntax = map[string]string{
	"did not find expected ',' or ']'":            "a list in brackets without the next ',' or its ']'",
	"did not find expected ',' or '}'":            "a mapping in braces without the next ',' or its '}'",
	"found unexpected end of stream":              "quoted text without its end",
	"found unexpected document indicator":         "quoted text without its end",
	"found unknown escape character":              `a '\' before a character that needs none`,
	"did not find expected hexadecimal number":    `a '\' with too few hexadecimal digits`,
	"found invalid Unicode character escape code": `a '\' with the number of no character`,
	noColon: "text where a key and its ':' should be",
	"mapping values are not allowed in this context": "a ':' where no key can be (quote text with a ':' in it, write keys of a mapping below each other)",
	"did not find expected '-' indicator":            "no '-' before an entry of a list",
	"did not find expected key":                      "no key where the next one of a mapping should be",
	"did not find expected node content":             "no value where one should be",
	"did not find expected <document start>":         "more text after the end of the value",
	"did not find expected comment or line break":    "more than a number, '+' or '-' after a '|' or '>'",
	"found a comment without preceding whitespace":   "a '#' without a blank before it",
	"found character that cannot start any token":    "text that begins with a character that must be quoted",
}

func (t *tree) explain(err error) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		t.at(1, 1).fail("not YAML: %s, expected YAML or JSON", wording.Quote(err.Error()))
	}
	line, column := t.blamed(load)
	n := t.at(line, column)
	_, here := t.split(line, column)
	switch {
	case load.Message == errNested.Error():
		n.check(errNested)
	case strings.Contains(load.Message, "tab character"), strings.HasPrefix(here, "\t"):
		n.fail("the line is indented by a tab, which YAML does not accept; expected blanks")
	}
	if here != "" && load.ContextMsg != "while scanning a quoted scalar" {
		if what := firsts[here[0]]; what != "" {
			n.fail(refused, what)
		}
	}
	message := cmp.Or(syntax[load.Message], load.Message)
	if load.Stage == yaml.ReaderStage {
		message = "a control character"
	}
	if !wording.Printable(message, 200) {
		message = wording.Quote(message)
	}
	n.fail("not YAML: %s, expected YAML or JSON", message)
}

// blamed returns the place where the parser stopped. At the end of the text, or at a line without
// ':', it returns the place where the unfinished value begins, if this place is known.
func (t *tree) blamed(e *yaml.LoadError) (line, column int) {
	if e.Stage == yaml.ReaderStage { // errors of this stage have no line, only the index of a byte
		return lineColumn(t.text[:max(0, min(e.Mark.Index, len(t.text)))])
	}
	text := strings.TrimRight(t.text, " \n")
	lastLine, lastColumn := lineColumn(text)
	atEnd := e.Mark.Line > lastLine || e.Mark.Line == lastLine && e.Mark.Column >= lastColumn
	switch begun := e.ContextMark; {
	case begun.Line > 0 && begun != e.Mark && (atEnd || e.Message == noColon):
		return begun.Line, begun.Column
	case atEnd:
		return lastLine, lastColumn
	}
	return e.Mark.Line, e.Mark.Column
}

func lineColumn(before string) (line, column int) {
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}
