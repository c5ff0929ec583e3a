package faults

// ofWraps are faults in boards that wrap, and in the limits of large boards.
var ofWraps = []Fault{
	{
		Name: "piece-on-itself", Imitates: "check left out",
		Breaks: "on a board that wraps a piece may cover a cell twice",
		File:   "tiling/layout.go",
		Old:    "if len(cells) == 0 || !free || !goes",
		New:    "if len(cells) == 0 || !goes",
		Test:   "TestWrapsByBruteForce",
	},
	{
		Name: "glide-without-mirror", Imitates: "wrong formula",
		Breaks: "a Möbius band of hexagons closes up with a shift",
		File:   "tiling/wrap.go",
		Old:    "g.along = Cell{0, last, columns - slant*last/2}",
		New:    "g.along = Cell{0, last, columns}",
		Test:   "TestWrapsByBruteForce",
	},
	{
		Name: "glide-not-kept", Imitates: "check left out",
		Breaks: "a motion is a symmetry of a Möbius band that takes glued cells to cells that are not glued",
		File:   "tiling/symmetry_wrap.go",
		Old:    "return g.reduce(along.minus(g.along)) == Cell{}",
		New:    "return along != g.along.minus(Cell{0, 1 << 20, 0})",
		Test:   "TestWrapsByBruteForce",
	},
	{
		Name: "placements-twice-around", Imitates: "counted twice",
		Breaks: "a placement that covers the same cells in another way counts again",
		File:   "tiling/layout.go",
		Old:    "if key := cellsKey(cells); !w.sets[key] {",
		New:    "if key := cellsKey(cells); !w.sets[key+\"x\"] {",
		Test:   "TestWrapsByBruteForce",
	},
	{
		Name: "work-without-limit", Imitates: "missing bound",
		Breaks: "the search for places may take minutes",
		File:   "tiling/layout.go",
		Old:    "if l.looked > maxLooks {",
		New:    "if l.looked > maxLooks<<20 {",
		Test:   "TestWorkIsBounded",
	},
	{
		Name: "orders-without-limit", Imitates: "missing bound",
		Breaks: "what the cells take, with their orders and symmetries, is in no limit of memory",
		File:   "tiling/layout.go",
		Old:    "return int64(items)*(bytesPerItem+bytesPerRank*int64(ranks)) +",
		New:    "return int64(items)*min(1, int64(ranks)) +",
		Test:   "TestModelIsRefusedBeforeItIsMade",
	},
	{
		Name: "piece-closed-at-the-seam", Imitates: "case forgotten",
		Breaks: "the picture of a piece that goes on at another border ends there with a line",
		File:   "render/scene.go",
		Old:    "if s.beyond == nil || (x == outside) == (y == outside) {",
		New:    "if s.beyond != nil || (x == outside) == (y == outside) {",
		Test:   "TestSeamsInText",
	},
	{
		Name: "moebius-box-of-cells", Imitates: "frame of the cells, not of the board",
		Breaks: "rotations of a Möbius band whose box has rows without cells are missed",
		File:   "tiling/symmetry_wrap.go",
		Old:    "	if b.Wrap == Moebius {\n		if first[1] = 0;",
		New:    "	if b.Wrap == Moebius && b.Size[1] == 0 {\n		if first[1] = 0;",
		Test:   "TestMoebiusRotations",
	},
}
