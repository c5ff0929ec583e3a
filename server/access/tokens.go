package access

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Token is a line of the file of tokens.
type Token struct {
	Caller
	Hash   [sha256.Size]byte // of the token
	Line   int               // of the file; 0 for a request without a token
	Remark string            // what follows the #, such as the day
	// limiter is a bucket that holds the requests of a minute and fills steadily: a caller that
	// was quiet for a minute may send a minute's requests at once.
	limiter *rate.Limiter
}

// limit gives the caller a full bucket. A caller without a limit has the usual one; 0: none.
func (t *Token) limit(usual int) {
	t.PerMinute = cmp.Or(t.PerMinute, usual)
	t.limiter = rate.NewLimiter(rate.Limit(float64(t.PerMinute)/60), t.PerMinute)
	if t.PerMinute == 0 {
		t.limiter.SetLimit(rate.Inf)
	}
}

// lookEvery is the time between two looks at the file.
const lookEvery = time.Second / 2

// tokens is a file of tokens, as it was read last.
type tokens struct {
	path      string
	perMinute int // requests of a caller without a limit of its own; 0: any number

	mutex  sync.RWMutex
	of     map[[sha256.Size]byte]Token // by the hash of the token, which is no secret
	seen   string                      // time and size of the file, or the error, when it was read
	looked time.Time                   // when seen was last compared
}

// stampOf differs between two versions of a file.
func stampOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

// read reads the file. After an error the old tokens stay in use.
func (t *tokens) read() error {
	t.seen = stampOf(t.path) // first: what changes while we read is read again
	entries, err := Tokens(t.path)
	if err != nil {
		return err
	}
	old := t.of
	t.of = map[[sha256.Size]byte]Token{}
	for _, e := range entries {
		e.limit(t.perMinute)
		if was := old[e.Hash]; was.PerMinute == e.PerMinute && was.limiter != nil {
			e.limiter = was.limiter
		}
		t.of[e.Hash] = e
	}
	return nil
}

// refresh reads the file again if it has changed, and looks at it at most twice a second.
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
	return t.read()
}

// find returns the entry of the token with this hash, if it is in force.
func (t *tokens) find(hash [sha256.Size]byte) (e Token, known bool) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	e, known = t.of[hash]
	return e, known
}

// maxFileBytes is enough for some thousand tokens. If the path is wrong, a huge file is not read
// into memory.
const maxFileBytes = 1 << 20

// Tokens reads a file of tokens. It refuses a file that everybody on the machine may write:
// anybody could add a token.
func Tokens(path string) ([]Token, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("file of tokens: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("file of tokens: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: a folder, want a file of tokens", path)
	case info.Mode().Perm()&0o002 != 0:
		return nil, fmt.Errorf("%s: everybody may write it, want a file that only its owner may write: chmod 600", path)
	case info.Size() > maxFileBytes:
		return nil, fmt.Errorf("%s: over 1MiB, want a file of tokens", path)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("file of tokens: %w", err)
	}
	tokens, err := parseTokens(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tokens, nil
}
