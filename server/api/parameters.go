package api

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
)

type parameters struct {
	what  string   // name for a parameter in errors, such as "query parameter"
	names []string // names of the known parameters
	lists []string // names of the parameters that may be repeated
	more  bool     // if true, check accepts unknown parameters
}

func (p *parameters) add(name string, f strict.Field) {
	if p.names = append(p.names, name); f.Type.Kind() == reflect.Slice {
		p.lists = append(p.lists, name)
	}
}

// check refuses unknown parameters, empty values, and repeated parameters that are not in p.lists.
func (p *parameters) check(query url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		where := "query." + fmt.Sprintf("%.40s", name)
		switch known := slices.Contains(p.names, name); {
		case !known && p.more:
		case !known:
			return wrong(where, "%s", strict.Unknown(p.what, name, p.names, queryOthers))
		case !slices.Contains(p.lists, name) && len(query[name]) > 1:
			return wrong(where, "the parameter is given %d times, expected once", len(query[name]))
		case slices.Contains(query[name], ""):
			return wrong(where, "the parameter is empty, expected a value; write %%23 for a # in the value")
		}
	}
	return nil
}

var queryOthers = func() map[string]string {
	others := maps.Clone(strict.Others)
	maps.Copy(others, map[string]string{
		"number": "n", "count": "n", "pieces": "piece", "name": "puzzle", "example": "puzzle", "symmetry": "distinct", "timeout": "wait", "size": "board", "type": "format",
	})
	return others
}()

// withPlus adds a hint to the problem if the query has a +, since a + in a URL means a blank. A +
// in the parameter puzzle causes no hint, since clients write the blanks of a puzzle as +.
func withPlus(ctx context.Context, p *client.Problem) *client.Problem {
	isPlus := func(part string) bool { return strings.Contains(part, "+") && !strings.HasPrefix(part, "puzzle=") }
	if len(p.Errors) == 0 || !strings.HasPrefix(p.Errors[0].Location, "query") ||
		!slices.ContainsFunc(strings.Split(sentOf(ctx).raw, "&"), isPlus) {
		return p
	}
	const hint = "; a + in a URL means a blank: write %2B for a plus"
	also := *p
	also.Detail += hint
	also.Errors = slices.Clone(p.Errors)
	also.Errors[0].Message += hint
	return &also
}
