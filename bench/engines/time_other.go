//go:build !unix

package main

import "time"

var began = time.Now()

// The system does not report processor time.
func processorTime() time.Duration { return time.Since(began) }
