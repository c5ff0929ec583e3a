package endtoend

import (
	"fmt"
	"os"
	"strings"
)

// status is a number of /proc/PID/status, such as VmHWM.
func (v *service) status(name string) (n int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
	if err != nil {
		v.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			_, _ = fmt.Sscan(value, &n)
			return n
		}
	}
	v.t.Fatalf("%s is not in the status of the process", name)
	return 0
}

// forgetPeak makes the peak the memory of now.
func (v *service) forgetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", v.cmd.Process.Pid), []byte("5"), 0) // not on all kernels
}

// peak is the most memory that the process itself has had, in bytes.
func (v *service) peak() int64 { return v.status("VmHWM") << 10 }

// descriptors are how many files and connections the process has open.
func (v *service) descriptors() int {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", v.cmd.Process.Pid))
	if err != nil {
		v.t.Fatal(err)
	}
	return len(open)
}
