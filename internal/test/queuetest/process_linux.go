package queuetest

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

const abort = syscall.SIGQUIT

// asUser returns the attributes of the server's process. For root, the server runs as the user
// nobody, who becomes the owner of the folder. The server ends with this process.
func asUser(folder string) (*syscall.SysProcAttr, error) {
	how := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: abort}
	if os.Getuid() != 0 {
		return how, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	how.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return how, os.Chown(folder, int(uid), int(gid))
}
