//go:build !unix || solaris || illumos || aix

package machine

// Background does nothing: this system is not asked.
func Background() {}
