package faults

// ofPlanar are faults in embeddings of graphs.
var ofPlanar = []Fault{
	{
		Name: "any-surface", Imitates: "check left out",
		Breaks: "a graph on a torus passes for one in the plane: faces are too few, not too many",
		File:   "internal/engine/planar/embedding.go",
		Old:    "euler != 2*parts {",
		New:    "euler > 2*parts {",
		Test:   "TestCheck",
	},
	{
		Name: "ring-cut-in-two", Imitates: "check left out",
		Breaks: "the edges of a vertex may be in two rings, which adds a face that is none",
		File:   "internal/engine/planar/embedding.go",
		Old:    "if turns[v] {",
		New:    "if turns[v] && dart < 0 {",
		Test:   "TestCheckTurns",
	},
	{
		Name: "crossing-overlooked", Imitates: "check left out",
		Breaks: "edges that would cross on both sides are put on one of them",
		File:   "internal/engine/planar/sides.go",
		Old:    "if s.returnsAbove(top.right, e) {\n\t\treturn false",
		New:    "if s.returnsAbove(top.right, e) && e < 0 {\n\t\treturn false",
		Test:   "TestGraphsThatAreNotPlanar",
	},
	{
		Name: "side-forgotten", Imitates: "stale table",
		Breaks: "the last edge of an interval that was cut off lands on the side of those it lies against",
		File:   "internal/engine/planar/sides.go",
		Old:    "s.ref[i.low], s.side[i.low] = other.low, -1",
		New:    "s.ref[i.low], s.side[i.low] = other.low, 1",
		Test:   "TestPlanarGraphs",
	},
}
