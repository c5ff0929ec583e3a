package main

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/cmd/pavage/command"
)

// TestHelpFits: the help of the program and its verbs fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	p := program()
	texts := []string{p.Long, p.Example}
	for _, newVerb := range p.Verbs {
		v := newVerb(&command.Call{})
		texts = append(texts, v.Long, v.Example)
	}
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%d columns: %s", len([]rune(line)), line)
			}
		}
	}
}
