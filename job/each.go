package job

import (
	"context"
	"strings"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
)

// Each asks for the count of each puzzle that a file with parameters defines, such as a calendar
// with one puzzle for each day. If a count fails, Run also returns an answer with the rows so far.
type Each struct {
	Puzzle   Puzzle   `json:"puzzle" doc:"a puzzle with parameters"`
	Each     []string `json:"each,omitempty" doc:"parameters with several values, in the order of the table: NAME for all values, NAME=A..B or NAME=A; by default, all parameters have all values"`
	Engine   string   `json:"engine,omitempty" words:"auto sweep search diagram dimer sat" doc:"auto, sweep, search, diagram or sat; auto by default"`
	Distinct Distinct `json:"distinct,omitempty" doc:"count also up to the symmetries of each board: usual (of solid boards only rotations), rotations or all"`

	Conditions
}

// Kind implements [Request].
func (*Each) Kind() Kind { return "each" }

func (r *Each) check() error {
	if f, _ := r.Puzzle.stored(); f != nil { // ignores the error: a later count returns it
		return bad("{each} is given with a compiled file, which holds only one puzzle, expected a puzzle file with parameters")
	}
	return nil
}

func (r *Each) count(values map[string]string) *Count {
	c := &Count{Puzzle: r.Puzzle, Engine: r.Engine, Distinct: r.Distinct, Conditions: r.Conditions}
	if values != nil {
		c.Puzzle.Values = values
	}
	return c
}

// predict forecasts only one count, with the parameter values in the file. So Known is false.
func (r *Each) predict(ctx context.Context, m *tiling.Model) Forecast {
	f := r.count(nil).predict(ctx, m)
	f.Known = false
	return f
}

func (r *Each) do(ctx context.Context, w *work) (*Table, error) {
	if r.Puzzle.IsCover() {
		return nil, bad("a cover has no parameters, expected a puzzle file with parameters")
	}
	p, err := interrupt.Await(ctx, r.Puzzle.Read)
	if err != nil {
		return nil, err
	}
	settings, order, err := r.settings(p)
	if err != nil {
		return nil, err
	}
	t := &Table{Title: plainTitle(p), Rows: []Row{}, Conditions: r.Puzzle.told(&r.Conditions)}
	for _, i := range order {
		t.Parameters = append(t.Parameters, p.Parameters.All[i].Name)
	}
	tell := w.watch.Progress
	for n, s := range settings {
		part := &work{limits: w.limits, begun: w.begun} // its watch has only Progress
		if tell != nil {
			part.watch.Progress = func(p Progress) {
				fraction := (float64(n) + p.Fraction) / float64(len(settings))
				tell(Progress{Doing: Counting, Fraction: fraction, Done: int64(n), Unit: "puzzles"})
			}
			part.watch.Progress(Progress{})
		}
		values := map[string]string{}
		row := Row{}
		for i, v := range s {
			values[p.Parameters.All[i].Name] = v
		}
		for _, name := range t.Parameters {
			row.Values = append(row.Values, values[name])
		}
		a, err := r.count(values).do(ctx, part)
		if err != nil {
			t.Seconds = w.seconds()
			return t, err
		}
		row.Count, row.Distinct = a.Count, a.Distinct
		t.Rows = append(t.Rows, row)
	}
	t.Seconds = w.seconds()
	return t, nil
}

func plainTitle(p *tiling.Puzzle) string {
	if p.Parameters == nil {
		return p.Title
	}
	return strings.TrimSuffix(p.Title, p.Parameters.Suffix(p.Setting))
}

// settings returns the settings to count, and the indices of the parameters that order them.
func (r *Each) settings(p *tiling.Puzzle) (all []tiling.Setting, order []int, err error) {
	if p.Parameters == nil || len(p.Parameters.All) == 0 {
		return nil, nil, bad("the puzzle has no parameters, expected a puzzle file with parameters")
	}
	specs := r.Each
	if len(specs) == 0 {
		for _, q := range p.Parameters.All {
			specs = append(specs, q.Name)
		}
	}
	allowed := make([][]string, len(p.Parameters.All))
	for _, spec := range specs {
		name, text, some := strings.Cut(strings.TrimSpace(spec), "=")
		i, err := p.Parameters.Index(name)
		if err != nil {
			return nil, nil, bad("{each}: %w", err)
		}
		if allowed[i] != nil {
			return nil, nil, bad("{each} has parameter %s twice, expected each parameter once", name)
		}
		if _, set := r.Puzzle.Values[name]; set {
			return nil, nil, bad("{each} has parameter %s, but {set} gives this parameter a value: expected one or the other", name)
		}
		q := p.Parameters.All[i]
		if allowed[i] = q.Values; some {
			if allowed[i], err = q.Range(text); err != nil {
				return nil, nil, bad("{each}: %w", err)
			}
		}
		order = append(order, i)
	}
	for i := range allowed {
		if allowed[i] == nil {
			allowed[i] = p.Setting[i : i+1]
		}
	}
	all = p.Parameters.Settings(allowed, order...)
	if len(all) == 0 {
		return nil, nil, bad("{each}: the exceptions under the key \"except\" of the puzzle exclude all of the given values")
	}
	return all, order, nil
}

// Table is the answer to [Each].
type Table struct {
	Title      string   `json:"title"`
	Parameters []string `json:"parameters" doc:"the parameters with several values"`
	Rows       []Row    `json:"rows"`
	Seconds    float64  `json:"seconds"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request: other tilings are not counted"`
}

// Row is the count of one puzzle.
type Row struct {
	Values   []string       `json:"values" doc:"the values of the parameters, in the order of the parameters"`
	Count    string         `json:"count"`
	Distinct *DistinctCount `json:"distinct,omitempty"`
}
