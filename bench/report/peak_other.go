//go:build !linux

package report

import "os"

// Peak is 0: other systems count it in other units, or not at all.
func Peak(*os.ProcessState) int64 { return 0 }
