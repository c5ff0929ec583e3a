package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion(c *Call) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Write the version of this program",
		Args:  cobra.NoArgs,
		// This verb does not use c.Verb, because it must also work if a setting is wrong.
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.Out, version(c.name))
			return c.coded(err)
		},
	}
}

// version returns the version with its commit, the version of Go and the platform.
func version(program string) string {
	version := "(unknown)" // for a binary that was built without modules
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 && !strings.Contains(version, s.Value[:12]) {
				version += " (commit " + s.Value[:12] + ")"
			}
		}
	}
	return fmt.Sprintf("%s %s, %s, %s/%s", program, version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
