package faults

// ofSlabs are faults in how the states of a level lie in files that machines share.
var ofSlabs = []Fault{
	{
		Name: "leaf-not-compared", Imitates: "check not made",
		Breaks: "states of a damaged slab are believed",
		File:   "beam/slab/read.go",
		Old:    "if sha256.Sum256(r.buf) != c.sum {",
		New:    "if sha256.Sum256(r.buf) != c.sum && false {",
		Test:   "TestEveryByteFlipped",
	},
	{
		Name: "slab-without-name", Imitates: "check not made",
		Breaks: "a slab is taken for another",
		File:   "beam/slab/open.go",
		Old:    "if nameOf(b) != r.Name {",
		New:    "if nameOf(b) != r.Name && false {",
		Test:   "TestOtherRef",
	},
	{
		Name: "range-with-its-end", Imitates: "off-by-one bound",
		Breaks: "a state at the bound of two tasks is counted by both",
		File:   "beam/slab/read.go",
		Old:    "return !key.Less(keys[i], b.Hi)",
		New:    "return key.Less(b.Hi, keys[i])",
		Test:   "TestRanges",
	},
	{
		Name: "range-without-its-first-leaf", Imitates: "off-by-one bound",
		Breaks: "the states between the lower bound and the next leaf are lost",
		File:   "beam/slab/read.go",
		Old:    "from = max(1, sort.Search(n, func(i int) bool { return key.Less(b.Lo, p.children[i].first) })) - 1",
		New:    "from = sort.Search(n, func(i int) bool { return !key.Less(p.children[i].first, b.Lo) })",
		Test:   "TestRanges",
	},
	{
		Name: "residue-not-compared", Imitates: "check not made",
		Breaks: "a count that a machine has added wrongly is written",
		File:   "beam/slab/write.go",
		Old:    "limb.Residue(count, w.head.Prime) != carried {",
		New:    "limb.Residue(count, w.head.Prime) != carried && false {",
		Test:   "TestMiscounted",
	},
	{
		Name: "leaf-sum-not-compared", Imitates: "check not made",
		Breaks: "counts of a leaf need not have the sum that its page says",
		File:   "beam/slab/read.go",
		Old:    "r.residue() != c.residue {",
		New:    "false && r.residue() != c.residue {",
		Test:   "TestOtherCounts",
	},
	{
		Name: "mark-one-state-off", Imitates: "off-by-one bound",
		Breaks: "marks say other numbers of states before them than there are",
		File:   "beam/slab/marks.go",
		Old:    "m.keys = append(m.keys, keys[at-first])",
		New:    "m.keys = append(m.keys, keys[max(at-first, 1)-1])",
		Test:   "TestMarks",
	},
	{
		Name: "slab-may-go-on", Imitates: "check not made",
		Breaks: "what somebody has appended to a slab goes unnoticed",
		File:   "beam/slab/verify.go",
		Old:    "err != nil || size != r.Bytes {",
		New:    "err != nil || size < r.Bytes {",
		Test:   "TestCut",
	},
}
