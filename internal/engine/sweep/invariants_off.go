//go:build !invariants

package sweep

// checkInvariants has every level checked, which costs as much as its step.
const checkInvariants = false
