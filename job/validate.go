package job

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/strict"
)

// Validate returns the first mistake in a request. It does not check the puzzle.
func Validate(r Request) error {
	of := reflect.ValueOf(r).Elem()
	for _, f := range strict.FieldsOf(of.Type()) {
		words := f.Words()
		if len(words) == 0 {
			continue
		}
		text := of.FieldByIndex(f.Field.Index).String()
		optional := strings.HasSuffix(f.Field.Tag.Get("json"), ",omitempty")
		if !slices.Contains(words, text) && (text != "" || !optional) {
			is := "missing"
			if text != "" {
				is = fmt.Sprintf("%.40q", text)
			}
			return bad("{"+f.Name+"} is %s, expected %s%s", is, spell.OneOf(text, words), f.Field.Tag.Get("why"))
		}
	}
	if own, ok := r.(interface{ check() error }); ok {
		if err := own.check(); err != nil {
			return err
		}
	}
	weights, _ := field(r, "Weights").(*[]string)
	given, _ := field(r, "Conditions").(*Conditions)
	distinct, _ := field(r, "Distinct").(*Distinct)
	p := PuzzleOf(r)
	if boxes, ok := r.(interface{ puzzle() *Puzzle }); ok {
		p = boxes.puzzle()
	}
	switch {
	case weights != nil && len(*weights) > maxWeights:
		return bad("%d weights given, expected at most %d", len(*weights), maxWeights)
	case given != nil && given.number() > maxConditions:
		return bad("%d conditions given, expected at most %d", given.number(), maxConditions)
	case p != nil && distinct != nil && *distinct != "" && p.derived() != nil: // perhaps the symmetries of the puzzle change the family
		return bad("{distinct} needs all tilings of a puzzle, but %s holds a derived family (%s): give a puzzle in place of the file", p.Name, p.howDerived())
	case p != nil:
		return p.check()
	}
	return nil
}

// PuzzleOf returns the puzzle of a request, or nil if the request has none.
func PuzzleOf(r Request) *Puzzle {
	p, _ := field(r, "Puzzle").(*Puzzle)
	return p
}

func field(of any, name string) any {
	if f := reflect.ValueOf(of).Elem().FieldByName(name); f.IsValid() {
		return f.Addr().Interface()
	}
	return nil
}
