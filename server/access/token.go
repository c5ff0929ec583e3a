package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const tokenPrefix = "pavage_" // marks tokens for people, and for programs that look for secrets in files

// AddToken makes a token and adds its hash to the file. It makes the file if there is none. It adds
// the line by a single write, so two programs can add tokens at the same time, and readers see the
// whole line or nothing. It does not replace the file, since a container may have mounted it.
func AddToken(path string, c Caller) (token string, err error) {
	if err := CheckName(c.Name); err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = Tokens(path) // an error if a line is invalid, since a service refuses the whole file
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // never fails
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(bits[:])
	line := fmt.Sprintf("%s %s %x", c.Name, c.Role, sha256.Sum256([]byte(token)))
	if l := c.Limits.Words(); l != "" {
		line += " " + l
	}
	line += time.Now().UTC().Format(" # made 2006-01-02\n")
	if len(text) == 0 {
		line = heading + line
	} else if text[len(text)-1] != '\n' { // the last line lacks a newline: a person has edited the file
		line = "\n" + line
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return token, fmt.Errorf("file of tokens: %w", err)
	}
	_, err = f.WriteString(line)
	return token, errors.Join(err, f.Sync(), f.Close())
}

const heading = "# The tokens of a pavage service: name, role, SHA-256 of the token, limits.\n"
