//go:build unix

package server

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/server/access"
)

// TestReload: a hangup reads the tokens again.
func TestReload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if _, err := access.AddToken(file, access.Caller{Name: "alice"}); err != nil {
		t.Fatal(err)
	}
	s := begin(t, Config{Listen: loopback, Tokens: file})
	said := func(what string) {
		t.Helper()
		testkit.Until(t, what, func() bool {
			if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			return strings.Contains(s.log.String(), what)
		})
	}
	said("tokens read again")
	if err := os.WriteFile(file, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said("line 1: 1 words")
}
