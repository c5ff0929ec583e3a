package exchange

import (
	"encoding/binary"

	"github.com/pavage/pavage/cover"
)

// twins finds options that equal earlier ones. Other programs take such options for different
// choices; our covers have none, so a reader gives all but the first an item of their own.
type twins struct {
	seen map[string]bool // by the uses of an option
	key  []byte          // scratch
}

func newTwins() *twins { return &twins{seen: map[string]bool{}} }

// has reports whether an option, with its uses sorted, came before, and keeps it.
func (t *twins) has(option cover.Option) bool {
	t.key = t.key[:0]
	for _, u := range option {
		t.key = binary.AppendUvarint(binary.AppendUvarint(t.key, uint64(u.Item)), uint64(u.Colour))
	}
	if t.seen[string(t.key)] {
		return true
	}
	t.seen[string(t.key)] = true
	return false
}
