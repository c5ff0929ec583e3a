package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/wording"
)

// parseTokens reads a file of tokens. A line has the name and the role of a caller, the SHA-256 of
// the token, and limits. A remark may follow after a #. AddToken writes the current day there.
//
//	# name  role  SHA-256 of the token                                              limits
//	alice   run   0a0c…  rate=600 jobs=4 memory=2GiB threads=2 time=1h

func parseTokens(text string) ([]Token, error) {
	var entries []Token
	lines := map[[sha256.Size]byte]int{}
	for i, line := range strings.Split(text, "\n") {
		line, remark, _ := strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e, err := parseEntry(words)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if first := lines[e.Hash]; first > 0 {
			return nil, fmt.Errorf("line %d: the token is the same as the token of line %d, expected each token only once", i+1, first)
		}
		e.Line, e.Remark, lines[e.Hash] = i+1, strings.TrimSpace(remark), i+1
		entries = append(entries, e)
	}
	return entries, nil
}

var isName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)
})

// CheckName returns nil if the name may be written to a log and to the file of tokens.
func CheckName(name string) error {
	if !isName().MatchString(name) {
		return fmt.Errorf("the name is %.80q, expected 1 to 64 letters, digits or characters of ._@-, beginning with a letter or digit", name)
	}
	return nil
}

func parseEntry(words []string) (e Token, err error) {
	if len(words) < 3 {
		return e, fmt.Errorf("the line has %s, expected at least 3: a name, a role, the SHA-256 of a token, and perhaps limits", wording.Plural(len(words), "word"))
	}
	e.Name = words[0]
	if err := CheckName(e.Name); err != nil {
		return e, err
	}
	if e.Role, err = ParseRole(words[1]); err != nil {
		return e, err
	}
	hash, err := hex.DecodeString(words[2])
	switch {
	case strings.HasPrefix(words[2], tokenPrefix):
		return e, fmt.Errorf("the line has a token, expected the SHA-256 of the token; this token is not secret any more: make a new token")
	case err != nil || len(hash) != sha256.Size:
		return e, fmt.Errorf("the hash is %.80q, expected the 64 hexadecimal digits of a SHA-256", words[2])
	}
	e.Hash = [sha256.Size]byte(hash)
	e.Limits, err = ParseLimits(words[3:])
	return e, err
}

const (
	mostThreads = 1024
	mostTime    = 365 * 24 * time.Hour
)

var errRange = errors.New("out of range")

// ParseLimits reads limits such as rate=60 or memory=2GiB.
func ParseLimits(words []string) (l Limits, err error) {
	var seen []string
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		if slices.Contains(seen, name) {
			return Limits{}, fmt.Errorf("limit %s is given twice, expected each limit only once", name)
		}
		seen = append(seen, name)
		var want string
		switch name {
		case "rate":
			want = "requests a minute, 1 to 1000000"
			l.PerMinute, err = number(value, 1_000_000)
		case "jobs":
			want = "a number of jobs at once, 1 to 1000000"
			l.Jobs, err = number(value, 1_000_000)
		case "memory":
			want = "a size such as 512MiB, 1MiB at least"
			if l.Memory, err = human.ParseBytes(value); l.Memory < 1<<20 {
				err = errRange
			}
		case "threads":
			want = "a whole number, 1 to 1024"
			l.Threads, err = number(value, mostThreads)
		case "time":
			want = "a duration such as 30s or 2h, at most a year"
			if l.Time, err = time.ParseDuration(value); l.Time <= 0 || l.Time > mostTime {
				err = errRange
			}
		default:
			return Limits{}, fmt.Errorf("limit is %.80q, expected rate=, jobs=, memory=, threads= or time= with a value", word)
		}
		if err != nil {
			return Limits{}, fmt.Errorf("limit %s is %.80q, expected %s", name, value, want)
		}
	}
	return l, nil
}

// Words returns the limits in the form that ParseLimits reads.
func (l Limits) Words() string {
	var words []string
	add := func(given bool, name string, value any) {
		if given {
			words = append(words, fmt.Sprintf("%s=%v", name, value))
		}
	}
	add(l.PerMinute > 0, "rate", l.PerMinute)
	add(l.Jobs > 0, "jobs", l.Jobs)
	add(l.Memory > 0, "memory", human.Size(l.Memory))
	add(l.Threads > 0, "threads", l.Threads)
	add(l.Time > 0, "time", l.Time)
	return strings.Join(words, " ")
}

func number(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, errRange
	}
	return n, nil
}
