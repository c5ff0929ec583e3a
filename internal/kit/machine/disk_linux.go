package machine

import "syscall"

// OnDisk reports whether a directory is not a part of memory.
func OnDisk(dir string) bool {
	const tmpfs, ramfs = 0x01021994, 0x858458f6 // see statfs(2)
	var f syscall.Statfs_t
	if err := syscall.Statfs(dir, &f); err != nil {
		return false
	}
	return uint32(f.Type) != tmpfs && uint32(f.Type) != ramfs
}

// FreeDisk returns the free bytes of the file system of dir, or 0 if dir is "".
func FreeDisk(dir string) float64 {
	var f syscall.Statfs_t
	if dir == "" || syscall.Statfs(dir, &f) != nil {
		return 0
	}
	return float64(f.Bavail) * float64(f.Bsize)
}
