package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/server/child"
)

// newChild returns a verb without settings, because the service sends limits with each task.
func newChild(c *Call) *cobra.Command {
	return &cobra.Command{
		Use:    child.Verb,
		Short:  "Do the work that a service sends to standard input",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			if child.Main(c.In, c.Out) == codeDone {
				return nil
			}
			return fail(codeFailed, errors.New("standard input is not a task of the service: only the service starts this command"))
		},
	}
}
