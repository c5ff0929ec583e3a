package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// seesProcesses reports whether the tests can inspect processes on this system.
const seesProcesses = true

// withParent ends a process with the test program that has started it.
func withParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// processes are the numbers of all processes of the service, children of dead ones too.
func (s *setup) processes() (pids []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range found {
		cmdline, _ := os.ReadFile(file) // it may have ended
		if !bytes.HasPrefix(cmdline, []byte(program+"\x00")) {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if bytes.Contains(append(environ, cmdline...), []byte(s.data)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// untilGone waits until no process of the service is left.
func (s *setup) untilGone(t testing.TB) {
	t.Helper()
	testkit.Until(t, "the end of all processes", func() bool { return len(s.processes()) == 0 })
}

// counterOf is the process that counts a job: it holds the folder of its checkpoints. 0 if
// there is none.
func (s *setup) counterOf(id string) int {
	folder := filepath.Join(s.data, "checkpoints", id)
	for _, pid := range s.processes() {
		open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, fd := range open {
			if at, _ := os.Readlink(fd); at == folder {
				return pid
			}
		}
	}
	return 0
}

// onDisk is how many bytes the processes of the service have in temporary files, which have
// no name any more.
func (s *setup) onDisk() (bytes int64) {
	for _, pid := range s.processes() {
		open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, fd := range open {
			at, _ := os.Readlink(fd)
			info, err := os.Stat(fd)
			if err == nil && info.Mode().IsRegular() && strings.HasPrefix(at, filepath.Join(s.data, "tmp")) {
				bytes += info.Size()
			}
		}
	}
	return bytes
}

// resident is the memory of all processes of the service in bytes. What several of them
// share, such as the program, is divided among them: it is the sum of Pss of smaps_rollup.
func (s *setup) resident() (total int64) {
	for _, pid := range s.processes() {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid)) // it may have ended
		for l := range strings.Lines(string(text)) {
			var kib int64
			if _, err := fmt.Sscanf(l, "Pss: %d kB", &kib); err == nil {
				total += kib << 10
			}
		}
	}
	return total
}
