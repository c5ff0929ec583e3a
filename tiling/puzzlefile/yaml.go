package puzzlefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/tiling"
)

// Limits on the input of the YAML parser. Its time is linear in the input: each text of 1 MiB
// that was tried took less than 5 s on a busy machine.
const (
	// maxDepth is how deep lists and mappings may nest.
	maxDepth = 16
	// maxFlow limits the commas and open brackets of a file. The parser holds a list in
	// brackets in memory as a whole, 700 bytes for each value. The largest puzzle has
	// 16,384 cells of pieces, with four commas and brackets for each cell.
	maxFlow = 1 << 17
	// maxDocuments allows the puzzle and one empty document, which a "---" before or after
	// the puzzle begins.
	maxDocuments = 2
)

// kind is the kind of a node.
type kind uint8

const (
	scalar kind = iota
	sequence
	mapping
	missing // null, or nothing where a value should be
)

var kindNames = []string{scalar: "text", sequence: "a list", mapping: "a mapping", missing: "nothing"}

// node is a value of a puzzle file with its place, or an argument of a command.
type node struct {
	kind         kind
	text         string // of a scalar
	folded       bool   // YAML has joined the lines of a scalar
	items        []*node
	keys         []*node // of a mapping: one for each item
	block        bool    // the rows of a scalar are the lines below its place
	indent       int     // of a block: the number of blanks before each row
	name         string  // of the file or the argument
	line, column int     // from 1; 0 for an argument
}

// wrap returns err with the place of n or, if err is a DrawingError and n a block, with the place
// of the mistake in the drawing.
func (n *node) wrap(err error) error {
	e := &tiling.Error{Name: n.name, Line: n.line, Column: n.column, Text: err.Error()}
	var row *tiling.DrawingError
	if n.block && errors.As(err, &row) {
		e.Line, e.Column = n.line+1+row.Row, n.indent+1+row.Column
	}
	return e
}

// placed returns err with the place of n, unless err is nil or has a place.
func (n *node) placed(err error) error {
	var e *tiling.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return n.wrap(err)
}

func (n *node) errorf(format string, args ...any) error { return n.wrap(fmt.Errorf(format, args...)) }

// readYAML reads a file of one YAML or JSON document. It refuses the parts of YAML that no puzzle
// needs: aliases and anchors (a few lines of them can stand for billions of values), tags,
// directives, merge keys and second documents.
func readYAML(name string, data []byte) (*node, error) {
	start := &node{name: name, line: 1, column: 1}
	data = bytes.TrimLeft(data, "\ufeff")
	switch {
	case len(data) > MaxFileBytes:
		return nil, start.errorf("file of more than %d bytes, want at most that many", MaxFileBytes)
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return nil, start.errorf("binary data, want YAML or JSON in UTF-8")
	case bytes.Count(data, []byte(","))+bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxFlow:
		return nil, start.errorf("more than %d commas and open brackets, want a puzzle", maxFlow)
	}
	t := newTree(name, string(data))
	doc, err := t.load()
	switch {
	case err != nil:
		return nil, err
	case doc == nil:
		return nil, start.errorf("empty file, want a puzzle")
	}
	return t.convert(doc, 1)
}

// tree converts the nodes of the YAML parser. The places of the parser are lines and columns in
// text, from 1.
type tree struct {
	name  string
	file  string   // after lineEnds
	text  string   // the input of the parser: file with one escape for each pair of surrogates
	lines []string // of text
	// pairs has, by line, the columns at which such an escape ends. Each escape makes its line
	// in text two characters shorter than in file.
	pairs  map[int][]int
	cursor cursor
}

// cursor is a place in lines: offset is the byte of the line at which the column begins.
type cursor struct{ line, column, offset int }

// lineEnds replaces each kind of line end by a newline. The parser also ends lines at the
// characters NEL, LS and PS, where editors do not: they are replaced by a no-break space, which
// titles and names may not have.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\u00a0", "\u2028", "\u00a0", "\u2029", "\u00a0")

func newTree(name, file string) *tree {
	t := &tree{name: name, file: lineEnds.Replace(file), pairs: map[int][]int{}}
	t.text, t.lines = t.file, strings.Split(t.file, "\n")
	if !strings.Contains(t.text, `\u`) {
		return t
	}
	for i, line := range t.lines {
		t.lines[i] = t.joinPairs(line, i+1)
	}
	t.text = strings.Join(t.lines, "\n")
	return t
}

