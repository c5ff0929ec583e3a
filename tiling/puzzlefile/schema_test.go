package puzzlefile

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pavage/pavage/tiling"
)

// form returns the published schema of puzzle files.
func form(t *testing.T) *jsonschema.Schema {
	s, err := jsonschema.NewCompiler().Compile("../../doc/puzzle-file.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value returns a node as package encoding/json would have it.
func (n *node) value() any {
	switch n.kind {
	case missing:
		return nil
	case sequence:
		all := []any{}
		for _, item := range n.items {
			all = append(all, item.value())
		}
		return all
	case mapping:
		all := map[string]any{}
		for i, key := range n.keys {
			all[key.text] = n.items[i].value()
		}
		return all
	}
	if v, err := strconv.Atoi(n.text); err == nil && strconv.Itoa(v) == n.text {
		return v
	}
	return n.text
}

// structural matches errors about structure, which the schema also finds.
var structural = regexp.MustCompile(`unknown key|unknown (lattice|wrap|cover|motions|shape of a board) |` +
	`(is|has no) (text|nothing|value|a list|a mapping)[^ ]* expected |bad copies|no board|no pieces|beside |` +
	`a (group|piece|place) without|bad (letter|pair|cell,|exception|place|sum)|board of [02-9] shapes|no values of`)

// agree fails if the schema refuses a file that the reader accepts, or accepts a file that the
// reader refuses for its structure. It reports whether the file is YAML.
func agree(t *testing.T, s *jsonschema.Schema, file string) (isYAML, accepted bool) {
	t.Helper()
	root, err := func() (root *node, err error) {
		defer catch(&err)
		return readYAML("f", []byte(file)), nil
	}()
	if err != nil {
		return false, false
	}
	_, err = Parse("f", []byte(file))
	valid := s.Validate(root.value())
	switch {
	case err == nil && valid != nil:
		t.Errorf("the reader accepts what the schema refuses:\n%s\n%v", file, valid)
	case err != nil && valid == nil && structural.MatchString(err.Error()):
		t.Errorf("the schema accepts what the reader refuses:\n%s\n%v", file, err)
	}
	return true, err == nil
}

// TestSchema: the schema and the reader agree on all examples and on damaged ones.
func TestSchema(t *testing.T) {
	s := form(t)
	paths, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(paths) < 20 {
		t.Fatal(len(paths), err)
	}
	var files []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 3000 {
			files = append(files, string(text))
		}
		if isYAML, accepted := agree(t, s, string(text)); !isYAML || !accepted {
			t.Errorf("%s is not accepted", path)
		}
	}
	files = append(files, `
title: all keys
lattice: square
board:
  - a b c d
  - "# # e o"
parameters: {x: [a, b], y: [c, d]}
except: [{x: a, y: c}]
open: [x, y]
cover: at-most
motions: one-sided
colours: {w: white, k: black, pattern: wk/kw}
allow: {only: [[white, black], [black, white]]}
pieces:
  - {name: bit, shape: "w", copies: any, color: red}
  - {name: bar, box: 1x2, copies: 0..2, motions: fixed}
  - {name: gap, cells: [[0, 0], [0, 2]], copies: 0..1}
  - {set: trominoes, copies: 0..1}
  - {name: pips, shape: "12", copies: any}
place: [{piece: bar, covers: [1, 0]}]
forbid: ["bit@1,2", {piece: gap, cells: [[1, 0], [1, 2]]}]
groups: [{of: [bit, bar], copies: 1..}, {of: trominoes, copies: 0..1}]
walls: [[[0, 1], [1, 1]]]
joined: [[[0, 1], [0, 2]]]
regions: [a b . ., "one . 2 2"]
sums: {one: 1..2, b: 0}
`)
	if _, accepted := agree(t, s, files[len(files)-1]); !accepted {
		t.Error("all keys are not accepted")
	}
	rng := rand.New(rand.NewPCG(1, 7))
	words := slices.Concat(puzzleKeys, pieceKeys, groupKeys, partKeys, coverNames, tiling.WrapNames(), tiling.MotionNames(),
		[]string{"only", "[]", "{}", "null", "-1", "3..1", "2..", "[1, 2]", "{a: b}", "[[0, 1]]", "domino", "pentominoes", "hexagon: 2", "x"})
	part := regexp.MustCompile(`[\w.-]+|"[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}`)
	tried, accepted := 0, 0
	for tried < 2000 {
		file := files[len(files)-1]
		if rng.IntN(2) == 0 {
			file = files[rng.IntN(len(files))]
		}
		at := part.FindAllStringIndex(file, -1)
		where := at[rng.IntN(len(at))]
		file = file[:where[0]] + words[rng.IntN(len(words))] + file[where[1]:]
		isYAML, ok := agree(t, s, file)
		if isYAML {
			tried++
		}
		if ok {
			accepted++
		}
	}
	t.Logf("%d of %d damaged files are accepted", accepted, tried)
}

// TestSchemaKeys: the schema has the keys and the words of the reader.
func TestSchemaKeys(t *testing.T) {
	s := form(t)
	piece := s.Properties["pieces"].Items2020.AnyOf[1].Ref
	for _, test := range []struct {
		name string
		of   *jsonschema.Schema
		keys []string
	}{
		{"puzzle", s, puzzleKeys},
		{"piece", piece, pieceKeys},
		{"group", s.Properties["groups"].Items2020, groupKeys},
		{"part", s.Properties["forbid"].Items2020.AnyOf[1].Ref, partKeys},
	} {
		if got, want := slices.Sorted(maps.Keys(test.of.Properties)), slices.Sorted(slices.Values(test.keys)); !slices.Equal(got, want) {
			t.Errorf("the schema has the keys %s of a %s, the reader %s", got, test.name, want)
		}
	}
	for key, words := range map[string][]string{"lattice": tiling.LatticeNames(), "wrap": tiling.WrapNames(), "cover": coverNames} {
		if got := fmt.Sprint(s.Properties[key].Enum.Values...); strings.Trim(fmt.Sprint(s.Properties[key].Enum.Values), "[]") != strings.Join(words, " ") {
			t.Errorf("the schema has the words %s of the key %s, the reader %s", got, key, words)
		}
	}
	if got := fmt.Sprint(piece.Properties["motions"].Ref.Enum.Values); strings.Trim(got, "[]") != strings.Join(tiling.MotionNames(), " ") {
		t.Errorf("the schema has the motions %s, the reader %s", got, tiling.MotionNames())
	}
}
