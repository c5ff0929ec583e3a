package limit

import "testing"

func TestLeft(t *testing.T) {
	for _, c := range []struct{ memory, used, want int64 }{
		{1000, 300, 700},
		{1000, 1000, 1},
		{1000, 2000, 1},
		{0, 2000, 0},
	} {
		if got := Left(c.memory, c.used); got != c.want {
			t.Errorf("Left(%d, %d) = %d, expected %d", c.memory, c.used, got, c.want)
		}
	}
}
