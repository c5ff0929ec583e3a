package api

import "github.com/pavage/pavage/job"

// ConditionQuery are the conditions of a query: which tilings are meant. The fields are those of
// [job.Conditions], else it does not compile.
type ConditionQuery struct {
	With          []string `query:"with,explode" doc:"Only tilings with at least one of these placements: PIECE, PIECE@CELL, PIECE@CELL/CELL, CELL=PIECE, CELL, PIECE:ORIENTATION or #NUMBER. One for each condition." example:"[\"X5@1,1\"]"`
	Without       []string `query:"without,explode" doc:"Only tilings with none of these placements." example:"[\"0,0=I5\"]"`
	Exactly       []string `query:"exactly,explode" doc:"K:PLACEMENTS: only tilings with exactly K of these placements." example:"[\"2:domino:1\"]"`
	AtLeast       []string `query:"at_least,explode" doc:"K:PLACEMENTS: only tilings with K or more of them." example:"[\"1:0,0\"]"`
	AtMost        []string `query:"at_most,explode" doc:"K:PLACEMENTS: only tilings with K or fewer of them." example:"[\"3:domino:2\"]"`
	Apart         []string `query:"apart,explode" doc:"A,B: only tilings in which none of the placements A has a face in common with one of the placements B." example:"[\"X5,I5\"]"`
	NoFourCorners bool     `query:"no_four_corners" doc:"Only tilings without a corner where four pieces meet, on boards of squares."`
	FaultFree     bool     `query:"fault_free" doc:"Only tilings of a rectangle without a fault line, a straight line through it that cuts no piece."`
}

func (q *ConditionQuery) conditions() job.Conditions {
	return job.Conditions(*q)
}
