package shuffle

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func user() float64 {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return float64(ru.Utime.Sec) + float64(ru.Utime.Usec)*1e-6
}

func TestSpeed(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("SPEED")) {
		kind, num, _ := strings.Cut(f, ":")
		n, _ := strconv.Atoi(num)
		b := rectangle(2, 2)
		switch kind {
		case "square":
			b = rectangle(n, n)
		case "hex":
			b = hexagon(n, n, n)
		case "aztec":
			b = aztec(n)
		}
		u, w := user(), time.Now()
		lap := func(s string) {
			var ru syscall.Rusage
			syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
			fmt.Printf("  %s %.3f user %.3f wall, %d MB\n", s, user()-u, time.Since(w).Seconds(), ru.Maxrss/1024)
			u, w = user(), time.Now()
		}
		fmt.Println(f)
		_, p, err := b.embed()
		lap(fmt.Sprint("embed ", err, p.n))
		s, err := New(t.Context(), b, Config{})
		lap("new")
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Draw(t.Context(), [][32]byte{key(1)}, nil)
		lap(fmt.Sprint("draw ", err))
		keys := make([][32]byte, 10)
		for i := range keys {
			keys[i] = key(uint64(i))
		}
		_, err = s.Draw(t.Context(), keys, nil)
		lap(fmt.Sprint("ten ", err))
	}
}
