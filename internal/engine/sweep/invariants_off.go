//go:build !invariants

package sweep

// checkInvariants reports whether each step checks the level that it made. This doubles the time.
const checkInvariants = false
