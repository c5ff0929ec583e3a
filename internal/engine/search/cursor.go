package search

// cursor is a solution that a walk in order passes before it visits any. Below
// a choice that is not the cursor's, all comes either before the cursor or
// after it; so the walk follows the cursor down and is rid of it at its end.
type cursor struct {
	has  map[int32]bool // options of the space
	left int
}

// skips reports whether a choice comes before the cursor's.
func (c *cursor) skips(option int32) bool { return c != nil && c.left > 0 && !c.has[option] }

// skipsEnd reports whether the solution with this path is not to be visited:
// it comes before the cursor, or is the cursor.
func (c *cursor) skipsEnd(path []int32) bool {
	if c == nil || c.left == 0 {
		return false
	}
	if len(path) == len(c.has) {
		c.left = 0
	}
	return true
}
