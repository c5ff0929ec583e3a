//go:build invariants

package sweep

const checkInvariants = true
