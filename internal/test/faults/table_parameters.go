package faults

// ofParameters are faults in families of puzzles: parameters, open cells, names.
var ofParameters = []Fault{
	{
		Name: "except-ignored", Imitates: "option left out",
		Breaks: "settings that the file leaves out are counted",
		File:   "tiling/parameters.go",
		Old:    "return f.Excepts(s) || yield(slices.Clone(s))",
		New:    "return yield(slices.Clone(s))",
		Test:   "TestParameters",
	},
	{
		Name: "open-other-parameter", Imitates: "wrong index",
		Breaks: "the cell of another parameter stays open",
		File:   "tiling/named.go",
		Old:    "name = s[i]",
		New:    "name = s[0*i]",
		Test:   "TestParameters",
	},
	{
		Name: "values-reversed", Imitates: "wrong order",
		Breaks: "a parameter that is not asked for varies fastest, so that counts stand in the wrong place",
		File:   "tiling/parameters.go",
		Old:    "return append(all, order...)",
		New:    "return append(order[:len(order):len(order)], all...)",
		Test:   "TestParameters",
	},
	{
		Name: "value-by-number", Imitates: "bound off by one",
		Breaks: "the number of a value stands for the next one",
		File:   "tiling/parameters.go",
		Old:    "return n - 1, nil",
		New:    "return min(n, len(p.Values)-1), nil",
		Test:   "TestRange",
	},
	{
		Name: "number-before-value", Imitates: "checks in the wrong order",
		Breaks: "a value that is a number is taken for the number of a value",
		File:   "tiling/parameters.go",
		Old:    "if i := slices.Index(p.Values, text); i >= 0 {",
		New:    "if i := slices.Index(p.Values, text); i >= 0 && (text < \"0\" || text > \"9\") {",
		Test:   "TestRange",
	},
	{
		Name: "open-keeps-colours", Imitates: "part of a value not moved",
		Breaks: "the colours of a board shift where a cell is open",
		File:   "tiling/named.go",
		Old:    "b.Colours = b.Colours[:left]",
		New:    "b.Colours = b.Colours[len(b.Colours)-left:]",
		Test:   "TestOpenColours",
	},
	{
		Name: "name-is-shown", Imitates: "sentinel taken for a value",
		Breaks: "a program is told that an open cell is one of the board's",
		File:   "job/show_marks.go",
		Old:    "b.Index(c) < 0",
		New:    "b.Index(c) < -1",
		Test:   "TestShownMarks",
	},
}
