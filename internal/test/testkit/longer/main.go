// Longer lists the tests of the long run: those that `make test` leaves out or runs with fewer
// cases. `make test-long` runs only these tests, since all others are the same in both runs:
//
//	TEST_LONG=1 go test $(go run ./internal/test/testkit/longer)
//
// It lists the tests of the module in whose root it runs. The module in beam is listed separately.
//
//	_test.go files     a test calls ──► a helper calls ──► testkit.Size
//	                   └───────── both are longer ───────┘
//
// # How
//
// In the test files of each folder, a function, a method or a variable is longer if it names Long,
// Size, IsLong or LongVariable of package testkit, or something longer of its own folder. Names are
// compared without types. So the list may have a test that is not longer, which costs only time. It
// lacks none, since only test files may import testkit (internal/test/arch).
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	tests, folders, err := find(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "longer:", err)
		os.Exit(1)
	}
	fmt.Printf("-run ^(%s)$ ./%s\n", strings.Join(tests, "|"), strings.Join(folders, " ./"))
}
