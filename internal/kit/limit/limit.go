// Package limit has the error of a reached memory limit, which packages that do not import each
// other share: a diagram too large for its limit is the same condition to a caller as a sweep
// too large for it.
package limit

import "errors"

// ErrMemory is wrapped by the error of a call that needs more memory than its limits allow.
var ErrMemory = errors.New("memory limit reached")
