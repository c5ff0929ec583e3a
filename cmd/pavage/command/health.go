package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

const healthWait = 10 * time.Second // less than the 30 s that Docker waits

// healthVerb is for containers, whose images have no other program that sends requests.
type healthVerb struct{ *Call }

func newHealth(c *Call) *cobra.Command {
	v := &healthVerb{c}
	cmd := c.Verb(&cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a service whether it works",
		Long: `Ask a service whether it works, as the health checks of containers do. The exit
code is 0 if the service answers within 10 seconds that it works, and 1 if not.
Without URL, the command asks the service of this machine that has the same
settings, at the address of --health, or else of --listen. Without a path in the
URL it asks /healthz, which answers "ok" as long as the process runs. /readyz
also reports whether the database and the data folder can be used.`,
		Example: `  pavage health
  pavage health --listen 127.0.0.1:9000
  pavage health http://127.0.0.1:8080/readyz`,
	}, v.run, []string{"health", "listen"})
	cmd.Flags().Lookup("health").Usage = "the address that pavage serve has for --health, if any"
	cmd.Flags().Lookup("listen").Usage = "the address that pavage serve has for --listen"
	return cmd
}

func (v *healthVerb) run(ctx context.Context) error {
	if len(v.Args) > 1 {
		return usage("%d URLs given, expected at most one URL", len(v.Args))
	}
	text := append(v.Args, ownURL(cmp.Or(v.Config.Health, v.Config.Listen)))[0]
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return usage("%.100q is not the address of a service, expected an address such as http://127.0.0.1:8080", text)
	}
	if address.Path == "" || address.Path == "/" {
		address.Path = "/healthz"
	}
	at := address.String()
	ctx, cancel := context.WithTimeoutCause(ctx, healthWait, fmt.Errorf("no answer in %v", healthWait))
	defer cancel()
	words, err := askHealth(ctx, at)
	switch {
	case err == nil:
		_, err = fmt.Fprintf(v.Out, "%s: %s\n", at, words)
		return err
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(codeFailed, fmt.Errorf("no service answers at %s; pavage serve starts one", address.Host))
	}
	return fail(codeFailed, fmt.Errorf("%s: %w", at, err))
}

func ownURL(address string) string {
	host, port, _ := net.SplitHostPort(address) // package config has checked the address
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// askHealth follows no redirections and uses no proxies: the service itself must answer.
func askHealth(ctx context.Context, at string) (words string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", err
	}
	c := http.Client{
		Transport:     &http.Transport{DialContext: new(net.Dialer).DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := c.Do(request)
	if err != nil {
		// The caller adds the address, so remove the outermost error, which also has the address.
		return "", errors.Unwrap(err)
	}
	defer answer.Body.Close()
	line, _, err := bufio.NewReader(io.LimitReader(answer.Body, 200)).ReadLine()
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the answer is %q %s, expected 200 OK", answer.Status, line)
	}
	return string(line), nil
}
