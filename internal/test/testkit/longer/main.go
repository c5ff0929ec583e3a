// Longer lists the tests of the long run: the tests that it gives more cases than `make test` does,
// or that `make test` leaves out. All others are the same in both, and `make test-long` does not
// repeat them:
//
//	TEST_LONG=1 go test $(go run ./internal/test/testkit/longer)
//
// It looks at the module in whose root it is run: the module in beam has a list of its own.
//
//	_test.go files     a test calls ──► a helper calls ──► testkit.Size
//	                   └───────── both are longer ───────┘
//
// # How
//
// In the test files of each folder, a function, a method or a variable is longer if it names Long,
// Size, IsLong or LongVariable of package testkit, or something longer of its own folder. Names are
// compared without types. So a test may be listed that is not longer, which costs time, but none is
// left out: a file that is not a test cannot ask, since internal/test/arch does not let it import
// testkit.
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
