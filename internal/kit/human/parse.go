package human

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// ParseBytes uses the first unit that is a suffix of the text, so "b" must come after "mib".
var units = []struct {
	name string
	size float64
}{
	{"kib", 1 << 10},
	{"mib", 1 << 20},
	{"gib", 1 << 30},
	{"tib", 1 << 40},
	{"kb", 1e3},
	{"mb", 1e6},
	{"gb", 1e9},
	{"tb", 1e12},
	{"b", 1},
	{"k", 1 << 10},
	{"m", 1 << 20},
	{"g", 1 << 30},
	{"t", 1 << 40},
}

var errBytes = errors.New("not a size")

// ParseBytes parses a size: a decimal number and a unit, B, kB, MB, GB, TB, KiB, MiB, GiB or TiB in
// upper or lower case. K, M, G and T mean KiB, MiB, GiB and TiB. Without a unit the size is in
// bytes. Sizes below 0, or of 2^63 bytes or more, are errors.
func ParseBytes(text string) (int64, error) {
	number, unit := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = strings.TrimRight(rest, " "), u.size
			break
		}
	}
	if strings.Trim(number, "0123456789.") != "" {
		return 0, errBytes // text such as -1, 1e6 or inf
	}
	size, err := strconv.ParseFloat(number, 64)
	if err != nil || size*unit >= math.MaxInt64 {
		return 0, errBytes
	}
	return int64(size * unit), nil
}

// Size returns a size in a form that ParseBytes reads, in the largest binary unit that divides it.
func Size(size int64) string {
	unit := "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size == 0 || size%1024 != 0 {
			break
		}
		size, unit = size/1024, u
	}
	return strconv.FormatInt(size, 10) + unit
}
