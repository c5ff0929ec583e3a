package differential

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
)

// mostVariables keeps the cover of a formula small.
const mostVariables = 40

// checkClauses counts the models of the formula, as its text says it, through
// a cover that has nothing in common with the problem:
//
//	variable v     item v 1..1, used by the options v and not-v
//	clause ¬1∨2    item   1.. , used by the options not-1 and 2
//
// The models are as many as the solutions, for each helper has one value.
func checkClauses(ctx context.Context, s *subject) error {
	if !s.listed {
		return nil
	}
	formula, err := s.h.Engines.Encode(ctx, s.Problem)
	if err != nil {
		return err
	}
	if formula.Vars > mostVariables {
		return nil
	}
	var text bytes.Buffer
	if err := formula.WriteDIMACS(&text, nil); err != nil {
		return err
	}
	q, err := readDIMACS(bytes.NewReader(text.Bytes()))
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, &text)
	}
	s.note("formulas counted")
	err = s.counts(ctx, "models of the clauses", q, s.want)
	if errors.Is(err, count.ErrTooWide) { // a clause is a counter
		s.note("formulas too wide to sweep")
		var n *big.Int
		if n, err = s.count(ctx, q, way{count.Search, alone}); err == nil {
			err = s.same("models of the clauses, by search", n, s.want)
		}
	}
	return err
}

// readDIMACS is the cover of a formula in DIMACS form.
func readDIMACS(r io.Reader) (*cover.Problem, error) {
	p := &cover.Problem{}
	clauses := -1
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0 || fields[0] == "c":
			continue
		case fields[0] == "p":
			var vars int
			if _, err := fmt.Sscanf(lines.Text(), "p cnf %d %d", &vars, &clauses); err != nil {
				return nil, err
			}
			addVariables(p, vars)
			continue
		}
		if err := addClause(p, fields); err != nil {
			return nil, err
		}
		clauses--
	}
	if clauses != 0 {
		return nil, fmt.Errorf("%d clauses are missing", clauses)
	}
	return p, lines.Err()
}

// addVariables adds variables 1, 2, …: the options of v are 2v-2 for true and
// 2v-1 for false, which has an item of its own so that no two are alike.
func addVariables(p *cover.Problem, vars int) {
	for v := range vars {
		item := addItem(p, 1, 1)
		own := addItem(p, 0, cover.Unbounded)
		p.Options = append(p.Options,
			cover.Option{{Item: item, Times: 1}},
			cover.Option{{Item: item, Times: 1}, {Item: own, Times: 1}})
		if len(p.Orders) == 0 {
			p.Orders = [][]int{nil}
		}
		p.Orders[0] = append(p.Orders[0], 2*v)
	}
}

// addClause adds a line of literals, ended by 0.
func addClause(p *cover.Problem, fields []string) error {
	clause := addItem(p, 1, cover.Unbounded)
	for k, field := range fields {
		l, err := strconv.Atoi(field)
		if err != nil || (l == 0) != (k == len(fields)-1) || 2*max(l, -l) > len(p.Options) {
			return fmt.Errorf("bad clause %q", fields)
		}
		if l == 0 {
			break
		}
		o := 2*max(l, -l) - 2
		if l < 0 {
			o++
		}
		p.Options[o] = append(p.Options[o], cover.Use{Item: clause, Times: 1})
	}
	return nil
}
