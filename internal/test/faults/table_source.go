package faults

// ofSources are faults in what tilings are drawn from: its bytes, its ranks, and who may
// draw at the same time.
var ofSources = []Fault{
	{
		Name: "equal-nodes-read", Imitates: "check not made",
		Breaks: "bytes with the same node twice are taken for a diagram in canonical form",
		File:   "bdd/decode.go",
		Old:    "compareBranches(last, branch{hi: hi, lo: lo}) >= 0",
		New:    "compareBranches(last, branch{hi: hi, lo: lo}) > 0",
		Test:   "TestWrongBytes",
	},
	{
		Name: "child-beside-its-node", Imitates: "bound off by one",
		Breaks: "bytes with a node whose child has the same variable are taken for a diagram",
		File:   "bdd/encode.go",
		Old:    "return first + 1 - code, code < first",
		New:    "return first + 1 - code, true",
		Test:   "TestWrongBytes",
	},
	{
		Name: "lost-nodes-read", Imitates: "check not made",
		Breaks: "bytes with nodes that the root does not reach are taken for a diagram",
		File:   "bdd/decode.go",
		Old:    "if n, ok := d.unreached(); ok {",
		New:    "if n, ok := d.unreached(); ok && n < 0 {",
		Test:   "TestWrongBytes",
	},
	{
		Name: "claimed-nodes-taken", Imitates: "memory before the check",
		Breaks: "a header of 32 bytes makes the reader take gigabytes",
		File:   "bdd/decode.go",
		Old:    "min(most, max(len(s)+n, 4*cap(s), 1<<10))",
		New:    "most",
		Test:   "TestClaims",
	},
	{
		Name: "diagram-of-another-puzzle", Imitates: "check not made",
		Breaks: "the diagram of another puzzle is drawn from, if its numbers fit",
		File:   "compiled/file.go",
		Old:    "of != f.Digest || f.Options != len(p.Options) {",
		New:    "len(of) != len(f.Digest) || f.Options != len(p.Options) {",
		Test:   "TestSavedOfAnother", Package: "job", Quick: true,
	},
	{
		Name: "rank-one-too-many", Imitates: "bound off by one",
		Breaks: "the tiling after the last is drawn from a diagram",
		File:   "sample/diagram.go",
		Old:    "if r.Sign() < 0 || r.Cmp(s.count) >= 0 {",
		New:    "if r.Sign() < 0 || r.Cmp(s.count) > 0 {",
		Test:   "TestTilingOfARank", Package: "job",
	},
	{
		Name: "walk-rank-one-too-many", Imitates: "bound off by one",
		Breaks: "a walk goes back from behind its last way",
		File:   "count/walk.go",
		Old:    "if r.Sign() < 0 || r.Cmp(total) >= 0 {",
		New:    "if r.Sign() < 0 || r.Cmp(total) > 0 {",
		Test:   "TestUnrankErrors",
	},
	{
		Name: "foreseen-from-little", Imitates: "check not made",
		Breaks: "a forecast from the first few states of a long count is taken for certain",
		File:   "count/predict.go",
		Old:    "Known: s.done() || f.States <= seenShare*done}",
		New:    "Known: true}",
		Test:   "TestPredictLarge",
	},
}
