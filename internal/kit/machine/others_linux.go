package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Resident is the memory, in bytes, that a process holds now; 0 if nobody knows.
func Resident(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text)) // pages: in all, resident, …; see proc(5)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// killFirst is how much sooner than others the kernel is to kill a process of the
// background when memory runs out: see proc(5), oom_score_adj, at most 1000.
const killFirst = "800"

// offerFirst makes the kernel kill this process before others when memory runs out.
func offerFirst() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte(killFirst), 0) }