// surrogates matches two escapes of a surrogate each, which JSON has for a character beyond 16
// bits. YAML has one escape of eight digits.
var surrogates = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
})

// joinPairs returns a line with one escape of YAML for each pair of surrogates.
func (t *tree) joinPairs(line string, number int) string {
	var b strings.Builder
	last, column := 0, 0
	for _, at := range surrogates().FindAllStringIndex(line, -1) {
		high, _ := strconv.ParseUint(line[at[0]+2:at[0]+6], 16, 16)
		low, _ := strconv.ParseUint(line[at[0]+8:at[1]], 16, 16)
		b.WriteString(line[last:at[0]])
		escape := fmt.Sprintf(`\U%08x`, utf16.DecodeRune(rune(high), rune(low)))
		b.WriteString(escape)
		column += utf8.RuneCountInString(line[last:at[0]]) + len(escape)
		t.pairs[number] = append(t.pairs[number], column)
		last = at[1]
	}
	return b.String() + line[last:]
}

// limits is a plugin of the parser. It limits the depth of the document.
type limits struct{}

func (limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return errNested
	}
	return nil
}

// CheckAlias is never called: convert refuses an alias, and nothing expands it before.
func (limits) CheckAlias(int, int) error { return nil }

var errNested = fmt.Errorf("nested over %d deep, want a puzzle", maxDepth)

// load returns the file's document, or nil if the file is empty.
func (t *tree) load() (*yaml.Node, error) {
	for i, line := range t.lines { // only comments and blank lines precede a directive
		if strings.HasPrefix(line, "%") {
			return nil, t.at(i+1, 1).errorf(refused, firsts['%'])
		}
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' {
			break
		}
	}
	loader, err := yaml.NewLoader(strings.NewReader(t.text), yaml.WithPlugin(limits{}))
	if err != nil {
		return nil, err
	}
	var first *yaml.Node
	for documents := 1; ; documents++ {
		var doc yaml.Node
		switch err := loader.Load(&doc); {
		case errors.Is(err, io.EOF):
			return first, nil
		case err != nil:
			return nil, t.explain(err)
		}
		body := doc.Content[0]
		switch {
		case documents > maxDocuments:
			return nil, t.at(doc.Line, doc.Column).errorf(second)
		case isNothing(body):
		case first != nil:
			return nil, t.at(body.Line, body.Column).errorf(second)
		default:
			first = body
		}
	}
}

const second = "a second document, want one puzzle in a file"

// isNothing reports whether a node is the null of an empty value.
func isNothing(v *yaml.Node) bool {
	return v.Kind == yaml.ScalarNode && v.Tag == "!!null" && v.Value == ""
}

// firsts are the first characters of the parts of YAML that no puzzle needs.
var firsts = map[byte]string{
	'&': "an anchor (&)",
	'*': "an alias (*)",
	'!': "a tag (!)",
	'%': "a directive (%)",
	'?': "a complex key (?)",
	'<': "a merge key (<<)",
}

const refused = "%s, want plain values: quote text that begins with that character"

// at returns a node at a place of the parser, without a value.
func (t *tree) at(line, column int) *node {
	short, _ := slices.BinarySearch(t.pairs[line], column)
	column += 2 * short
	return &node{name: t.name, line: max(1, line), column: max(1, column)}
}

// from returns the text from a place of the parser to the end of the line.
func (t *tree) from(line, column int) string {
	if line < 1 || line > len(t.lines) {
		return ""
	}
	return t.lines[line-1][t.offset(line, column):]
}

// before returns the text of a line before a place of the parser.
func (t *tree) before(line, column int) string {
	if line < 1 || line > len(t.lines) {
		return ""
	}
	return t.lines[line-1][:t.offset(line, column)]
}

// offset returns the byte of a line at which a column begins. It starts at the column of the last
// call, since nodes come in the order of the text and a line may have 100,000 nodes.
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

// convert returns the node for v, with the nodes for all values in v.
func (t *tree) convert(v *yaml.Node, depth int) (*node, error) {
	n := t.at(v.Line, v.Column)
	if depth > maxDepth {
		return nil, n.wrap(errNested)
	}
	if here := t.from(v.Line, v.Column); here != "" && strings.IndexByte("&*!", here[0]) >= 0 {
		return nil, n.errorf(refused, firsts[here[0]])
	}
	switch v.Kind {
	case yaml.MappingNode:
		n.kind = mapping
		for i := 0; i < len(v.Content); i += 2 {
			if err := t.convertPair(n, v, i, depth); err != nil {
				return nil, err
			}
		}
	case yaml.SequenceNode:
		n.kind = sequence
		for _, item := range v.Content {
			child, err := t.convert(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, child)
		}
	default:
		return n, t.scalar(n, v)
	}
	return n, nil
}

