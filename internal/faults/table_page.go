package faults

// ofThePage are faults in what the page of the service asks for.
var ofThePage = []Fault{
	{
		Name: "json-drawn-board", Imitates: "option left out",
		Breaks: "a flat board of squares is a drawing in JSON, and rows of words only elsewhere",
		File:   "exchange/puzzle_write.go",
		Old:    "worded: true}",
		New:    "worded: false}",
		Test:   "TestRandomPuzzlesAreTheSame", Quick: true,
	},
	{
		Name: "json-list-without-commas", Imitates: "slip",
		Breaks: "rows of a list follow each other without a comma",
		File:   "exchange/puzzle_form.go",
		Old:    "strings.Join(rows, \",\\n  \")",
		New:    "strings.Join(rows, \"\\n  \")",
		Test:   "TestPuzzleForms",
	},
}
