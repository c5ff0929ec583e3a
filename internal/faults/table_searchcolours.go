package faults

// ofSearchColours are faults in what the search, the formulas and the evidence make of colours.
var ofSearchColours = []Fault{
	{
		Name: "shade-of-all", Imitates: "dropped option",
		Breaks: "a use with a colour excludes those that agree with it, too",
		File:   "internal/search/matrix.go",
		Old:    "words[c.row] = words[c.item] &^ words[c.row]",
		New:    "words[c.row] = words[c.item]",
		Test:   "TestRandomCovers", Quick: true,
	},
	{
		Name: "shade-of-its-own", Imitates: "swapped children",
		Breaks: "a use with a colour excludes those that agree with it, and no others",
		File:   "internal/search/matrix.go",
		Old:    "words[c.row] = words[c.item] &^ words[c.row]",
		New:    "words[c.row] &= words[c.item]",
		Test:   "TestRandomCovers",
	},
	{
		Name: "agreement-binds", Imitates: "left-out check",
		Breaks: "an item that one option uses with a colour, and another without one, binds nothing",
		File:   "internal/search/space.go",
		Old:    "it.coloured = it.coloured || u.Colour != it.colour",
		New:    "it.coloured = it.coloured || u.Colour != it.colour && u.Colour != 0",
		Test:   "TestRandomCovers",
	},
	{
		Name: "memo-forgets-shades", Imitates: "shortened key",
		Breaks: "the memo's key does not tell which colour an item's active options have",
		File:   "internal/search/memo.go",
		Old:    "if item < 0 && !slices.Contains(s.open, uint16(r)) {",
		New:    "if item < 0 && !slices.Contains(s.open, uint16(r)) && !slices.ContainsFunc(s.shades, func(c shade) bool { return int(c.row) == r }) {",
		Test:   "TestRandomCovers",
	},
	{
		Name: "memo-of-taken-colours", Imitates: "stale table",
		Breaks: "options with colours alone are remembered, of which no row tells that they are taken",
		File:   "internal/search/memo.go",
		Old:    "func(r uint16) bool { return !shades[r] }",
		New:    "func(r uint16) bool { return true }",
		Test:   "TestMemoOfColours",
	},
	{
		Name: "balance-of-colours", Imitates: "left-out check",
		Breaks: "cells that several pieces use with one colour are added up as if each had its own",
		File:   "count/balance.go",
		Old:    "if u.Colour != 0 { // uses do not add up",
		New:    "if u.Colour < 0 {",
		Test:   "TestUnbalancedColours",
	},
}
