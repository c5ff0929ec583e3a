package queue

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// letters are the letters of ids. They can be read aloud, and need no escapes in a
// path.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

var alphabet = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

// idLength is enough for 128 bits, with 5 bits in a letter.
const idLength = 26

// NewID makes an id that cannot be guessed. [rand.Read] never fails.
func NewID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return alphabet.EncodeToString(bits[:])
}

// isID reports whether a text has the form of an id. The database is not asked for any
// other text.
func isID(s string) bool {
	return len(s) == idLength && strings.Trim(s, letters) == ""
}
