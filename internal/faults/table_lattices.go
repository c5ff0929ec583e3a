package faults

// ofLattices are faults of hexagons and triangles.
var ofLattices = []Fault{
	{
		Name: "half-a-cell-off", Imitates: "check left out",
		Breaks: "a hexagon may be drawn half a cell beside its place",
		File:   "tiling/lattice_hexagon.go",
		Old:    "if (slant-first)%2 != 0 {",
		New:    "if (slant-first)%2 > 2 {",
		Test:   "TestBadDrawings",
	},
	{
		Name: "points-anywhere", Imitates: "check left out",
		Breaks: "a triangle may be drawn to point up where it points down",
		File:   "tiling/lattice_triangle.go",
		Old:    "if points := odd(m.at) ^ beside; points != which {",
		New:    "if points := odd(m.at) ^ beside; points > 1 {",
		Test:   "TestBadDrawings",
	},
	{
		Name: "any-hexagon", Imitates: "limit not held",
		Breaks: "a board told by its sides takes any memory",
		File:   "tiling/board_figure.go",
		Old:    "if err := checkCount(f.area(s), MaxCells); err != nil {",
		New:    "if err := checkCount(min(f.area(s), 1), MaxCells); err != nil && len(lengths) > 3 {",
		Test:   "TestBadDrawings",
	},
	{
		Name: "shapes-of-one-kind", Imitates: "case left out",
		Breaks: "shapes of triangles are made from the triangle that points up alone",
		File:   "tiling/connected.go",
		Old:    "if c == (Cell{}) || !l.isTranslation(c) {",
		New:    "if c == (Cell{}) {",
		Test:   "TestConnectedShapes",
	},
	{
		Name: "shapes-forget-nothing", Imitates: "state left behind",
		Breaks: "a cell that one shape has met is met by no other",
		File:   "tiling/connected.go",
		Old:    "e.met[e.index(c)] = false",
		New:    "e.met[e.index(c)] = true",
		Test:   "TestConnectedShapes",
	},
	{
		Name: "small-cells-count", Imitates: "wrong limit",
		Breaks: "pieces of twelve cells count as large ones",
		File:   "tiling/piece.go",
		Old:    "if size > MaxSmallCells {",
		New:    "if size > 0 {",
		Test:   "TestManyPieces",
	},
}
