//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

// SyncFolder does nothing: this system does not sync folders.
func SyncFolder(string) error { return nil }
