package command

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/server"
)

func newWork(c *Call) *cobra.Command {
	v := &serviceVerb{Call: c, run: server.Work}
	return v.fill(&cobra.Command{
		Use:   "work",
		Short: "Do jobs of pavage serve, on this or another machine",
		Long: `Do the jobs that "pavage serve" accepts, beside it or on another machine, until
the process gets a signal to end. It needs the database and the data folder of
the service; on several machines, this folder is on a network file system.
Without --database the database is SQLite, which only processes of one machine
can share; then a service must have used the data folder before. If this process
dies, another process does its jobs.

` + logWords,
		Example: `  pavage work --data /srv/pavage
  pavage work --data /mnt/pavage --database postgres://pavage@db.example.org/pavage
  pavage work --data /mnt/pavage --health :8081 --threads 8`,
	})
}
