//go:build !linux

package report

import "os"

// Peak returns 0, since systems other than Linux use another unit or do not measure the peak.
func Peak(*os.ProcessState) int64 { return 0 }
