package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
)

// parameters are those that the query of an operation may have.
type parameters struct {
	names []string
	lists []string // those that may be given more than once
	more  bool     // whether there are others, which the operation checks itself
}

// add adds those of the document.
func (p *parameters) add(all []*huma.Param) {
	for _, one := range all {
		if one.In != "query" {
			continue
		}
		p.names = append(p.names, one.Name)
		if one.Schema != nil && one.Schema.Type == huma.TypeArray {
			p.lists = append(p.lists, one.Name)
		}
	}
}

// check refuses parameters that the operation does not have, and those that cannot be as
// they are given.
func (p *parameters) check(ctx context.Context) error {
	query := sentOf(ctx).query
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch known := slices.Contains(p.names, name); {
		case !known && p.more:
			continue
		case !known:
			return wrong("query."+fmt.Sprintf("%.40s", name), "%s", strict.Unknown("query parameter", name, p.names, queryOthers))
		}
		if err := checkGiven(name, query[name], slices.Contains(p.lists, name)); err != nil {
			return err
		}
	}
	return nil
}

// checkGiven refuses a parameter without a value, which would ask for nothing, and one that
// is given again, unless it is a list.
func checkGiven(name string, values []string, isList bool) error {
	if !isList && len(values) > 1 {
		return wrong("query."+name, "it is given %d times, want once", len(values))
	}
	if slices.Contains(values, "") {
		return wrong("query."+name, "it is empty, want a value; a # in it is written %%23")
	}
	return nil
}

// queryOthers are names that people write for others.
var queryOthers = map[string]string{
	"number": "n", "count": "n", "pieces": "piece", "name": "puzzle", "example": "puzzle", "symmetry": "distinct", "timeout": "wait", "size": "board", "type": "format",
}

// withPlus adds to a problem with a parameter what its blanks may have been.
func withPlus(ctx context.Context, p *client.Problem) *client.Problem {
	if len(p.Errors) == 0 {
		return p
	}
	where, name, _ := strings.Cut(p.Errors[0].Location, ".")
	if name, _, _ = strings.Cut(name, "["); where != "query" || !hasPlus(sentOf(ctx).raw, name) {
		return p
	}
	const hint = "; a + in a URL is a blank, write %2B for a plus"
	also := *p
	also.Detail += hint
	also.Errors = slices.Clone(p.Errors)
	also.Errors[0].Message += hint
	return &also
}

// hasPlus reports whether the value of a parameter has a + as it was sent. If there is no
// name, it may be any but the text of a puzzle, whose blanks are often written so.
func hasPlus(query, name string) bool {
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		if (key == name || name == "" && key != "puzzle") && strings.Contains(value, "+") {
			return true
		}
	}
	return false
}
