// Package access decides who may use the service, for what, and how often.
//
// # Purpose
//
// A request passes the guard, or is refused with a problem:
//
//	request ─► whose site? ─► whose token? ─► how often? ─► handler, with the Caller in
//	              │ 403          │ 401           │ 429      the request's context
//	              ▼              ▼               ▼
//	           a web site     no token,       too many requests; Retry-After has the pause
//	           of another     or unknown
//	           owner          token
//
// The handler checks the role of the caller, with [Caller.Need], and the limits of the caller's
// jobs.
//
// # Words
//
//   - A token is a secret of 256 random bits. It is shown once, when it is made. The file of tokens
//     has only its SHA-256, so that a person who reads the file cannot use the token. The hash
//     needs no salt and no repetition, since 256 random bits cannot be guessed.
//   - A caller has a name, a role and limits. Several tokens may have the same name: for
//     example an old token and the new token that replaces it, or a second token with the role
//     read.
//   - A caller with the role read may see examples, check puzzles, and see the jobs
//     and answers of callers with the same name. With the role run, a caller may also start work
//     and cancel jobs of callers with the same name. With the role admin, a caller may also see and
//     cancel the jobs of all callers, and see the metrics.
//
// # Without a file of tokens
//
// Without tokens, everybody who reaches the service is the caller "local" with the role admin. So
// the service must be reachable only from this machine: [Guard.MayListen] refuses every address but
// a loopback address. A web site in a browser on this machine can reach loopback too, in two ways.
// The guard stops both:
//
//   - A page of the site sends requests to http://127.0.0.1:8080. The browser then names the site
//     in the header Origin or Sec-Fetch-Site, and the guard refuses a page of another site.
//   - The name of the site resolves to 127.0.0.1 (DNS rebinding), so that the browser regards the
//     service as a part of the site. The browser then sends the site's name as Host, and
//     any Host that is not localhost or a loopback address is refused.
//
// # Cost
//
// A request with a token costs one SHA-256 and one lookup in a map. The guard checks the file
// at most twice a second, and reads it again if it has changed. During a long request the guard
// checks twice a second that the file still has the token; if not, the request ends. So a withdrawn
// token is in force for a second at most.
//
// # Non-goals
//
// No passwords, no sessions, no cookies, no TLS: use a proxy for these.
//
// # References
//
// RFC 6750 (bearer tokens), RFC 9457 (problems), https://www.w3.org/TR/fetch-metadata/.
package access

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options has the settings of a [Guard].
type Options struct {
	Tokens    string                        // path of the file of tokens; "" means a service without tokens
	Origins   []string                      // sites whose pages may use the service, such as https://example.org; "*" means all
	PerMinute int                           // requests per minute of a caller whose token has no limit; 0 means any number
	Open      func(path string) bool        // reports whether a path needs no token; if nil, every path needs a token
	Report    func(event string, err error) // receives errors that belong to no request; may be nil if Tokens is ""
}

// Guard has the tokens, and counts the requests of each caller.
type Guard struct {
	o     Options
	local Token // the token of every request to a service without tokens
	now   func() time.Time

	mutex  sync.Mutex
	tokens map[[sha256.Size]byte]Token // indexed by the SHA-256 of the token
	seen   string                      // time and size of the file when it was last read, or the error of os.Stat
	looked time.Time                   // time of the last comparison of the field seen with the file
}

// New makes a guard, and reads the file of tokens.
func New(o Options) (*Guard, error) {
	g := &Guard{o: o, now: time.Now}
	g.local.Caller = Caller{Name: Local, Role: Admin}
	g.local.limit(o.PerMinute)
	if err := checkOrigins(o); err != nil || o.Tokens == "" {
		return g, err
	}
	err := g.read()
	if err == nil && len(g.tokens) == 0 {
		err = fmt.Errorf("%s: the file has no tokens, expected at least one token (pavage token new NAME adds a token)", o.Tokens)
	}
	return g, err
}

// MayListen returns an error if the service may not listen at the address. Without tokens, it may
// only listen at loopback addresses.
func (g *Guard) MayListen(address string) error {
	host, _, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		return fmt.Errorf("listen %.80q: %w, expected an address such as 127.0.0.1:8080", address, err)
	case g.o.Tokens != "" || isLoopback(host):
		return nil
	}
	return fmt.Errorf("listen %.80q: without tokens only this machine may reach the service: expected the host 127.0.0.1, [::1] or localhost, or a file of tokens (pavage token new)", address)
}

// isLoopback reports whether host is localhost or a loopback address. It asks no name server.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// checkOrigins accepts origins such as https://example.org, without a path, as browsers send them.
func checkOrigins(o Options) error {
	for _, origin := range o.Origins {
		scheme, host, ok := strings.Cut(origin, "://")
		switch {
		case origin == "*" && o.Tokens != "":
		case origin == "*":
			return fmt.Errorf("the allowed origin is *, but without tokens every web site could use the service: expected origins such as https://example.org, or a file of tokens")
		case !ok || !slices.Contains([]string{"http", "https"}, scheme) || host == "" || strings.ContainsAny(host, "/?#@ *,"):
			return fmt.Errorf("the allowed origin is %.80q, expected a scheme and a host such as https://example.org", origin)
		}
	}
	return nil
}

// Wrap returns a handler that calls the handler next for requests that the guard admits.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if p := g.siteProblem(r); p != nil {
			WriteProblem(w, p)
			return
		}
		if g.share(w, r) {
			return
		}
		e, p := g.admit(h, r)
		if p != nil {
			WriteProblem(w, p)
			return
		}
		r = r.WithContext(With(r.Context(), e.Caller))
		if e.Line == 0 {
			next.ServeHTTP(w, r)
			return
		}
		g.whileInForce(e, next, w, r)
	})
}
