package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// tokenPrefix is how tokens begin, so that a person, or a program that looks for secrets
// in files, sees what they are.
const tokenPrefix = "pavage_"

// AddToken makes a token for the caller and adds its hash to the file, which it makes if it
// is not there. The token itself is stored nowhere.
//
// One write adds the line at the end of the file. So two programs may add tokens at the
// same time, a service that reads the file sees the whole line or none of it, and a file
// that is mounted into a container stays the same file.
func AddToken(path string, c Caller) (token string, err error) {
	if err := CheckName(c.Name); err != nil {
		return "", err
	}
	if _, err := readTokens(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err // what follows a mistake would not be read
	}
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // never fails
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(bits[:])
	hash := sha256.Sum256([]byte(token))
	line := fmt.Sprintf("%s %s %s", c.Name, c.Role, hex.EncodeToString(hash[:]))
	if l := c.Limits.Words(); l != "" {
		line += " " + l
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return token, fmt.Errorf("file of tokens: %w", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.Size() == 0:
		line = heading + line
	default: // the last line of a file that somebody has written by hand may have no end
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); last[0] != '\n' {
			line = "\n" + line
		}
	}
	if err == nil {
		_, err = f.WriteString(line + time.Now().UTC().Format(" # made 2006-01-02\n"))
	}
	if err == nil {
		err = f.Sync()
	}
	return token, errors.Join(err, f.Close())
}

// heading is the first line of a new file.
const heading = "# The tokens of a pavage service: name, role, SHA-256 of the token, limits.\n"

// Tokens returns the callers in a file of tokens, each with the first digits of the
// token's hash.
func Tokens(path string) ([]Listed, error) {
	entries, err := readTokens(path)
	list := make([]Listed, 0, len(entries))
	for _, e := range entries {
		list = append(list, Listed{Caller: e.Caller, Hash: hex.EncodeToString(e.hash[:4]), Line: e.line, Remark: e.remark})
	}
	return list, err
}

// Listed is a token as it may be shown.
type Listed struct {
	Caller
	Hash   string // the first digits of the token's hash
	Line   int    // of the file
	Remark string // of the line, such as the day
}
