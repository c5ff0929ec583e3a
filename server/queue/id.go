package queue

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// The letters can be read aloud, and need no escapes in a path.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

var alphabet = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

// 26 letters of 5 bits hold 128 bits.
const idLength = 26

// NewID makes an id that cannot be guessed.
func NewID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return alphabet.EncodeToString(bits[:])
}

// The database is asked only for ids of this form.
func isID(s string) bool {
	return len(s) == idLength && strings.Trim(s, letters) == ""
}
