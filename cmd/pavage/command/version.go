package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(c *Call) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Write the version of this program",
		Args:  cobra.NoArgs,
		// Not c.Verb: no wrong setting is to hide which version it is wrong for.
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.Out, version(c.name))
			return c.coded(err)
		},
	}
}

// version is the module's, which has the commit and whether there are changes if the program was
// built inside the repository.
func version(program string) string {
	version := "(unknown)" // of a binary built without modules
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	return fmt.Sprintf("%s %s, %s, %s/%s", program, version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
