package access

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var aHash = strings.Repeat("0a", 32)

// TestFileMistakes: errors have the line, the word and the expected value.
func TestFileMistakes(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"alice", "line 1: the line has 1 word, expected at least 3: a name, a role, the SHA-256 of a token, and perhaps limits"},
		{"# remark\n\nalice run # " + aHash, "line 3: the line has 2 words, expected"},
		{"alice root " + aHash, `line 1: role is "root", expected read, run or admin`},
		{"alice Run " + aHash, `line 1: role is "Run", expected`},
		{"../alice run " + aHash, `line 1: the name is "../alice", expected 1 to 64 letters`},
		{strings.Repeat("a", 65) + " run " + aHash, `line 1: the name is "aaa`},
		{"\"alice\" run " + aHash, `line 1: the name is "\"alice\"", expected`},
		{"alice run 0a0a", `line 1: the hash is "0a0a", expected the 64 hexadecimal digits`},
		{"alice run " + aHash + "0a", `line 1: the hash is`},
		{"alice run " + aHash[:63] + "g", `line 1: the hash is`},
		{"alice run pavage_abc", `line 1: the line has a token, expected the SHA-256 of the token`},
		{"alice run " + aHash + "\nbob run " + aHash, "line 2: the token is the same as the token of line 1, expected each token only once"},
		{"alice run " + aHash + " size=3", `line 1: limit is "size=3", expected rate=, jobs=, memory=, threads= or time= with a value`},
		{"alice run " + aHash + " rate", `line 1: limit rate is "", expected requests a minute`},
		{"alice run " + aHash + " rate=0", `line 1: limit rate is "0", expected`},
		{"alice run " + aHash + " rate=1000001", `line 1: limit rate is "1000001", expected`},
		{"alice run " + aHash + " jobs=-1", `line 1: limit jobs is "-1", expected`},
		{"alice run " + aHash + " jobs=1 jobs=2", `line 1: limit jobs is given twice`},
		{"alice run " + aHash + " memory=1", `line 1: limit memory is "1", expected a size`},
		{"alice run " + aHash + " memory=lots", `line 1: limit memory is "lots", expected a size`},
		{"alice run " + aHash + " threads=1025", `line 1: limit threads is "1025", expected`},
		{"alice run " + aHash + " time=0s", `line 1: limit time is "0s", expected a duration`},
		{"alice run " + aHash + " time=9000h", `line 1: limit time is "9000h", expected`},
		{"alice run " + aHash + " time=10", `line 1: limit time is "10", expected`},
		{strings.Repeat("#", maxFileBytes+1), "the file has more than 1MiB, expected a file of tokens"},
		{"", "the file has no tokens, expected at least one token (pavage token new NAME adds a token)"},
		{"# nothing\n", "the file has no tokens"},
	} {
		file := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := New(Options{Tokens: file})
		if err == nil || !strings.HasPrefix(err.Error(), file+": "+tc.want) {
			t.Errorf("%.80q:\n got %v\nwant %s", tc.text, err, tc.want)
		}
		if err != nil && len(err.Error()) > 300+len(file) {
			t.Errorf("%.80q: %d characters", tc.text, len(err.Error()))
		}
	}
}

// TestFilePermissions: a file that is missing, is a folder, or that every user may write.
func TestFilePermissions(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	if err := os.WriteFile(open, []byte("alice run "+aHash+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o646); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		open: "every user may change this file", dir: "a folder, expected a file of tokens", filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := New(Options{Tokens: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestLimits: Words and ParseLimits are inverse.
func TestLimits(t *testing.T) {
	all := Limits{PerMinute: 60, Jobs: 4, Memory: 2 << 30, Threads: 2, Time: 90 * time.Minute}
	for words, want := range map[string]Limits{
		"": {}, "rate=60": {PerMinute: 60}, "memory=1.5GiB": {Memory: 3 << 29},
		"rate=60 jobs=4 memory=2GiB threads=2 time=1h30m0s": all,
	} {
		got, err := ParseLimits(strings.Fields(words))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", words, got, err)
		}
		if back, err := ParseLimits(strings.Fields(got.Words())); err != nil || back != got {
			t.Errorf("%s is written %q, which is %+v, %v", words, got.Words(), back, err)
		}
	}
	if got := all.Words(); got != "rate=60 jobs=4 memory=2GiB threads=2 time=1h30m0s" {
		t.Error(got)
	}
}

// TestAddToken: the file has the hash and not the token, keeps its other lines, and only its owner can
// read it.
func TestAddToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	first, err := AddToken(file, Caller{Name: "alice", Role: Run, Limits: Limits{Jobs: 4}})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	byHand := "carol admin " + aHash + " # by hand, without an end of the line"
	if _, err := f.WriteString(byHand); err != nil {
		t.Fatal(err)
	}
	f.Close()
	second, err := AddToken(file, Caller{Name: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(token string) string { h := sha256.Sum256([]byte(token)); return hex.EncodeToString(h[:]) }
	want := heading + "alice run " + hash(first) + " jobs=4 # made DAY\n" + byHand + "\nalice read " + hash(second) + " # made DAY\n"
	if text := regexp.MustCompile(`20\d\d-\d\d-\d\d`).ReplaceAllString(string(text), "DAY"); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	for _, token := range []string{first, second} {
		if len(token) != len(tokenPrefix)+43 || !strings.HasPrefix(token, tokenPrefix) {
			t.Errorf("a token is %q", token)
		}
	}
	list, err := Tokens(file)
	if err != nil || len(list) != 3 || list[0].Name != "alice" || list[1].Role != Admin || list[2].Line != 4 || hex.EncodeToString(list[0].Hash[:]) != hash(first) || list[1].Remark != "by hand, without an end of the line" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestAddTokenRefuses: no line is added after a mistake, or for an invalid name.
func TestAddTokenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if _, err := AddToken(file, Caller{Name: "a b"}); err == nil {
		t.Error("a name of two words")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is there")
	}
	if err := os.WriteFile(file, []byte("alice\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := AddToken(file, Caller{Name: "bob"}); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("behind a mistake: %v", err)
	}
}

// TestAddAtOnce: programs that add tokens at the same time lose none.
func TestAddAtOnce(t *testing.T) {
	_, file := fileOf(t, Caller{Name: "first"})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := AddToken(file, Caller{Name: "alice"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list, err := Tokens(file); err != nil || len(list) != 21 {
		t.Errorf("%d tokens, %v", len(list), err)
	}
}

// TestFind: the guard finds each token of the file, and no other token.
func TestFind(t *testing.T) {
	secrets, file := fileOf(t, Caller{Name: "first"}, Caller{Name: "middle"}, Caller{Name: "last"})
	read, _, _ := guarded(t, Options{Tokens: file})
	for i, token := range secrets {
		if e, known := read.find(sha256.Sum256([]byte(token))); !known || e.Line != i+2 {
			t.Errorf("token %d: %+v, %v", i, e, known)
		}
	}
	if _, known := read.find(sha256.Sum256(nil)); known {
		t.Error("no token is known")
	}
}