// convertPair adds key i of a mapping and its value to n.
func (t *tree) convertPair(n *node, v *yaml.Node, i, depth int) error {
	key := v.Content[i]
	keyNode, err := t.convert(key, depth+1)
	if err != nil {
		return err
	}
	before := strings.TrimRight(t.before(key.Line, key.Column), " ")
	switch asked := strings.HasSuffix(before, "?"); {
	case key.Tag == "!!merge":
		return keyNode.errorf(refused, firsts['<'])
	case key.Tag != "!!str":
		return keyNode.errorf("a key that is not plain text, want a word")
	case asked:
		return t.at(key.Line, utf8.RuneCountInString(before)).errorf(refused, firsts['?'])
	case v.Style&yaml.FlowStyle == 0 && key.Column != v.Column: // lines below its '?'
		return n.errorf(refused, firsts['?'])
	}
	value, err := t.convert(v.Content[i+1], depth+1)
	if err != nil {
		return err
	}
	n.keys = append(n.keys, keyNode)
	n.items = append(n.items, value)
	return nil
}

// scalar makes n the node for a scalar.
func (t *tree) scalar(n *node, v *yaml.Node) error {
	if v.Tag == "!!null" {
		n.kind = missing
		if v.Value == "" {
			n.column = t.emptyColumn(v)
		}
		return nil
	}
	n.text = v.Value // as written: the types of YAML are ignored
	switch v.Style {
	case yaml.LiteralStyle, yaml.FoldedStyle:
		n.folded, n.block, n.indent = v.Style == yaml.FoldedStyle, true, t.indent(n)
		return t.cutOff(v, n.indent)
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		n.folded = !closes(t.from(v.Line, v.Column))
	default:
		n.folded = !strings.HasPrefix(t.from(v.Line, v.Column), v.Value)
	}
	return nil
}

// emptyColumn returns the column for an empty value: the column after the ':' or "- " before it or,
// if a comment follows, the column of the comment, which is often meant as the value.
func (t *tree) emptyColumn(v *yaml.Node) int {
	after, before := t.from(v.Line, v.Column), t.before(v.Line, v.Column)
	switch gap := blanks(after); {
	case strings.HasPrefix(after[gap:], "#"):
		return v.Column + gap
	case strings.HasSuffix(before, "-"):
		return v.Column + 1
	}
	return v.Column - (len(before) - len(strings.TrimRight(before, " ")))
}

// closes reports whether a quoted text, which begins the line, ends on this line.
func closes(line string) bool {
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote:
			return true // a doubled quote, which is text, also makes closes report true
		}
	}
	return false
}

// indent returns the number of blanks before the rows of a block of text: by how many bytes the
// line of the first row that is not blank is longer than the row.
func (t *tree) indent(n *node) int {
	for i, row := range strings.Split(n.text, "\n") {
		if line := n.line + i; strings.TrimSpace(row) != "" && line < len(t.lines) {
			return max(0, len(t.lines[line])-len(row))
		}
	}
	return 0
}

// cutOff returns an error if YAML cuts off a drawing. If the first row begins with blanks, YAML
// ends the text before a row that is further left, and reads it as a comment if it begins with '#'.
// The line right below the text is then a comment, further right than the line of the key.
//
//	board: |
//	    ##        the text
//	  ######      a comment
func (t *tree) cutOff(v *yaml.Node, indent int) error {
	margin := blanks(t.lines[v.Line-1])
	for i := v.Line; i < len(t.lines); i++ {
		line := t.lines[i]
		mark := strings.TrimSpace(line)
		from := blanks(line)
		if mark == "" || from >= indent {
			continue
		}
		if from > margin && mark[0] == '#' && drawnIn(mark, tiling.Square.BoardMarks()) {
			return t.at(i+1, from+1).errorf(furtherLeft, "takes for a comment")
		}
		break
	}
	return nil
}

const furtherLeft = "a row further left than the first row of the drawing, which YAML %s; want '.' for the blanks that the first row begins with"

// blanks returns the number of blanks at the beginning of a line.
func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
