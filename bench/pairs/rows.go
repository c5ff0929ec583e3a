package main

import "strings"

// In a command, a word such as @squares-14 stands for the path of a puzzle in the folder puzzles.
type row struct {
	name    string
	command string
	answer  string // expected count; if "", only the outputs of the versions are compared
}

var rows = []row{
	{"tetrominoes 10x10", "count --board 10x10 --piece tetrominoes=any", "72713560548906621"},
	{"tetrominoes 12x12", "count --board 12x12 --piece tetrominoes=any", "13664822582333502156627512"},
	{"pentominoes, any number, 8x10", "count --board 8x10 --piece pentominoes=any", ""},
	{"pentominoes, any number, 10x10", "count --board 10x10 --piece pentominoes=any", ""},
	{"pentominoes 6x10", "count name:pentominoes-6x10", "9356"},
	{"pentominoes 5x12", "count name:pentominoes-5x12", "4040"},
	{"pentominoes 4x15", "count name:pentominoes-4x15", "1472"},
	{"pentominoes 3x20", "count name:pentominoes-3x20", "8"},
	{"pentominoes 8x8, hole in the middle", "count name:pentominoes-8x8-hole", "520"},
	{"pentominoes and a 2x2 square, 8x8", "count name:pentominoes-8x8-square", "129168"},
	{"Soma cube", "count name:soma", "11520"},
	{"Conway's box", "count name:conways-box", ""},
	{"Bedlam cube", "count name:bedlam", "460464"},
	{"Tetris cube", "count name:tetris-cube", "236136"},
	{"solid pentominoes 3x4x5", "count name:solid-pentominoes-3x4x5", "31520"},
	{"Y pentominoes 15x15", "count --board 15x15 --piece Y5=any", "1696"},
	{"one-sided pentominoes 3x30", "count name:one-sided-pentominoes-3x30", "184"},
	{"Kanoodle 5x11", "count name:kanoodle-5x11", "371020"},
	{"two sets of pentominoes 3x40", "count --board 3x40 --piece pentominoes=2", ""},
	{"squares of all sizes 14x14, up to symmetry", "count @squares-14 --distinct", "5064070747064013556294032 tilings, 633008843395189813355829 up to rotations and reflections of the board (group D4 of order 8)"},
	{"squares of all sizes 16x16", "count @squares-16", "408199838581532754602910469192704"},
	{"squares 2..5, each 0..7, 11x11", "count name:squares-11x11", "15339263199580"},
	{"squares 2..5, each 0..7, 7x9", "count name:squares-7x9", "17548478"},
	{"bars of all lengths 5x12", "count @bars-5x12", "30680036092304563369"},
	{"bars of all lengths 3x14", "count @bars-3x14", ""},
	{"bars of all lengths 2x23", "count @bars-2x23", ""},
	{"nonominoes 6x6", "count @nonominoes-6x6", "442791"},
	{"monominoes, dominoes, trominoes 8x8", "count name:mono-dom-tro-8x8", "92109458286284989468604"},
	{"30 bricks 1x2x2 and 5 units, 5x5x5", "count --board 5x5x5 --piece 1x2x2=30 --piece 1x1x1=5", ""},
	{"dominoes 20x20", "count name:dominoes-20x20", "1269984011256235834242602753102293934298576249856"},
	{"dominoes 24x24", "count --board 24x24 --piece domino=any", ""},
	{"packings of 4x16, a cover without orders", "count @packings-4x16.cover", ""},
	{"all tilings of 8x8 as JSON", "list name:pentominoes-8x8-square --json", ""},
	{"all tilings of 8x8 as text", "list name:pentominoes-8x8-square", ""},
	{"1,000 samples of dominoes 8x8 as JSON", "sample --board 8x8 --piece domino=any -n 1000 --seed 1 --json", ""},
	{"10^6 samples of dominoes 8x8 as JSON", "sample --board 8x8 --piece domino=any -n 1000000 --seed 1 --json", ""},
}

func (r row) words(puzzles string) []string {
	words := strings.Fields(r.command)
	for i, w := range words {
		if name, ok := strings.CutPrefix(w, "@"); ok {
			if !strings.Contains(name, ".") {
				name += ".yaml"
			}
			words[i] = puzzles + "/" + name
		}
	}
	return words
}
