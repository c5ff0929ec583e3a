package command

import (
	"strings"
	"testing"
)

// TestHelpFits: what help says of the verbs fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	root := newRoot(&app{})
	for _, cmd := range append(root.Commands(), root) {
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: %d columns: %s", cmd.Name(), len(line), line)
			}
		}
	}
}
