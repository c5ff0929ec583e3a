package puzzlefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
)

// fields returns the values of a mapping by their keys, or an error if a key is not allowed or is
// there twice. Errors call the mapping what.
func (n *node) fields(what string, allowed []string) (map[string]*node, error) {
	if n.kind != mapping {
		return nil, n.errorf("%s is %s, want a mapping with %s", what, kindNames[n.kind], wording.List(allowed))
	}
	f := map[string]*node{}
	for i, key := range n.keys {
		if !slices.Contains(allowed, key.text) {
			return nil, key.errorf("unknown key %s, %s", wording.Quote(key.text), meant(key.text, wording.List(allowed), allowed))
		}
		if f[key.text] != nil {
			return nil, key.errorf("key %s a second time, want it once", wording.Quote(key.text))
		}
		f[key.text] = n.items[i]
	}
	return f, nil
}

// word returns the text of n, the value of a key. It returns an error if n is not a text.
func (n *node) word(key string) (string, error) {
	if n.kind == missing {
		return "", n.errorf("%s has no value, want one (a '#' after a blank begins a comment: quote the text)", key)
	}
	if n.kind != scalar {
		return "", n.errorf("%s is %s, want text", key, kindNames[n.kind])
	}
	return n.text, nil
}

// choice returns the index in names of the value of a key. It returns otherwise if f does not have
// the key.
func choice(f map[string]*node, key string, names []string, otherwise int) (int, error) {
	n := f[key]
	if n == nil {
		return otherwise, nil
	}
	text, err := n.word(key)
	if err != nil {
		return 0, err
	}
	i := slices.Index(names, text)
	if i < 0 {
		return 0, n.errorf("unknown %s %s, %s", key, wording.Quote(text), meant(text, wording.List(names), names))
	}
	return i, nil
}

// otherWords maps common words to the words that puzzle files have for them.
var otherWords = map[string]string{"torus": "both", "toroidal": "both", "cylinder": "columns", "hexagonal": "hexagon", "triangular": "triangle", "cubic": "cube"}

// meant returns the end of an error about an unknown word: "did you mean" and the nearest known
// word or, if no known word is near, "want" and all.
func meant(word, all string, known ...[]string) string {
	words := slices.Concat(known...)
	if w := otherWords[strings.ToLower(word)]; w != "" && slices.Contains(words, w) {
		return fmt.Sprintf("did you mean %s?", w)
	}
	if w := spell.Nearest(word, words); w != "" {
		return fmt.Sprintf("did you mean %s?", w)
	}
	return "want " + all
}

// drawn returns the text of n, the value of a key that may be a drawing. It returns an error if
// YAML has joined the lines of the text.
func (n *node) drawn(key string) (string, error) {
	if n.folded {
		return "", n.errorf("%s has lines that YAML joins, want a block that begins with |, or \"…\\n…\" on one line", key)
	}
	return n.word(key)
}

func (n *node) put(key string, value *node) {
	n.keys = append(n.keys, &node{text: key, name: n.name})
	n.items = append(n.items, value)
}
