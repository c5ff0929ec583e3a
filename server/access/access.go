// Package access decides who may use the service, for what, and how often.
//
// # Purpose
//
// A request passes the guard, or is refused with a problem that says why:
//
//	request ─► whose site? ─► whose token? ─► how often? ─► handler, with the Caller in
//	              │ 403          │ 401           │ 429      the request's context
//	              ▼              ▼               ▼
//	           a web site     no token,       too many requests; Retry-After says when
//	           of somebody    or none of
//	           else           ours
//
// What the caller's role allows is asked by the handler, which knows what the request is
// about: [Caller.Need]. So are the limits of a caller's jobs.
//
// # Words
//
//   - A token is a secret of 256 random bits. It is shown once, when it is made. The file
//     of tokens has its SHA-256 alone, so that whoever reads the file cannot use it. A hash
//     without salt and without many rounds is right here: nobody can guess 256 bits.
//   - A caller has a name, a role and limits. Several tokens may have the same name: the
//     old one and the new one while a token is changed, or a second one that may only look.
//   - Roles: read may look at what is there or comes at once, such as the jobs of its name
//     and their answers; run may have work done; admin may also see and cancel the jobs of others and
//     see the metrics.
//
// # Without a file of tokens
//
// Then everybody who reaches the service is the caller "local" and may do all. So the
// service must be reached from this machine alone: [Guard.MayListen] refuses every address
// but a loopback one. A web site in a browser on this machine reaches loopback too, in two
// ways, and both are closed:
//
//   - It sends requests to http://127.0.0.1:8080. The browser then says whose page asks, in
//     Origin or Sec-Fetch-Site, and a page of another site is refused.
//   - Its own name resolves to 127.0.0.1 (DNS rebinding), so that the browser takes the
//     service for a part of the site. The browser then sends the site's name as Host, and
//     any Host that is not localhost or a loopback address is refused.
//
// # Cost
//
// A request with a token costs one SHA-256 and a comparison with each token of the file,
// which tells nothing by its time: some microseconds for a hundred tokens. The file is
// looked at once a second at most, and read again if it has changed.
//
// # Non-goals
//
// No passwords, no sessions, no cookies, no TLS: a proxy in front has that.
//
// # References
//
// RFC 6750 (bearer tokens), RFC 9457 (problems), https://www.w3.org/TR/fetch-metadata/.
package access

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Options are the settings of a [Guard].
type Options struct {
	// Tokens is the file of tokens; "" is a service without tokens.
	Tokens string
	// Origins are the web sites whose pages may use the service, such as
	// https://example.org; "*" is all of them, which needs tokens.
	Origins []string
	// PerMinute is how many requests a caller may send whose token does not say; 0: any number.
	PerMinute int
	// Open says which paths need no token, such as the page that tells about tokens; nil: none.
	Open func(path string) bool
	// Report is told what goes wrong between requests, such as a file of tokens that
	// cannot be read any more; nil: nobody.
	Report func(event string, err error)
}

// Guard knows the tokens and how often each caller has called.
type Guard struct {
	o      Options
	tokens *tokens // nil: a service without tokens
	rates  *rates
	now    func() time.Time
}

// New makes a guard, and reads the file of tokens.
func New(o Options) (*Guard, error) {
	g := &Guard{o: o, rates: newRates(), now: time.Now}
	if o.Report == nil {
		g.o.Report = func(string, error) {}
	}
	if err := checkOrigins(o); err != nil || o.Tokens == "" {
		return g, err
	}
	var err error
	g.tokens, err = openTokens(o.Tokens)
	return g, err
}

// Reload reads the file of tokens again. After an error the tokens are those of before.
func (g *Guard) Reload() error {
	if g.tokens == nil {
		return nil
	}
	return g.tokens.read()
}

// MayListen is an error if the service must not listen on that address: without tokens
// only this machine may reach it.
func (g *Guard) MayListen(address string) error {
	host, _, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		return fmt.Errorf("listen %.80q: %w, want an address such as 127.0.0.1:8080", address, err)
	case g.tokens != nil || isLoopback(host):
		return nil
	}
	return fmt.Errorf("listen %.80q: without tokens only this machine may reach the service, want 127.0.0.1, [::1] or localhost, or a file of tokens (pavage token new)", address)
}

// isLoopback reports whether a host, without a port or brackets, is this
// machine whatever a name server says.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// checkOrigins wants what a browser sends as Origin: a scheme, a host, no path.
func checkOrigins(o Options) error {
	for _, origin := range o.Origins {
		scheme, host, ok := strings.Cut(origin, "://")
		switch {
		case origin == "*" && o.Tokens != "":
		case origin == "*":
			return fmt.Errorf("origin * without tokens: then every web site could use the service, want the sites' names")
		case !ok || !slices.Contains([]string{"http", "https"}, scheme) || host == "" || strings.ContainsAny(host, "/?#@ *,"):
			return fmt.Errorf("origin is %.80q, want a scheme and a host such as https://example.org", origin)
		}
	}
	return nil
}

// Wrap is next for those who may use the service.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		if p := g.siteProblem(r); p != nil {
			WriteProblem(w, p)
			return
		}
		if g.share(w, r) {
			return
		}
		caller, p := g.admit(w.Header(), r)
		if p != nil {
			WriteProblem(w, p)
			return
		}
		next.ServeHTTP(w, r.WithContext(With(r.Context(), caller)))
	})
}
