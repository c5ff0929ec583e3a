package puzzletest

// Running is the running example as a cover: dominoes on a board of 2x3 cells, three tilings.
//
//	a b c
//	d e f
const Running = `item a 1
item b 1
item c 1
item d 1
item e 1
item f 1
item domino 0..
option a b domino
option b c domino
option d e domino
option e f domino
option a d domino
option b e domino
option c f domino
`
