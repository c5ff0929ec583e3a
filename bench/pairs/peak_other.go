//go:build !linux

package main

import "os"

// peak is 0: other systems count it in other units, or not at all.
func peak(*os.ProcessState) int64 { return 0 }
