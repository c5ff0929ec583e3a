package access

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
)

// admit returns the caller, or the problem if the caller is refused. It may set a
// header that belongs to the problem.
func (g *Guard) admit(h http.Header, r *http.Request) (Caller, *client.Problem) {
	caller := Caller{Name: Local, Role: Admin}
	key := Local
	if g.tokens != nil {
		if g.o.Open != nil && g.o.Open(r.URL.Path) {
			return Caller{}, nil
		}
		e, p := g.identify(h, r)
		if p != nil {
			return Caller{}, p
		}
		caller, key = e.Caller, string(e.hash[:])
	}
	if caller.PerMinute == 0 {
		caller.PerMinute = g.o.PerMinute
	}
	if wait := g.rates.take(key, caller.PerMinute, g.now()); wait > 0 {
		return Caller{}, tooMany(h, wait, "this caller may send %d requests a minute", caller.PerMinute)
	}
	return caller, nil
}

// identify finds the token of a request in the file.
func (g *Guard) identify(h http.Header, r *http.Request) (entry, *client.Problem) {
	if err := g.tokens.refresh(g.now()); err != nil {
		g.o.Report("the file of tokens could not be read again, the old tokens stay in use", err)
	}
	token, sent := bearer(r.Header)
	if !sent {
		h.Set("WWW-Authenticate", `Bearer realm="pavage"`)
		return entry{}, NewProblem(http.StatusUnauthorized, "there is no token, want the header Authorization: Bearer %s…", tokenPrefix)
	}
	if e, known := g.tokens.find(token); known {
		return e, nil
	}
	if wait := g.rates.take(addressKey(r.RemoteAddr), wrongPerMinute, g.now()); wait > 0 {
		return entry{}, tooMany(h, wait, "there were too many wrong tokens from this address")
	}
	h.Set("WWW-Authenticate", `Bearer realm="pavage", error="invalid_token"`)
	return entry{}, NewProblem(http.StatusUnauthorized, "the token is not known, or not any more")
}

// wrongPerMinute is how many wrong tokens an address may send. Nobody guesses 256 bits;
// the limit stops a program that sends an old token all day long.
const wrongPerMinute = 30

// bearer is the token of a request, and whether there is one.
func bearer(h http.Header) (token string, sent bool) {
	scheme, token, ok := strings.Cut(h.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// addressKey is the key under which wrong tokens are counted: an IPv4 address, or the first
// half of an IPv6 address, which belongs to one customer.
func addressKey(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	ip, err2 := netip.ParseAddr(host)
	if err != nil || err2 != nil {
		return "address"
	}
	ip = ip.Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	prefix, _ := ip.Prefix(bits) // the bits fit
	return prefix.String()
}

// tooMany is the problem for a caller that must wait.
func tooMany(h http.Header, wait time.Duration, format string, args ...any) *client.Problem {
	seconds := int64((wait + time.Second - 1) / time.Second)
	h.Set("Retry-After", strconv.FormatInt(seconds, 10))
	p := NewProblem(http.StatusTooManyRequests, format, args...)
	p.Detail += "; the next one may come in " + strconv.FormatInt(seconds, 10) + " s"
	return p
}
