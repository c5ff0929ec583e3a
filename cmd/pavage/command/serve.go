package command

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/server"
)

func newServe(c *Call) *cobra.Command {
	v := &serviceVerb{Call: c, run: server.Run}
	return v.fill(&cobra.Command{
		Use:   "serve",
		Short: "Answer requests over HTTP: count, sample and check",
		Long: `Answer requests over HTTP: count, sample and check, until the process gets a
signal to end (Ctrl-C, or SIGTERM; a second signal ends it at once). A line on
standard error has the address of the service. In a browser, this address is a
page to draw boards, count their tilings and look at them. The page /docs
describes how programs use the service.

Longer work becomes a job, kept in the data folder. A job that was accepted is
not lost, even if the machine stops: it is done after the next start. A long
sweep then goes on from its last checkpoint; all other work begins again. A job
that needs more memory goes on with files on the disk, or is refused.

Without --tokens the service listens on a loopback address only, and web sites
that are open in a browser of this machine cannot use the service. With --tokens
callers send a token that "pavage token new" has made, and the service may
listen anywhere. It has no TLS: put a proxy in front of it. A change of the file
of tokens is in force within a second.

With --database, several processes share the jobs: "pavage serve" and "pavage
work" on this machine, or on others that have the same data folder over the
network.

` + logWords,
		Example: `  pavage serve
  pavage serve --listen 127.0.0.1:9000 --data /srv/pavage --memory 8GiB
  pavage serve --listen :8080 --tokens /etc/pavage/tokens
  pavage serve --print-config`,
	}, "cors", "listen", "rate", "tokens")
}
