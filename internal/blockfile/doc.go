// Package blockfile writes and reads levels as blocks under checksums.
package blockfile
