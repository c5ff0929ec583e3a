package faults

// ofJobs are faults in how a piece of work is described, limited and ended.
var ofJobs = []Fault{
	{
		Name: "share-is-the-whole", Imitates: "limit not divided",
		Breaks: "each of several pieces of work takes all of the memory",
		File:   "job/limits.go",
		Old:    "l.Memory = max(1, l.Memory/int64(n))",
		New:    "l.Memory = max(1, l.Memory)",
		Test:   "TestShare",
	},
	{
		Name: "nothing-left-is-no-limit", Imitates: "zero that means something else",
		Breaks: "where other work holds all memory, the next has no limit",
		File:   "job/limits.go",
		Old:    "l.Memory = max(1, l.Memory-held)",
		New:    "l.Memory = max(0, l.Memory-held)",
		Test:   "TestWithout",
	},
	{
		Name: "answer-not-kept", Imitates: "removed too early",
		Breaks: "a checkpoint is removed although the answer could not be written",
		File:   "job/request.go",
		Old:    "k.atEnd(err == nil)",
		New:    "k.atEnd(true)",
		Test:   "TestKeptAnswer",
	},
	{
		Name: "unknown-fields-pass", Imitates: "check not made",
		Breaks: "a field of a request that nobody knows is passed over",
		File:   "internal/kit/strict/strict.go",
		Old:    "	d.DisallowUnknownFields()\n",
		New:    "",
		Test:   "TestDecode",
	},
	{
		Name: "programs-for-strangers", Imitates: "check not made",
		Breaks: "a request runs a program that the limits do not allow",
		File:   "job/verify.go",
		Old:    "if !w.limits.Programs {",
		New:    "if false {",
		Test:   "TestEveryKind",
	},
	{
		Name: "tilings-forgotten", Imitates: "memory used again",
		Breaks: "a tiling that somebody keeps is overwritten by the next",
		File:   "job/tilings.go",
		Old:    "if w.watch.Brief && t.Placements != nil {",
		New:    "if t.Placements != nil {",
		Test:   "TestTilingsMayBeKept",
	},
}
