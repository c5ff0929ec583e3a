package tiling

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits on what the YAML parser is given: its time is quadratic in much that
// no puzzle has much of. Measured with go-yaml v1.19.2, on a busy machine:
const (
	// It parses blocks by recursion: a megabyte of '[' or "- " would cost it
	// its stack, and no recover catches that.
	maxDepth = 16
	// Keys of a mapping: 200,000 lines "a:" took 134 s, 8,192 take 0.3 s.
	maxKeys = 8192
	// Lines of blanks at the end of a block of text: 262,000 took 240 s, 8,192
	// take 0.3 s. Tabs in quoted text: 50,000 took 2.7 s.
	maxBlank = 8192
	// Lines and marks of punctuation, of which each token has one: 50,000
	// lines "-" or "|" take 0.6 s, four times as many ten times as long.
	maxMarks = 1 << 16
	// One --- before the puzzle and one ... after it: 25,000 took 1 s.
	maxDocuments = 2
)

// kind of a node.
type kind uint8

const (
	scalar kind = iota
	sequence
	mapping
	missing // null, or nothing where a value should be
)

var kindNames = []string{scalar: "text", sequence: "a list", mapping: "a mapping", missing: "nothing"}

// node is a value of a puzzle file and where it stands: the little of YAML and
// JSON that a puzzle needs. Inline arguments are made into nodes too.
type node struct {
	kind         kind
	text         string // of a scalar
	folded       bool   // a scalar whose line ends YAML has made into blanks
	items        []*node
	keys         []*node // of a mapping, one for each item
	block        bool    // a scalar whose rows are the lines below its place …
	indent       int     // … behind so many blanks
	name         string  // of the file or the argument
	line, column int     // 0 in an argument
}

// wrap gives err the place of n or, if it is about a row of a drawing, of that
// row.
func (n *node) wrap(err error) error {
	e := &Error{Name: n.name, Line: n.line, Column: n.column, Text: err.Error()}
	var row *rowError
	if n.block && errors.As(err, &row) {
		e.Line, e.Column = n.line+1+row.row, n.indent+1+row.at
	}
	return e
}

func (n *node) errorf(format string, args ...any) error { return n.wrap(fmt.Errorf(format, args...)) }

// readYAML reads a file of one YAML or JSON document. It refuses what a puzzle
// has no use for: aliases and anchors (a few lines of them can stand for
// billions of values), tags, directives, merge keys and several documents.
func readYAML(name string, data []byte) (*node, error) {
	start := &node{name: name, line: 1, column: 1}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > MaxFileBytes:
		return nil, start.errorf("file of more than %d bytes, want at most that many", MaxFileBytes)
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return nil, start.errorf("binary data, want YAML or JSON in UTF-8")
	}
	t := &tree{name: name}
	// All three line ends of YAML become one, so that maxBlank holds for each.
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
	t.lines = strings.Split(text, "\n")
	doc, err := t.parse(text)
	switch {
	case err != nil:
		return nil, cmp.Or(t.jsonError(text, err), t.at(err))
	case doc == nil:
		return nil, start.errorf("empty file, want a puzzle")
	}
	return t.convert(doc, 1)
}

// tree makes nodes of the YAML parser's.
type tree struct {
	name  string
	lines []string
}

// parse runs the YAML parser. It is guarded by limits on the tokens, and what
// panics it may still have (an index out of range would be one) become errors:
// a wrong file must not end the program. No panic is known: the fuzz test has
// not found any.
func (t *tree) parse(text string) (body ast.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			body, err = nil, &Error{Name: t.name, Line: 1, Column: 1, Text: "not understood by the YAML parser, want YAML or JSON"}
		}
	}()
	tokens, err := t.scan(text)
	if err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // we report duplicates ourselves
	if err != nil {
		return nil, err
	}
	for _, doc := range file.Docs {
		if doc.Body != nil && body != nil {
			return nil, t.place(doc.Body).errorf("a second document, want one puzzle in a file")
		}
		if doc.Body != nil {
			body = doc.Body
		}
	}
	return body, nil
}

