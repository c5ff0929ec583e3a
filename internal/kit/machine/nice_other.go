//go:build !unix || solaris || illumos || aix

package machine

// Background does nothing.
func Background() {}
