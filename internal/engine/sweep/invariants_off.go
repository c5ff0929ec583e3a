//go:build !invariants

package sweep

// checkInvariants reports whether every level is checked. A check takes as long as a step.
const checkInvariants = false
