package faults

// ofCompiling are faults in what is done with compiled files, and in diagrams as texts of
// other programs.
var ofCompiling = []Fault{
	{
		Name: "dump-upside-down", Imitates: "check left out",
		Breaks: "a dump is read whose children lie above their parents",
		File:   "bdd/interchange/text.go",
		Old:    "case n.v <= v:",
		New:    "case n.v < v-1000:",
		Test:   "TestWrongTexts",
	},
	{
		Name: "dump-of-two-roots", Imitates: "check left out",
		Breaks: "a dump whose last line was lost is read as a smaller family",
		File:   "bdd/interchange/text.go",
		Old:    "if t.loose != held {",
		New:    "if t.loose > 2 {",
		Test:   "TestCut",
	},
	{
		Name: "dump-without-dot", Imitates: "check left out",
		Breaks: "a dump without its last line is read",
		File:   "bdd/interchange/read.go",
		Old:    "case words == nil:\n\t\treturn nil, t.wrong(\"the text ends here",
		New:    "case words == nil && t.line < 0:\n\t\treturn nil, t.wrong(\"the text ends here",
		Test:   "TestCut",
	},
	{
		Name: "arc-not-complemented", Imitates: "missing case",
		Breaks: "an arc with an odd number is that of the even number before it",
		File:   "bdd/interchange/read.go",
		Old:    "case err != nil || id%2 == 0:",
		New:    "case err != nil || odd:",
		Test:   "TestFiles",
	},
	{
		Name: "levels-from-the-root", Imitates: "swapped order",
		Breaks: "the levels of SAPPORO are written as if they counted from the root",
		File:   "bdd/interchange/write.go",
		Old:    "int64(d.Vars()-v), 10)",
		New:    "int64(v+1), 10)",
		Test:   "TestRoundTrips",
	},
	{
		Name: "dump-without-limit", Imitates: "check left out",
		Breaks: "the table of a text's nodes is not counted in the memory",
		File:   "bdd/interchange/text.go",
		Old:    "t.bytes > 0 && n%1024 == 0",
		New:    "t.bytes > 1<<20 && n%1024 == 0",
		Test:   "TestLimits",
	},
	{
		Name: "renamed-in-place", Imitates: "check left out",
		Breaks: "variables that change their order keep their places in the diagram",
		File:   "bdd/import.go",
		Old:    "if s.nodes[lo].v > as && s.nodes[hi].v > as {",
		New:    "if true {",
		Test:   "TestImportAs",
	},
}
