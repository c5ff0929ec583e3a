// Package limit has the error for all memory limits, and computes the remaining memory. A limit is
// a number of bytes; 0 means no limit.
package limit

import (
	"errors"
	"fmt"
)

// ErrMemory is wrapped by the error of a call that needs more memory than its limit.
var ErrMemory = errors.New("memory limit reached")

// Check returns an error that wraps ErrMemory if work needs more bytes than the limit memory.
func Check(memory, need int64, work string) error {
	if memory > 0 && need > memory {
		return fmt.Errorf("%w: %s needs up to %d bytes of memory, but only %d bytes are left", ErrMemory, work, need, memory)
	}
	return nil
}

// Left returns memory-used, but at least 1, since 0 means no limit. If memory is 0, it returns 0.
func Left(memory, used int64) int64 {
	if memory <= 0 {
		return 0
	}
	return max(1, memory-used)
}
