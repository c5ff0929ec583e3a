package access

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pavage/pavage/client"
)

// contentPolicy forbids a browser to load or run anything. A handler of pages sets another policy.
const contentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// siteProblem refuses requests from pages of other sites. If there are tokens, it refuses no
// request, since no browser sends a token by itself.
func (g *Guard) siteProblem(r *http.Request) *client.Problem {
	if g.o.Tokens != "" {
		return nil
	}
	u, err := url.Parse("http://" + r.Host)
	if err != nil || u.Host != r.Host || strings.HasSuffix(r.Host, ":") || !isLoopback(u.Hostname()) {
		return NewProblem(http.StatusForbidden, "the host is %.80q, expected localhost, 127.0.0.1 or [::1]: the service has no tokens and serves only this machine", r.Host)
	}
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host && !slices.Contains(g.o.Origins, origin) {
			return NewProblem(http.StatusForbidden, "the request comes from a page of %.80q, expected the page of the service or of a site that the setting \"cors\" allows", origin)
		}
	}
	// Another site may link to a page that needs no token, since it cannot read or frame the page.
	isLink := r.Method == http.MethodGet && g.o.Open != nil && g.o.Open(r.URL.Path) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" && r.Header.Get("Origin") == "" && !isLink {
			return NewProblem(http.StatusForbidden, "the request comes from a page of another site, expected a page of the service")
		}
	}
	return nil
}

func (g *Guard) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(g.o.Origins) == 0 {
		return false
	}
	h, origin := w.Header(), r.Header.Get("Origin")
	h.Add("Vary", "Origin")
	if origin == "" || !slices.Contains(g.o.Origins, origin) && !slices.Contains(g.o.Origins, "*") {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Location, Pavage-Classes, Pavage-Count, Pavage-Method, Preference-Applied, Retry-After, X-Request-Id")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
