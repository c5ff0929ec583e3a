package tiling

// The lattices of the tests, for tests from outside.
var (
	Hexagons  = hexagons
	Triangles = triangles
)
