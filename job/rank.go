package job

import (
	"math/big"
	"strings"
)

// The words for the ends of the ranks.
const (
	firstRank = "first"
	lastRank  = "last"
)

// maxRankDigits limits what is read as a rank: to read digits takes time that grows with
// the square of their number, a tenth of a second for these.
const maxRankDigits = 100_000

// checkRank refuses what in a field of a request cannot be a rank.
func checkRank(field, k string) error {
	switch {
	case k == firstRank, k == lastRank:
	case k == "" || strings.Trim(k, "0123456789") != "":
		return bad("{"+field+"} is %s, want a number from 0, %s or %s", shortened("\""+strings.ToValidUTF8(k, "?")+"\""), firstRank, lastRank)
	case len(k) > maxRankDigits:
		return bad("{"+field+"} is a number of %d digits, want at most %d", len(k), maxRankDigits)
	}
	return nil
}

// rankOf is the rank that a word of a field means where there are so many tilings.
func rankOf(field, word string, count *big.Int) (*big.Int, error) {
	rank := new(big.Int)
	switch digits := count.String(); {
	case count.Sign() == 0:
		return nil, bad("{"+field+"} is %s, and there is no tiling", shortened(word))
	case word == firstRank:
		return rank, nil
	case word == lastRank:
		return rank.Sub(count, big.NewInt(1)), nil
	default:
		word = strings.TrimLeft(word[:len(word)-1], "0") + word[len(word)-1:]
		if len(word) <= len(digits) {
			rank.SetString(word, 10)
		}
		if len(word) > len(digits) || rank.Cmp(count) >= 0 {
			return nil, bad("{"+field+"} is %s, want at least 0 and less than %s, the number of tilings", shortened(word), shortened(digits))
		}
		return rank, nil
	}
}

// shortened is a number; if it is very long, its middle is left out.
func shortened(digits string) string {
	if len(digits) <= 60 {
		return digits
	}
	return digits[:20] + "…" + digits[len(digits)-20:]
}
