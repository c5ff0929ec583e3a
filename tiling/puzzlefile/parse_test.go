package puzzlefile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

func TestJSONIsYAML(t *testing.T) {
	yaml := `
title: The same
board: |
  .##
  ##o
cover: exact
motions: one-sided
pieces:
  - domino
  - {set: trominoes, copies: 0..2}
  - name: slab
    shape: |
      ##
      #
    copies: any
  - {name: corner, cells: [[0,0],[0,1]], copies: 2, motions: fixed}
`
	json := `{
	"title": "The same", "board": ".##\n##o", "cover": "exact", "motions": "one-sided",
	"pieces": ["domino", {"set": "trominoes", "copies": "0..2"},
		{"name": "slab", "shape": "##\n#", "copies": "any"},
		{"name": "corner", "cells": [[0,0],[0,1]], "copies": 2, "motions": "fixed"}]
}`
	a, errA := Parse("a", []byte(yaml))
	b, errB := Parse("b", []byte("\ufeff"+strings.ReplaceAll(json, "\n", "\r\n")))
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("YAML gives %+v, JSON %+v", a, b)
	}
	if got := a.Board.Optional; !slices.Equal(got, []bool{false, false, false, false, true}) {
		t.Errorf("optional %v", got)
	}
}

func TestCopies(t *testing.T) {
	for text, want := range map[string][2]int{
		"0": {0, 0}, "1": {1, 1}, "0..7": {0, 7}, "2..": {2, cover.Unbounded}, "any": {0, cover.Unbounded}, "3..3": {3, 3},
	} {
		least, most := (&node{text: text}).bounds("copies", tiling.MaxCopies)
		if [2]int{least, most} != want {
			t.Errorf("%s: %d..%d, want %v", text, least, most, want)
		}
		if again, also := (&node{text: (tiling.Piece{Min: least, Max: most}).Copies()}).bounds("copies", tiling.MaxCopies); again != least || also != most {
			t.Errorf("%s does not come back", text)
		}
	}
}

// TestManyPieces: 4,655 small pieces, and conditions on all of them. Finding a piece by its name is
// one step: with a search through all pieces, a group of 4,655 would cost 10 million steps.
func TestManyPieces(t *testing.T) {
	p, err := Parse("f", []byte("board: 4x5\npieces: [{set: decominoes, copies: any}]\ngroups: [{of: decominoes, copies: 2}]"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Pieces) != 4655 || len(p.Groups[0].Pieces) != 4655 {
		t.Errorf("%d pieces, %d in the group, want 4655", len(p.Pieces), len(p.Groups[0].Pieces))
	}
	for k, piece := range p.Pieces {
		if i := p.Groups[0].Pieces[k]; i != k || piece.Name != fmt.Sprintf("decomino-%04d", k+1) {
			t.Fatalf("piece %d, %s, is found as number %d", k, piece.Name, i)
		}
	}
	if m, err := p.Model(t.Context()); err != nil || len(m.Problem.Items) != 20+4655+1 {
		t.Errorf("%d items, %d placements, %v", len(m.Problem.Items), len(m.Placements), err)
	}
}

// TestEveryMark: everyMark has the marks of every lattice, so that isSize finds all drawings.
func TestEveryMark(t *testing.T) {
	for _, l := range tiling.Lattices() {
		if marks := l.BoardMarks + l.ShapeMarks(); !drawnIn(marks, everyMark) {
			t.Errorf("%s: marks %q, want some of %q", l, marks, everyMark)
		}
	}
}
