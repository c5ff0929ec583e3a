package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
)

// admit returns the caller, or the problem if the caller is refused. It may set a
// header that belongs to the problem.
func (g *Guard) admit(h http.Header, r *http.Request) (e Token, p *client.Problem) {
	e = g.local
	if g.tokens != nil {
		if g.o.Open != nil && g.o.Open(r.URL.Path) {
			return Token{}, nil
		}
		if e, p = g.identify(h, r); p != nil {
			return Token{}, p
		}
	}
	if now := g.now(); !e.limiter.AllowN(now, 1) {
		wait := (1 - e.limiter.TokensAt(now)) / float64(e.limiter.Limit())
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait))))
		return Token{}, NewProblem(http.StatusTooManyRequests, "this caller may send %d requests a minute; the next one may come in %s s",
			e.PerMinute, h.Get("Retry-After"))
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
func (g *Guard) whileInForce(e Token, next http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, end := context.WithCancelCause(r.Context())
	var watch sync.WaitGroup
	watch.Go(func() {
		looks := time.NewTicker(lookEvery)
		defer looks.Stop()
		// The same name still has the token, with this role or a higher one.
		for now, known := e, true; known && now.Name == e.Name && now.Role >= e.Role; now, known = g.tokens.find(e.Hash) {
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
func (g *Guard) identify(h http.Header, r *http.Request) (Token, *client.Problem) {
	g.refresh()
	scheme, token, sent := strings.Cut(r.Header.Get("Authorization"), " ")
	if !sent || !strings.EqualFold(scheme, "Bearer") {
		h.Set("WWW-Authenticate", `Bearer realm="pavage"`)
		return Token{}, NewProblem(http.StatusUnauthorized, "there is no token, want the header Authorization: Bearer %s…", tokenPrefix)
	}
	if e, known := g.tokens.find(sha256.Sum256([]byte(strings.TrimSpace(token)))); known {
		return e, nil
	}
	h.Set("WWW-Authenticate", `Bearer realm="pavage", error="invalid_token"`)
	return Token{}, NewProblem(http.StatusUnauthorized, "the token is not known, or not any more")
}
