//go:build !js

package child

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/pavage/pavage/internal/kit/machine"
)

type process struct {
	in      io.WriteCloser // pipe to the child
	out     io.Reader      // pipe from the child
	options Options
	cmd     *exec.Cmd
	folder  string
	errs    *head
}

func newProcess(o Options, t *Task) (*process, error) {
	RemoveFolders(o.Temp, t.Name)
	folder, err := os.MkdirTemp(o.Temp, FolderPrefix+t.Name+"-")
	if err != nil {
		return nil, fmt.Errorf("the folder of a child process could not be made: %w", err)
	}
	if t.Limits.Disk != "" {
		t.Limits.Disk = folder
	}
	return &process{options: o, folder: folder, errs: &head{}}, nil
}

func (p *process) remove() { _ = os.RemoveAll(p.folder) }

func (p *process) start() error {
	program, err := program(p.options.Program)
	if err != nil {
		return err
	}
	p.cmd = exec.Command(program, Verb)
	p.cmd.Args[0] = "pavage"
	p.cmd.Env = append([]string{"TMPDIR=" + p.folder, "GOTRACEBACK=single"}, p.options.Env...)
	p.cmd.Stderr = p.errs
	p.cmd.WaitDelay = p.options.grace(nil)
	apart(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return err
	}
	return p.cmd.Start()
}

// On Linux, program returns the running program, even if another version has replaced the file.
func program(named string) (string, error) {
	const self = "/proc/self/exe"
	switch {
	case named != "":
		return named, nil
	case runtime.GOOS == "linux":
		if _, err := os.Stat(self); err == nil {
			return self, nil
		}
	}
	return os.Executable()
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) held() int64 { return machine.Resident(p.pid()) }

func (p *process) end() { _ = p.cmd.Process.Kill() }

func (p *process) wait() { _ = p.cmd.Wait() } // ProcessState has the result

func (p *process) died() *Died {
	d := &Died{Code: p.cmd.ProcessState.ExitCode(), Why: p.errs.why()}
	if w, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		d.Signal = w.Signal().String()
	}
	return d
}
