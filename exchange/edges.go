package exchange

import (
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// A file of the format edges is a graph. The solutions are its perfect matchings. Lines that are
// blank or begin with '#' are ignored. Each other line has the names of the two ends of an edge:
//
//	# a square with a diagonal
//	a b
//	b c
//	c d
//	d a
//	a c
//
// A vertex is an item and an edge is an option. Repeated edges are different options: see apart.

type edges struct {
	*source
	problem cover.Problem
	index   map[string]int // index of a vertex in problem.Items, by name
	seen    twins
	named   int // bytes of the names of all vertices
}

func readEdges(s *source) (*Content, error) {
	e := &edges{source: s, index: map[string]int{}, seen: twins{}}
	if err := s.lines(e.read); err != nil {
		return nil, err
	}
	if len(e.problem.Options) == 0 {
		return nil, s.here("there is no edge, expected a line for each edge with the names of its ends, such as: a b")
	}
	return &Content{Cover: &e.problem}, e.problem.Check(s.ctx)
}

func (e *edges) read(text string) error {
	var ends []int
	p := &e.problem
	for w := range e.words(text) {
		switch {
		case len(ends) == 0 && w.text[0] == '#':
			return nil
		case len(ends) == 2:
			return e.errorf(w.place, "the line has a third word, %s, expected only the two ends of an edge (weights are not read)", wording.Quote(w.text))
		}
		v, known := e.index[w.text]
		if !known {
			if len(p.Items) == cover.MaxItems {
				return e.errorf(w.place, "too many vertices, expected at most %d", cover.MaxItems)
			}
			name := strings.Clone(w.text)
			v, e.index[name] = len(p.Items), len(p.Items)
			p.Items = append(p.Items, cover.Item{Name: name, Min: 1, Max: 1})
			e.named += len(name)
		}
		ends = append(ends, v)
	}
	switch {
	case len(ends) == 0:
		return nil
	case len(ends) == 1:
		return e.here("the line has one word, expected the two ends of an edge")
	case ends[0] == ends[1]:
		return e.here("the edge goes from %s to itself, expected two vertices", wording.Quote(p.Items[ends[0]].Name))
	case len(p.Options) == cover.MaxOptions:
		return e.here("too many edges, expected at most %d", cover.MaxOptions)
	}
	option := cover.Option{{Item: min(ends[0], ends[1]), Times: 1}, {Item: max(ends[0], ends[1]), Times: 1}}
	option, err := e.apart(p, e.seen, option)
	if err != nil {
		return err
	}
	p.Options = append(p.Options, option)
	return e.hold(e.named, len(p.Items), len(p.Options), 2*len(p.Options))
}
