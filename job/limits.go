package job

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/pavage/pavage/internal/kit/machine"
)

// Limits are what a piece of work may take of the machine, and what it may touch.
// The zero value limits nothing, uses all cores, and touches no file.
type Limits struct {
	Memory  int64         `json:"memory,omitempty" doc:"bytes of what is counted with; 0: no limit"`
	Threads int           `json:"threads,omitempty" doc:"0: one for each core"`
	Time    time.Duration `json:"time,omitempty" doc:"in nanoseconds; 0: no limit"`
	// Disk is a directory where a sweep goes on that does not fit in memory; ""
	// for none.
	Disk string `json:"disk,omitempty"`
	// Checkpoint is a directory where a count leaves what it has come to, every so
	// much time of counting, and goes on from there; "" for none. One count at a
	// time has it.
	Checkpoint      string        `json:"checkpoint,omitempty"`
	CheckpointEvery time.Duration `json:"checkpoint_every,omitempty"`
	// Programs allows a request to name a program that is then run. A server must
	// not allow that to strangers.
	Programs bool `json:"programs,omitempty"`
}

// NoDisk is the setting of Limits.Disk for no directory at all.
const NoDisk = "none"

// Resolve makes limits of the settings of a process, where 0 and "" ask for what
// is usual: three quarters of the memory that is free now, a thread for each core,
// the system's directory for temporary files unless that is a part of memory. It
// is meant to be called once in a process, before the work begins, as later the
// work itself has some of the memory; pieces of work then get shares.
func Resolve(memory int64, threads int, disk string) Limits {
	if memory == 0 {
		memory = machine.FreeMemory() / 4 * 3 // better our error than the kernel's killing
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	switch disk {
	case "":
		disk = machine.TempDisk()
	case NoDisk:
		disk = ""
	}
	return Limits{Memory: memory, Threads: threads, Disk: disk}
}

// Share is what each of n pieces of work gets that go on at the same time. Time is
// not divided. A checkpoint is one piece's alone, so no share has it.
func (l Limits) Share(n int) Limits {
	if l.Memory > 0 {
		l.Memory = max(1, l.Memory/int64(n))
	}
	threads := l.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	l.Threads = max(1, threads/n)
	l.Checkpoint, l.CheckpointEvery = "", 0
	return l
}

// checkDisk tries that levels can be kept in the directory of the limits.
func (l Limits) checkDisk() error {
	if l.Disk == "" {
		return nil
	}
	f, err := os.CreateTemp(l.Disk, "pavage-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return &Error{Kind: Limit, err: fmt.Errorf("no space is left in %.60q, the directory to keep levels in", l.Disk)}
	case err != nil:
		return bad("{disk} is %.60q, want a directory to keep levels in: %w", l.Disk, err)
	}
	return nil
}