// at gives an error of the YAML parser, which has pictures in its text, the
// form of ours.
func (t *tree) at(err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return err
	}
	n := &node{name: t.name, line: 1, column: 1}
	var theirs interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if !errors.As(err, &theirs) {
		return n.errorf("not YAML: %s, want YAML or JSON", quote(err.Error()))
	}
	if tk := theirs.GetToken(); tk != nil {
		n = t.tokenPlace(tk)
	}
	message, _, _ := strings.Cut(theirs.GetMessage(), "\n")
	if strings.Contains(message, "'\t'") {
		return n.errorf("a tab, which YAML does not take for indentation, want blanks")
	}
	if !printable(message, 200) {
		message = quote(message)
	}
	return n.errorf("not YAML: %s, want YAML or JSON", message)
}

// jsonError says what is wrong with a text that is meant to be JSON and that
// the YAML parser refused with err, whose words for it are about YAML. It
// returns nil if the text is not meant so, or is JSON, or err is one of ours.
func (t *tree) jsonError(text string, err error) error {
	var ours *Error
	after, isObject := strings.CutPrefix(strings.TrimSpace(text), "{")
	if after = strings.TrimSpace(after); errors.As(err, &ours) || !isObject || after != "" && after[0] != '"' {
		return nil
	}
	var value any
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(text), &value), &syntax) {
		return nil
	}
	before := text[:max(0, min(int(syntax.Offset), len(text))-1)]
	line := strings.Count(before, "\n")
	n := &node{name: t.name, line: line + 1, column: utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1}
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		return n.errorf("not JSON: the text ends here, want what closes all that is open")
	}
	return n.errorf("not JSON: %s", syntax)
}

// place is an empty node where v begins in the file.
func (t *tree) place(v ast.Node) *node {
	if v == nil || v.GetToken() == nil {
		return &node{name: t.name, line: 1, column: 1}
	}
	tk := v.GetToken()
	if m, ok := v.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		tk = m.Values[0].Key.GetToken() // its own is the ':'
	}
	return t.tokenPlace(tk)
}

func (t *tree) tokenPlace(tk *token.Token) *node {
	n := &node{name: t.name, line: 1, column: 1}
	if p := tk.Position; p != nil {
		n.line, n.column = max(1, p.Line), max(1, p.Column)
	}
	return n
}

// convert makes a node of v and all below it.
func (t *tree) convert(v ast.Node, depth int) (*node, error) {
	n := t.place(v)
	if depth > maxDepth {
		return nil, errDeep(n)
	}
	switch v := v.(type) {
	case *ast.MappingNode:
		n.kind = mapping
		for _, pair := range v.Values {
			if err := t.convertPair(n, pair, depth); err != nil {
				return nil, err
			}
		}
	case *ast.SequenceNode:
		n.kind = sequence
		for _, item := range v.Values {
			child, err := t.convert(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, child)
		}
	case *ast.LiteralNode:
		n.text, n.folded = v.Value.Value, v.Start.Type == token.FoldedType
		n.block, n.indent = true, t.indent(n)
	case *ast.StringNode:
		n.text, n.folded = v.Value, strings.Contains(strings.TrimSpace(v.Token.Origin), "\n")
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.text = v.GetToken().Value // as written: what it means is not YAML's to say
	case *ast.NullNode:
		n.kind = missing
	default:
		return nil, n.errorf("a value of YAML that puzzles do not have, want text, a list or a mapping")
	}
	return n, nil
}

// indent is the number of blanks before the rows of a block of text: how much
// longer the line of its first row that is not blank is than the row.
func (t *tree) indent(n *node) int {
	for i, row := range strings.Split(n.text, "\n") {
		if line := n.line + i; strings.TrimSpace(row) != "" && line < len(t.lines) {
			return max(0, len(t.lines[line])-len(row))
		}
	}
	return 0
}

func (t *tree) convertPair(n *node, pair *ast.MappingValueNode, depth int) error {
	key, ok := pair.Key.(*ast.StringNode)
	if !ok {
		return t.place(pair.Key).errorf("a key that is not plain text, want a word")
	}
	value, err := t.convert(pair.Value, depth+1)
	if err != nil {
		return err
	}
	keyNode := t.place(key)
	keyNode.text = key.Value
	n.keys = append(n.keys, keyNode)
	n.items = append(n.items, value)
	return nil
}

func errDeep(n *node) error { return n.errorf("nested over %d deep, want a puzzle", maxDepth) }
