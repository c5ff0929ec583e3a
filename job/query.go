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
	Entropy   bool          `json:"entropy,omitempty" doc:"question: the entropy of a tiling that is drawn uniformly or, with weights, by its weight"`
	Rank      []GivenTiling `json:"rank,omitempty" doc:"question: which ranks these tilings have"`
	Unrank    []string      `json:"unrank,omitempty" doc:"question: the tilings of these ranks, each a number from 0, first or last"`
	Marginals string        `json:"marginals,omitempty" doc:"question: in how many tilings each cell is covered by each of the pieces, orientations, kinds or placements: one of these words; or heights: the mean height of each corner, of dominoes or lozenges"`
	ByCopies  []string      `json:"by_copies,omitempty" doc:"question: how many tilings have how many copies of these pieces; all means all pieces; or how many of these placements, such as domino:1"`
	Pairs     []string      `json:"pairs,omitempty" doc:"question: A,B, such as V5,X5@0,1: how many tilings have both one of the placements A and one of the placements B"`
	Correlate string        `json:"correlate,omitempty" doc:"question: how the cells depend on these placements, such as 0,0=domino; by pieces, of one piece alone by its orientations, or by what marginals says"`
	Of        []string      `json:"of,omitempty" doc:"with marginals and correlate: only these placements, such as X5 or domino:2"`
	Best      *Whole        `json:"best,omitempty" doc:"question: how many tilings of largest weight to write"`
	Worst     *Whole        `json:"worst,omitempty" doc:"question: how many tilings of smallest weight to write"`
	Weights   []string      `json:"weights,omitempty" doc:"PLACEMENTS=WEIGHT, such as domino=3/2: the weight of a tiling is the product of the weights of its placements; without a question the question is entropy"`
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
