//go:build !invariants

package sweep

// checkInvariants reports whether every step is followed by a check of its level, which costs as
// much as the step: go build -tags invariants.
const checkInvariants = false
