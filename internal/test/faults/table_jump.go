package faults

// ofJumps are faults in levels that are jumped.
var ofJumps = []Fault{
	{
		Name: "waits-too-long", Imitates: "off by one",
		Breaks: "a state waits one level too late",
		File:   "internal/engine/jump/worker.go",
		Old:    "level += d\n",
		New:    "level = min(level+d+min(d, 1), len(w.known))\n",
		Test:   "TestJumpingCountsAsTheOracle", Package: "internal/engine/sweep",
	},
	{
		Name: "fitting-dropped", Imitates: "test the wrong way round",
		Breaks: "a state that only options with a bound fit is dropped",
		File:   "internal/engine/jump/fits.go",
		Old:    "if key.Disjoint(key.Sum(k, s.Add), s.Guard) {",
		New:    "if !key.Disjoint(key.Sum(k, s.Add), s.Guard) {",
		Test:   "TestJumpingCountsAsTheOracle", Package: "internal/engine/sweep",
	},
	{
		Name: "floor-jumped-over", Imitates: "bound not applied",
		Breaks: "a state that waits passes the least numbers of copies that are asked for on its way",
		File:   "internal/engine/jump/worker.go",
		Old:    "w.run.floors[level]",
		New:    "w.run.floors[w.run.at]",
		Test:   "TestJumpingCountsAsTheOracle", Package: "internal/engine/sweep",
	},
	{
		Name: "carry-of-jumps", Imitates: "64-bit wrap",
		Breaks: "counts of states that waited wrap at 64 bits",
		File:   "internal/engine/jump/worker.go",
		Old:    "carry != 0 {",
		New:    "carry > 1 {",
		Test:   "TestJumpingResumes", Package: "internal/engine/sweep",
	},
	{
		Name: "cancelled-jump-kept", Imitates: "work done twice",
		Breaks: "what a step has sent on before it was cancelled is sent again",
		File:   "internal/engine/jump/run.go",
		Old:    "r.cut(marks)",
		New:    "_ = marks",
		Test:   "TestJumpingStops", Package: "internal/engine/sweep",
	},
	{
		Name: "narrow-sum-of-waiting", Imitates: "64-bit wrap",
		Breaks: "a sum of counts that wait is taken for one word when they are made a level",
		File:   "internal/engine/jump/ordinary.go",
		Old:    "limb.Add(total, v) != 0",
		New:    "limb.Add(total, v) > 1",
		Test:   "TestSumsOfWaitingCounts", Package: "internal/engine/jump",
	},
	{
		Name: "landing-loses-a-block", Imitates: "last buffer not written",
		Breaks: "states that wait and land on disk are there but for the last of them",
		File:   "internal/engine/sweep/jumping.go",
		Old:    "if err != nil || len(keys) == 0 {",
		New:    "if err != nil || len(keys) < blockfile.States {",
		Test:   "TestJumpingLandsOnAShelf", Package: "internal/engine/sweep",
	},
}
