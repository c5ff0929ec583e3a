// Package limit has what all limits of memory share: the error of a limit that is reached, and
// the memory that work leaves to other work. A limit is a number of bytes; 0 is no limit.
package limit

import "errors"

// ErrMemory is wrapped by the error of a call that needs more memory than its limits allow.
var ErrMemory = errors.New("memory limit reached")

// Left returns the memory that remains of a limit beside used bytes: at least 1 byte, since 0
// is no limit.
func Left(memory, used int64) int64 {
	if memory <= 0 {
		return 0
	}
	return max(1, memory-used)
}
