package tiling

import (
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// refused are the tokens of YAML that no puzzle needs.
var refused = map[token.Type]string{
	token.AnchorType:     "an anchor (&)",
	token.AliasType:      "an alias (*)",
	token.TagType:        "a tag (!)",
	token.DirectiveType:  "a directive (%)",
	token.MergeKeyType:   "a merge key (<<)",
	token.MappingKeyType: "a complex key (?)",
}

// tokenMarks are the bytes that begin tokens within a line.
const tokenMarks = "[]{},:-?&*!%|>\"'@`"

// scan cuts text into tokens and holds them to what the parser can be trusted
// with. It counts marks, blank lines and tabs first, for the lexer's own sake.
func (t *tree) scan(text string) (token.Tokens, error) {
	marks, blank := 0, strings.Count(text, "\t")
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			blank++
		}
		for i := range len(line) {
			if strings.IndexByte(tokenMarks, line[i]) >= 0 {
				marks++
			}
		}
		marks++ // the line's end
	}
	if marks > maxMarks || blank > maxBlank {
		return nil, (&node{name: t.name, line: 1, column: 1}).errorf(
			"more than %d lines and punctuation marks, or than %d blank lines and tabs, want a puzzle", maxMarks, maxBlank)
	}
	tokens := lexer.Tokenize(text)
	g := guard{tree: t}
	for _, tk := range tokens {
		if err := g.check(tk); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// guard is what scan knows of the tokens it has seen.
type guard struct {
	tree      *tree
	keys      int   // and blocks of text
	documents int   // markers, --- and ...
	flow      int   // open brackets
	columns   []int // of open blocks, rising
	line      int   // of the last token
	first     int   // column of the first token of the line
	block     *token.Token
	margin    int // of the line in which block, a literal or folded text, begins
}

// check holds a token to what a puzzle needs: its type, how deep it nests, and
// the number of keys and of documents so far.
func (g *guard) check(tk *token.Token) error {
	place := g.tree.tokenPlace(tk)
	if what, no := refused[tk.Type]; no {
		return place.errorf("%s, want plain values: quote text that begins with that character", what)
	}
	switch tk.Type {
	case token.MappingValueType, token.LiteralType, token.FoldedType:
		g.keys++
	case token.DocumentHeaderType, token.DocumentEndType:
		g.documents++
	}
	g.nest(tk)
	switch {
	case g.keys > maxKeys:
		return place.errorf("more than %d keys and blocks, want a puzzle", maxKeys)
	case g.documents > maxDocuments:
		return place.errorf("a second document, want one puzzle in a file")
	case g.flow+len(g.columns) > maxDepth:
		return errDeep(place)
	case g.flow < 0:
		return place.errorf("a bracket that closes nothing, want YAML or JSON")
	case g.flow > 0 && tk.Type == token.SequenceEntryType:
		return place.errorf("a '-' in brackets, want values separated by commas")
	}
	return g.drawing(tk)
}

// nest follows the nesting. A block opens at a '-' or at the first token of a
// line, if that is further right than the block it is in.
func (g *guard) nest(tk *token.Token) {
	line, column := tk.Position.Line, tk.Position.Column
	opens := line != g.line || tk.Type == token.SequenceEntryType
	if line != g.line {
		g.line, g.first = line, column
	}
	switch tk.Type {
	case token.CommentType:
		return
	case token.SequenceStartType, token.MappingStartType:
		g.flow++
	case token.SequenceEndType, token.MappingEndType:
		g.flow--
	}
	if !opens || g.flow > 0 {
		return
	}
	for len(g.columns) > 0 && g.columns[len(g.columns)-1] >= column {
		g.columns = g.columns[:len(g.columns)-1]
	}
	g.columns = append(g.columns, column)
}

// drawing catches a drawing cut off by YAML itself: after a first row that
// begins with blanks, rows further left are no longer text but comments, if
// they begin with '#'. Such a comment stands right below the text, further
// right than the line above it.
//
//	board: |
//	    ##        the text
//	  ######      a comment
func (g *guard) drawing(tk *token.Token) error {
	switch tk.Type {
	case token.LiteralType, token.FoldedType:
		g.block, g.margin = tk, g.first
	case token.StringType: // the text of the block
	case token.CommentType:
		if g.block != nil && tk.Position.Column > g.margin && strings.Trim(tk.Value, boardMarks) == "" {
			return g.tree.tokenPlace(tk).errorf("a row further left than the first row of the drawing, which YAML takes for a comment; want '.' for the blanks that the first row begins with")
		}
		g.block = nil
	default:
		g.block = nil
	}
	return nil
}
