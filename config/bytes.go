package config

import "github.com/pavage/pavage/internal/kit/human"

// Bytes is a size in bytes, written with a unit: 8GiB, 1.5GB, 4096.
type Bytes int64

// ParseBytes reads a size, as human.ParseBytes does. (viper's own parser reads what it
// does not understand as 0, which here would mean all the memory.)
func ParseBytes(text string) (Bytes, error) {
	size, err := human.ParseBytes(text)
	return Bytes(size), err
}

// String writes the size in the largest binary unit that divides it.
func (b Bytes) String() string { return human.Size(int64(b)) }
