//go:build unix

package command

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/server/access"
)

var servesAt = regexp.MustCompile(`(?m)^pavage serves at (http://127\.0\.0\.1:[0-9]+), open it in a browser; help for programs is at http://127\.0\.0\.1:[0-9]+/docs\. Data: (.*)\. (.*)\n`)

// TestServe: a service prints its address, answers, and ends with code 0 after a signal.
func TestServe(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token, err := access.AddToken(tokens, access.Caller{Name: "alice", Role: access.Run})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args          []string
		token, says   string
		code          int
		signal        syscall.Signal
		answer, where string
	}{
		{nil, "", "No tokens, so only this machine can reach the service.", 200, syscall.SIGTERM, `"count":"12988816"`, filepath.Join(home, "pavage")},
		{[]string{"--tokens", tokens}, token, "Callers need tokens.", 200, syscall.SIGINT, `"count":"12988816"`, filepath.Join(home, "pavage")},
		{[]string{"--tokens", tokens, "--data", filepath.Join(home, "other")}, "", "Callers need tokens.", 401, syscall.SIGTERM, "the request has no token", filepath.Join(home, "other")},
	} {
		r := start(t, append([]string{"serve", "--listen", "127.0.0.1:0"}, tc.args...)...)
		r.until("the line that says where it is", func() bool { return servesAt.MatchString(r.errs.String()) })
		said := servesAt.FindStringSubmatch(r.errs.String())
		if said[2] != tc.where || said[3] != tc.says {
			t.Errorf("it says %q", said)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, said[1]+"/v1/count?board=8x8&piece=domino=any", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+tc.token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != tc.code || !strings.Contains(string(body), tc.answer) {
			t.Errorf("%d %s, %v", answer.StatusCode, body, err)
		}
		if log := r.end(tc.signal); r.err != nil || !strings.Contains(log, `"message":"the service has ended"`) || r.out.String() != "" {
			t.Errorf("ended with %v, log\n%s", r.err, log)
		}
		if _, err := os.Stat(filepath.Join(tc.where, "pavage.db")); err != nil {
			t.Error(err)
		}
	}
}
