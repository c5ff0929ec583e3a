package queue

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// letters are those of ids: they can be read aloud, and stand in a path as they are.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

var alphabet = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

// idLength is that of 128 bits, with 5 in a letter.
const idLength = 26

// newID makes an id that nobody can guess. [rand.Read] never fails.
func newID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return alphabet.EncodeToString(bits[:])
}

// isID says whether a text has the form of an id. What has not is not looked for.
func isID(s string) bool {
	return len(s) == idLength && strings.Trim(s, letters) == ""
}
