package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
)

// colouredKinds returns the kinds that RandomColoured promises and p has.
func colouredKinds(p *cover.Problem, solutions [][]int) []string {
	is := map[string]bool{"solution": len(solutions) > 0, "several solutions": len(solutions) > 1}
	plain, coloured := make([]int, len(p.Items)), make([]map[int32]int, len(p.Items))
	for i := range coloured {
		coloured[i] = map[int32]int{}
	}
	for _, o := range p.Options {
		only := true
		for _, u := range o {
			only = only && u.Colour != 0
			if u.Colour == 0 {
				plain[u.Item]++
			} else {
				coloured[u.Item][u.Colour]++
			}
		}
		is["only colours"] = is["only colours"] || only
	}
	for i := range p.Items {
		is["several colours"] = is["several colours"] || len(coloured[i]) > 1
		is["with and without colour"] = is["with and without colour"] || len(coloured[i]) > 0 && plain[i] > 0
		for _, n := range coloured[i] {
			is["one colour of several options"] = is["one colour of several options"] || n > 1
		}
	}
	for _, s := range solutions {
		seen := map[cover.Use]bool{}
		for _, o := range s {
			for _, u := range p.Options[o] {
				is["agree in a solution"] = is["agree in a solution"] || u.Colour != 0 && seen[u]
				seen[u] = true
			}
		}
	}
	var found []string
	for kind, has := range is {
		if has {
			found = append(found, kind)
		}
	}
	return found
}

func TestRandomColoured(t *testing.T) {
	const covers, common = 2000, 10
	rng := rand.New(rand.NewPCG(5, 6))
	tally := map[string]int{}
	for range covers {
		p := RandomColoured(rng)
		solutions, err := Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range colouredKinds(p, solutions) {
			tally[kind]++
		}
	}
	t.Log(tally)
	if len(tally) != 7 {
		t.Errorf("%d kinds of covers came up: %v", len(tally), tally)
	}
	for kind, n := range tally {
		if n < covers/common {
			t.Errorf("%s: only %d of %d covers", kind, n, covers)
		}
	}
}

// TestRandomMatching: boards are small, have solutions, and symmetries that are some.
func TestRandomMatching(t *testing.T) {
	const covers = 300
	rng := rand.New(rand.NewPCG(9, 9))
	tally := map[string]int{}
	for range covers {
		p := RandomMatching(rng)
		if err := p.Validate(); err != nil {
			t.Fatalf("%v: %+v", err, p)
		}
		solutions, err := Within(p, 20_000)
		switch {
		case err != nil:
			tally["too big"]++
		case len(solutions) > 1:
			tally["several solutions"]++
		}
		if len(p.Symmetries) > 1 {
			tally["with symmetries"]++
		}
		if len(p.Symmetries) > 3 {
			tally["with many symmetries"]++
		}
	}
	t.Log(tally)
	if tally["too big"] > covers/5 || tally["several solutions"] < covers/5 || tally["with symmetries"] < covers/5 || tally["with many symmetries"] < covers/20 {
		t.Errorf("of %d covers: %v", covers, tally)
	}
}
