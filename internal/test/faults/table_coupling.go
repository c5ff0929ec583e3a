package faults

// ofCouplings are faults in coupling from the past.
var ofCouplings = []Fault{
	{
		Name: "into-the-future", Imitates: "unfair draw",
		Breaks: "chains run on from the time 0 until they meet, and what they meet in is taken",
		File:   "internal/engine/dimer/coupling.go",
		Old: `	for k := last; k >= 0; k-- {
		src := seeds.block(k)
		for range max(1, int64(1)<<k>>1) {
			c.lanes.sweep(state, src)
`,
		New: `	for k := 0; !met(state); k++ {
		src := seeds.block(k)
		for range max(1, int64(1)<<k>>1) {
			if met(state) {
				break
			}
			c.lanes.sweep(state, src)
`,
		Test: "TestAllSmallBoards",
	},
	{
		Name: "first-agreement", Imitates: "unfair draw",
		Breaks: "the state in which the chains first meet is taken, before the time 0",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "			if err := looks.Work(len(state)); err != nil {",
		New:    "			if err := looks.Work(len(state)); err != nil || met(state) {",
		Test:   "TestAllSmallBoards",
	},
	{
		Name: "biased-bit", Imitates: "unfair draw",
		Breaks: "faces go up three times as often as down",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "src.Uint64(), &state[w]",
		New:    "src.Uint64()|src.Uint64(), &state[w]",
		Test:   "TestAllSmallBoards",
	},
	{
		Name: "other-bits", Imitates: "unfair draw",
		Breaks: "times that were run before get other bits",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "rand.NewChaCha8(s.blocks[k])",
		New:    "rand.NewChaCha8(seed(s.key))",
		Test:   "TestAllSmallBoards",
	},
	{
		Name: "same-bits-each-time", Imitates: "unfair draw",
		Breaks: "all blocks of times have the same bits",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "rand.NewChaCha8(s.blocks[k])",
		New:    "rand.NewChaCha8(s.blocks[0])",
		Test:   "TestCouplingIsFair",
	},
	{
		Name: "hole-kept", Imitates: "case left out",
		Breaks: "holes keep the height that they have in the first matching",
		File:   "internal/engine/dimer/heights.go",
		Old:    "		p.root[best] = true\n",
		New:    "		for g := range int32(p.faces()) {\n			p.root[g] = p.root[g] || g == best || p.long(g) > 8\n		}\n",
		Test:   "TestHeightsOfHoleyBoards",
	},
	{
		Name: "neighbours-at-once", Imitates: "race",
		Breaks: "faces beside each other are updated at once",
		File:   "internal/engine/dimer/lanes.go",
		Old:    "	c.colours[f] = colour\n",
		New:    "	c.colours[f] = colour % 2\n",
		Test:   "TestLanes",
	},
	{
		Name: "rank-not-lowered", Imitates: "off by a subtraction",
		Breaks: "the number that is unranked is not lowered by what it has passed",
		File:   "internal/engine/dimer/cut.go",
		Old:    "		rank.Sub(rank, n)\n",
		New:    "",
		Test:   "TestCutsAreFair",
	},
	{
		Name: "options-of-a-pair", Imitates: "unfair draw",
		Breaks: "of the options that cover a pair of cells the first is always drawn",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "of[choose(len(of), seeds.choices)]",
		New:    "of[0*choose(len(of), seeds.choices)]",
		Test:   "TestOptionsAreFair",
	},
	{
		Name: "weights-flattened", Imitates: "check left out",
		Breaks: "boards on which some pairs of cells have more options than others are drawn as if they had not",
		File:   "internal/engine/dimer/coupling.go",
		Old:    "return c, c.checkFlat()",
		New:    "return c, nil",
		Test:   "TestOptionsAreFair",
	},
	{
		Name: "small-boards-coupled", Imitates: "contract broken",
		Breaks: "boards that a walk draws are drawn by coupling, so that a seed gives other tilings",
		File:   "sample/coupled.go",
		Old:    "	coupledBreadth = 44\n",
		New:    "	coupledBreadth = 4\n",
		Test:   "TestAutoCouples",
	},
	{
		Name: "one-key-for-all-threads", Imitates: "race",
		Breaks: "draws that are made at once have the same random bits",
		File:   "sample/coupled.go",
		Old:    "	for i := range draws {\n		key := dimer.Key(src)\n",
		New:    "	key := dimer.Key(src)\n	for i := range draws {\n",
		Test:   "TestCoupledDraws",
	},
	{
		Name: "draws-of-no-rank", Imitates: "missing case",
		Breaks: "a rank is asked of a coupling, which has none",
		File:   "sample/from.go",
		Old:    "s.Weight == nil && s.Method != ByCoupling",
		New:    "s.Weight == nil",
		Test:   "TestCoupledDraws",
	},
}
