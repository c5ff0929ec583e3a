package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// entry is a line of the file of tokens.
type entry struct {
	Caller
	hash   [sha256.Size]byte // of the token
	line   int               // 0 for a request without a token
	remark string            // what follows the #
}

const (
	// maxFileBytes is enough for some thousand tokens. If the path is wrong, a huge file
	// is not read into memory.
	maxFileBytes = 1 << 20
	// lookEvery is the time between two looks at the file.
	lookEvery = time.Second / 2
)

// tokens is a file of tokens, as it was read last.
type tokens struct {
	path string

	mutex   sync.RWMutex
	entries []entry
	seen    stamp     // of the file when it was read or could not be read
	looked  time.Time // when seen was last compared
}

// stamp is what differs between two versions of a file.
type stamp struct {
	modified time.Time
	size     int64
	fault    string // why there is no file
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{fault: err.Error()}
	}
	return stamp{modified: info.ModTime(), size: info.Size()}
}

// openTokens reads the file for the first time.
func openTokens(path string) (*tokens, error) {
	t := &tokens{path: path}
	err := t.read()
	if err == nil && len(t.entries) == 0 {
		err = fmt.Errorf("%s: no token in it, want one at least: pavage token new NAME", path)
	}
	return t, err
}

// read reads the file. After an error the entries stay unchanged. Without entries no token is in
// force.
func (t *tokens) read() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.readLocked()
}

func (t *tokens) readLocked() error {
	t.seen = stampOf(t.path) // first: what changes while we read is read again
	entries, err := readTokens(t.path)
	if err == nil {
		t.entries = entries
	}
	return err
}

// refresh reads the file again if it has changed, and looks at most once a second.
func (t *tokens) refresh(now time.Time) error {
	t.mutex.RLock()
	fresh := now.Sub(t.looked) < lookEvery && !now.Before(t.looked)
	t.mutex.RUnlock()
	if fresh {
		return nil
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.looked = now
	if stampOf(t.path) == t.seen {
		return nil
	}
	return t.readLocked()
}

// find is the entry of a token. It compares the token with all entries, to the last byte,
// so that its time does not show how close a wrong token is.
func (t *tokens) find(token string) (found entry, known bool) {
	hash := sha256.Sum256([]byte(token))
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	at := -1
	for i := range t.entries {
		equal := subtle.ConstantTimeCompare(hash[:], t.entries[i].hash[:])
		at = subtle.ConstantTimeSelect(equal, i, at)
	}
	if at < 0 {
		return entry{}, false
	}
	return t.entries[at], true
}

// has reports whether a token is still in force, with the same name and at least the same
// role.
func (t *tokens) has(e entry) bool {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return slices.ContainsFunc(t.entries, func(now entry) bool { return now.hash == e.hash && now.Name == e.Name && now.Role >= e.Role })
}

// readTokens reads a file of tokens.
func readTokens(path string) ([]entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("file of tokens: %w", err)
	}
	defer f.Close()
	if err := checkWriters(f); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("file of tokens: %w", err)
	case len(data) > maxFileBytes:
		return nil, fmt.Errorf("%s: over 1MiB, want a file of tokens", path)
	}
	entries, err := parseTokens(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

// checkWriters refuses a file that everybody on the machine may write: anybody could add
// a token.
func checkWriters(f *os.File) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: a folder, want a file of tokens", f.Name())
	case info.Mode().Perm()&0o002 != 0:
		return errors.New(f.Name() + ": everybody may write it, want a file that only its owner may write: chmod 600")
	}
	return nil
}
