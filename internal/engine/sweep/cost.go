package sweep

// Costs are in seconds of one core of the machine on which the constants were measured.

// StateCost returns the cost of a state whose key has this number of words, in a step that tries
// this number of moves. The table has estimated and measured times of a state, in nanoseconds:
//
//	                       moves  estimate actual
//	dominoes 20x20           2.9        13     16
//	squares 11x11            4.0        14     21
//	tetrominoes 12x12       17.2        26     24
//	one-sided 3x30          23.9        35     89
//	pentominoes 6x10        42.6        74     68
//	pentominoes, O4, 8x8    46.5        84     91
//	solid 3x4x5             55.0       109    176
//	Bedlam cube             89.7       248    247
//	Tetris cube            104.7       491    490   (keys of two words)
//	heptominoes 7x7          422       630    560
//	nonominoes 6x6          3291       630    600
//
// If there are very many moves, each fits few states. So StateCost counts at most mostMoves moves.
func StateCost(words int, moves float64) float64 {
	moves = min(mostMoves, moves)
	return 1e-9 * wide(words) * (12 + moves*(0.45+0.025*moves))
}

const mostMoves = 148

// BlockCost returns the cost of a block, in addition to the cost of its states. On boards many
// states share a block; in other covers most states may have a block of their own. The table has
// blocks per state, and the time of a state in nanoseconds: the estimates without and with
// BlockCost, and the measured time. (Measured times are 1.5 times too long: other programs ran.)
//
//	                      words  moves   blocks  StateCost  +BlockCost actual
//	Latin squares 5           1    4.7     0.25          14           41     61
//	Latin squares 6           2    6.0     0.44          23           92    156
//	sudoku 6x6                2    5.0     0.31          21           70    107
//	queens 12x12              2   11.9     0.90          30          185    255
//	MacMahon 4x6              2    4.7     0.57          21          111    197
//	squares 11x11             1    4.0     0.10          14           25     27
//	squares 14x14             4    5.5     0.10          23           39     41
//	squares 16x16             8    6.3     0.10          24           40     52
//	pentominoes, O4, 8x8      1   46.5     0.21          84          128    147
//	solid 3x4x5               1   55.0     0.50         109          227    336
func BlockCost(words int, moves float64) float64 {
	return 1e-9 * wide(words) * (100 + 2.5*moves)
}

// wide returns the cost of a key of this number of words, divided by the cost of one word. (For
// costs proportional to words, the estimate of 16x16 squares would be 6.6 s. The run needs 1.6 s.)
func wide(words int) float64 {
	if words > 1 {
		return 1.5
	}
	return 1
}
