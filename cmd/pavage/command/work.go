package command

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/server"
)

func newWork(a *app) *cobra.Command {
	v := &serviceVerb{app: a, run: server.Work}
	return v.fill(&cobra.Command{
		Use:   "work",
		Short: "Do the jobs that pavage serve accepts, beside it",
		Long: `Do the jobs that "pavage serve" accepts, beside it or on another machine, until
the process is told to end. It needs the same database and the same data folder
as the service. A folder for several machines is one on the network. SQLite, the
database without --database, is for processes of one machine.

If this process dies, another one goes on with its jobs from their checkpoints.

` + logWords,
		Example: `  pavage work --data /srv/pavage
  pavage work --data /mnt/pavage --database postgres://pavage@db.example.org/pavage
  pavage work --data /mnt/pavage --health :8081 --threads 8`,
	})
}
