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
	{
		Name: "last-cell-alone", Imitates: "operand dropped",
		Breaks: "PIECE@CELL/CELL names all placements that cover the last cell",
		File:   "query/query.go",
		Old:    "if of = common(of, some); end == len(at) {",
		New:    "if of = some; end == len(at) {",
		Test:   "TestPlacementsByCells",
	},
	{
		Name: "names-parted", Imitates: "wrong precedence",
		Breaks: "a cell whose name has a / is taken for two cells",
		File:   "query/query.go",
		Old:    "for end := min(len(text), x.longest); end > 0; end-- {",
		New:    "for end := min(len(text), x.longest, 0); end > 0; end-- {",
		Test:   "TestNamesWithSlashes", Quick: true,
	},
	{
		Name: "cells-without-end", Imitates: "limit left out",
		Breaks: "a selector may name the same cell millions of times",
		File:   "query/query.go",
		Old:    "case most == 0:",
		New:    "case most == -1<<40:",
		Test:   "TestSelectors",
	},
	{
		Name: "json-with-placements", Imitates: "work not needed",
		Breaks: "a puzzle with too many placements cannot be opened by a program",
		File:   "job/convert.go",
		Old:    `if r.To != "json" {`,
		New:    `if r.To != "" {`,
		Test:   "TestConvertPuzzleAlone",
	},
}
