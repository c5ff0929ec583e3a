package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
)

// TestConvertDIMACS reads the formula by the definition of its format, tries all values of its
// variables, and compares the models with the tilings that the verb list writes.
func TestConvertDIMACS(t *testing.T) {
	puzzle := []string{"--board", "2x3", "--piece", "domino=any", "--piece", "L3=any"}
	var listed []string
	for line := range strings.Lines(succeed(t, append([]string{"list", "--json"}, puzzle...)...)) {
		var tiling struct{ Placements []render.PlacementJSON }
		if err := json.Unmarshal([]byte(line), &tiling); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range tiling.Placements {
			cells, _ := json.Marshal(p.Cells)
			names = append(names, fmt.Sprintf("%s %s", p.Piece, cells))
		}
		slices.Sort(names)
		listed = append(listed, fmt.Sprint(names))
	}
	slices.Sort(listed)
	models := modelsOf(t, succeed(t, append([]string{"convert", "--to", "dimacs"}, puzzle...)...))
	if len(listed) < 5 || !slices.Equal(models, listed) {
		t.Errorf("%d models %q, want %d tilings %q", len(models), models, len(listed), listed)
	}
}

// modelsOf returns the sorted models of a formula of few variables, each as the names of its true
// variables in the comments.
func modelsOf(t *testing.T, text string) []string {
	t.Helper()
	names := map[int]string{}
	var clauses [][]int
	vars, count := 0, 0
	for line := range strings.Lines(text) {
		var v int
		if n, _ := fmt.Sscanf(line, "p cnf %d %d", &vars, &count); n == 2 {
			continue
		}
		if n, _ := fmt.Sscanf(line, "c %d =", &v); n == 1 {
			_, name, _ := strings.Cut(line, " = ")
			names[v] = strings.TrimSpace(name)
		}
		if line[0] == 'c' {
			continue
		}
		var clause []int
		for word := range strings.FieldsSeq(line) {
			if _, err := fmt.Sscan(word, &v); err != nil {
				t.Fatal(err)
			}
			clause = append(clause, v)
		}
		clauses = append(clauses, clause[:len(clause)-1])
	}
	if vars > 20 || len(clauses) != count || len(names) == 0 {
		t.Fatalf("%d variables, %d names, %d clauses of %d", vars, len(names), len(clauses), count)
	}
	var models []string
	for values := range 1 << vars {
		holds := func(l int) bool { return values>>(max(l, -l)-1)&1 == 1 == (l > 0) }
		if slices.ContainsFunc(clauses, func(c []int) bool { return !slices.ContainsFunc(c, holds) }) {
			continue
		}
		var model []string
		for v := 1; v <= vars; v++ {
			if name := names[v]; name != "" && holds(v) {
				model = append(model, name)
			}
		}
		slices.Sort(model)
		models = append(models, fmt.Sprint(model))
	}
	slices.Sort(models)
	return models
}

// TestConvertCover parses the written cover.
func TestConvertCover(t *testing.T) {
	text := succeed(t, "convert", "--to", "cover", "name:soma")
	p, err := cover.Read("soma", strings.NewReader(text))
	if err != nil || len(p.Items) != 34 || len(p.Options) != 688 {
		t.Errorf("%v, or %d items and %d options", err, len(p.Items), len(p.Options))
	}
}
