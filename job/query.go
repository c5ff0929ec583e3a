package job

import (
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
)

// Query asks one question about all tilings of a puzzle together. No answer needs a list
// of the tilings:
//
//	2x3, dominoes          rank 0   rank 1   rank 2
//	                       ab c     a bc     a b c
//	                       de f     d ef     d e f
//
//	unrank 1               the tiling in the middle
//	rank of the last one   2
type Query struct {
	Puzzle    Puzzle        `json:"puzzle"`
	Entropy   bool          `json:"entropy,omitempty" flag:"" doc:"the natural logarithm of the number of tilings, also divided by the number of cells; with weights also Shannon's entropy of a tiling that is drawn by its weight"`
	Rank      []GivenTiling `json:"rank,omitempty" doc:"the ranks of these tilings"`
	Unrank    []string      `json:"unrank,omitempty" flag:"K" doc:"the tiling of this rank: a number from 0, first or last" example:"[\"12\"]"`
	Marginals string        `json:"marginals,omitempty" doc:"in how many tilings each cell is covered by each of the pieces, orientations, kinds or placements: one of these words; or heights: the mean height of each corner, of dominoes or lozenges"`
	ByCopies  []string      `json:"by_copies,omitempty" doc:"how many tilings have how many copies of these pieces; all means all pieces; or how many of these placements, such as domino:1"`
	Pairs     []string      `json:"pairs,omitempty" flag:"A,B" doc:"how many tilings have both one of the placements A and one of the placements B, such as 0,0=domino:1,7,7=domino:2"`
	Correlate string        `json:"correlate,omitempty" flag:"PLACEMENTS" doc:"how the cells depend on these placements, such as 0,0=domino; by pieces, of one piece alone by its orientations, or by the word of marginals"`
	Of        []string      `json:"of,omitempty" flag:"PLACEMENTS" doc:"with marginals and correlate: only these placements, such as X5 or domino:2"`
	Best      *Whole        `json:"best,omitempty" flag:"N" doc:"the N tilings of largest weight, the largest first"`
	Worst     *Whole        `json:"worst,omitempty" flag:"N" doc:"the N tilings of smallest weight, the smallest first"`
	Weights   []string      `json:"weights,omitempty" query:"weight" flag:"PLACEMENTS=WEIGHT" doc:"the weight of these placements, such as domino=3/2; the weight of a tiling is the product of the weights of its placements"`
	Method    string        `json:"method,omitempty" doc:"how to answer: auto, diagram, levels or dimer; auto if there is none"`

	Conditions
}

// The methods of a query.
const (
	queryDiagram = "diagram"
	queryLevels  = "levels"
	queryDimer   = "dimer"
)

// QueryMethods are the values of Query.Method.
func QueryMethods() []string { return []string{AutoMethod, queryDiagram, queryLevels, queryDimer} }

// engine is the method in the words of package count.
func (r *Query) engine() count.Engine {
	switch r.Method {
	case queryDiagram:
		return count.Diagram
	case queryLevels:
		return count.Sweep
	case queryDimer:
		return count.Dimer
	}
	return ""
}

// sampling is the method in the words of package sample.
func (r *Query) sampling() sample.Method {
	if r.Method == queryLevels {
		return sample.ByWalk
	}
	return sample.Method(r.Method)
}
