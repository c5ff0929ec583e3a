package access

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/time/rate"
)

// Token is a line of the file of tokens.
type Token struct {
	Caller
	Hash    [sha256.Size]byte // SHA-256 of the token
	Line    int               // line number in the file; 0 for a service without tokens
	Remark  string            // text after the #, such as the date of issue
	limiter *rate.Limiter
}

// limit sets t.limiter. The argument usual, in which 0 means no limit, replaces a PerMinute of 0.
func (t *Token) limit(usual int) {
	t.PerMinute = cmp.Or(t.PerMinute, usual)
	t.limiter = rate.NewLimiter(rate.Limit(float64(t.PerMinute)/60), t.PerMinute)
	if t.PerMinute == 0 {
		t.limiter.SetLimit(rate.Inf)
	}
}

const lookEvery = time.Second / 2

func stampOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

func (g *Guard) read() error {
	g.seen = stampOf(g.o.Tokens) // set before the read, so that a change during the read is noticed
	entries, err := Tokens(g.o.Tokens)
	if err != nil {
		return err
	}
	old := g.tokens
	g.tokens = map[[sha256.Size]byte]Token{}
	for _, e := range entries {
		e.limit(g.o.PerMinute)
		if was := old[e.Hash]; was.PerMinute == e.PerMinute && was.limiter != nil {
			e.limiter = was.limiter
		}
		g.tokens[e.Hash] = e
	}
	return nil
}

func (g *Guard) find(hash [sha256.Size]byte) (e Token, known bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if now := g.now(); now.Sub(g.looked) >= lookEvery || now.Before(g.looked) {
		g.looked = now
		if stampOf(g.o.Tokens) != g.seen {
			if err := g.read(); err != nil {
				g.o.Report("the file of tokens could not be read again, the old tokens stay in use", err)
			}
		}
	}
	e, known = g.tokens[hash]
	return e, known
}

const maxFileBytes = 1 << 20 // room for thousands of tokens; limits the memory if the path is wrong

// Tokens reads a file of tokens. It fails if every user of the machine may write the file.
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
		return nil, fmt.Errorf("%s is a folder, expected a file of tokens", path)
	case info.Mode().Perm()&0o002 != 0:
		return nil, fmt.Errorf("%s: every user may change this file, expected a file that only its owner may change (chmod 600)", path)
	case info.Size() > maxFileBytes:
		return nil, fmt.Errorf("%s: the file has more than 1MiB, expected a file of tokens of at most 1MiB", path)
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
