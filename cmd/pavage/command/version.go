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

func version(program string) string {
	info, _ := debug.ReadBuildInfo()
	// What the linker stored: the version of the module, the commit when built inside the repository. info is
	// nil in a binary built without modules.
	version, revision, modified := "(unknown)", "", ""
	if info != nil {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = ", revision " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " with changes"
			}
		}
	}
	return fmt.Sprintf("%s %s%s%s, %s, %s/%s", program, version, revision, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
