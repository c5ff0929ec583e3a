package tiling

import (
	"strings"

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

// checkTokens holds the tokens to what the parser can be trusted with: their
// number and that of the keys, how deep they nest, and their types.
func (t *tree) checkTokens(tokens token.Tokens) error {
	g := guard{tree: t}
	for i, tk := range tokens {
		if what, no := refused[tk.Type]; no {
			return t.tokenPlace(tk).errorf("%s, want plain values: quote text that begins with that character", what)
		}
		if tk.Type == token.MappingValueType {
			g.keys++
		}
		if g.keys > maxKeys || i >= maxTokens {
			return t.tokenPlace(tk).errorf("more than %d keys or %d words, want a puzzle", maxKeys, maxTokens)
		}
		if g.nest(tk); g.flow+len(g.columns) > maxDepth {
			return errDeep(t.tokenPlace(tk))
		}
		if err := g.drawing(tk); err != nil {
			return err
		}
	}
	return nil
}

// guard is what checkTokens knows of the tokens it has seen.
type guard struct {
	tree    *tree
	keys    int
	flow    int   // open brackets
	columns []int // of open blocks, rising
	line    int   // of the last token
	first   int   // column of the first token of the line
	block   *token.Token
	margin  int // of the line in which block, a literal or folded text, begins
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
		g.flow = max(0, g.flow-1)
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
