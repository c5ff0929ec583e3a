//go:build !unix

package main

import "time"

var began = time.Now()

func processorTime() time.Duration { return time.Since(began) }
