package access

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
)

// admit returns the caller, or the problem if the caller is refused. It may set a
// header that belongs to the problem.
func (g *Guard) admit(h http.Header, r *http.Request) (e entry, p *client.Problem) {
	e.Caller = Caller{Name: Local, Role: Admin}
	key := Local
	if g.tokens != nil {
		if g.o.Open != nil && g.o.Open(r.URL.Path) {
			return entry{}, nil
		}
		if e, p = g.identify(h, r); p != nil {
			return entry{}, p
		}
		key = string(e.hash[:])
	}
	if e.PerMinute == 0 {
		e.PerMinute = g.o.PerMinute
	}
	if wait := g.rates.take(key, e.PerMinute, g.now()); wait > 0 {
		return entry{}, tooMany(h, wait, "this caller may send %d requests a minute", e.PerMinute)
	}
	return e, nil
}

// refresh reads the file of tokens again if it has changed.
func (g *Guard) refresh() {
	if err := g.tokens.refresh(g.now()); err != nil {
		g.o.Report("the file of tokens could not be read again, the old tokens stay in use", err)
	}
}

// errWithdrawn is the cause of the end of a request whose token is withdrawn during the request.
var errWithdrawn = errors.New("the token was withdrawn")

// whileInForce calls next. If the token is withdrawn meanwhile, the context of the request
// ends, and the connection accepts no more of the answer.
func (g *Guard) whileInForce(e entry, next http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, end := context.WithCancelCause(r.Context())
	var watch sync.WaitGroup
	watch.Go(func() {
		looks := time.NewTicker(lookEvery)
		defer looks.Stop()
		for g.tokens.has(e) {
			select {
			case <-ctx.Done():
				return
			case <-looks.C:
				g.refresh()
			}
		}
		end(errWithdrawn)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now()) // ends a write that waits for the client
	})
	defer watch.Wait()
	defer end(nil)
	next.ServeHTTP(&revocable{w, ctx}, r.WithContext(ctx))
}

// revocable is the writer of an answer that ends when the token is withdrawn.
type revocable struct {
	http.ResponseWriter
	ctx context.Context
}

func (w *revocable) Write(p []byte) (int, error) {
	if errors.Is(context.Cause(w.ctx), errWithdrawn) {
		return 0, errWithdrawn
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (w *revocable) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// identify finds the token of a request in the file.
func (g *Guard) identify(h http.Header, r *http.Request) (entry, *client.Problem) {
	g.refresh()
	scheme, token, sent := strings.Cut(r.Header.Get("Authorization"), " ")
	if !sent || !strings.EqualFold(scheme, "Bearer") {
		h.Set("WWW-Authenticate", `Bearer realm="pavage"`)
		return entry{}, NewProblem(http.StatusUnauthorized, "there is no token, want the header Authorization: Bearer %s…", tokenPrefix)
	}
	if e, known := g.tokens.find(strings.TrimSpace(token)); known {
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
