//go:build !unix

package main

import "time"

var began = time.Now()

// processorTime is the time of the clock, where the system does not report processor time.
func processorTime() time.Duration { return time.Since(began) }
