package queue

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

const letters = "abcdefghijklmnopqrstuvwxyz234567" // can be read aloud, and need no escapes in a path

var alphabet = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

const idLength = 26 // 26 letters of 5 bits hold 128 bits

// NewID returns a random id, which cannot be guessed.
func NewID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return alphabet.EncodeToString(bits[:])
}

func isID(s string) bool {
	return len(s) == idLength && strings.Trim(s, letters) == ""
}
