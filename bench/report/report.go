// Package report describes the machine and the date for reports, without the name of the machine.
package report

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"
)

// Machine returns the processor, its number of cores and the version of Go.
func Machine() string {
	model := runtime.GOARCH
	info, err := os.ReadFile("/proc/cpuinfo")
	if found := regexp.MustCompile(`model name\s*: (.*)`).FindSubmatch(info); err == nil && found != nil {
		model = string(found[1])
	}
	return fmt.Sprintf("%s with %d cores in use, %s", model, runtime.NumCPU(), runtime.Version())
}

// Today returns the date in UTC, such as 2006-01-02.
func Today() string { return time.Now().UTC().Format(time.DateOnly) }
