package verify_test

import (
	"context"
	"fmt"
	"os"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/verify"
)

// square is the 2x2 board with dominoes.
func square() *cover.Problem {
	p := &cover.Problem{}
	for _, name := range []string{"a", "b", "c", "d"} {
		p.Items = append(p.Items, cover.Item{Name: name, Min: 1, Max: 1})
	}
	for _, pair := range [][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}} {
		p.Options = append(p.Options, cover.Option{{Item: pair[0], Times: 1}, {Item: pair[1], Times: 1}})
	}
	return p
}

func ExampleEnumerate() {
	result, err := verify.Enumerate(context.Background(), square(), verify.Options{Limit: 10}, func(options []int, _ int) bool {
		fmt.Println(options)
		return true
	})
	fmt.Println(result.Listed, result.Complete, err)
	// Unordered output:
	// [0 1]
	// [2 3]
	// 2 true <nil>
}

func ExampleCNF_WriteDIMACS() {
	formula, err := verify.Encode(context.Background(), square())
	if err != nil {
		fmt.Println(err)
		return
	}
	names := []string{"ab", "cd", "ac", "bd"}
	if err := formula.WriteDIMACS(os.Stdout, func(option int) string { return names[option] }); err != nil {
		fmt.Println(err)
	}
	// Output:
	// c 4 variables for options, 0 helpers that these determine
	// c 1 = ab
	// c 2 = cd
	// c 3 = ac
	// c 4 = bd
	// c t mc
	// p cnf 4 8
	// -1 -3 0
	// 1 3 0
	// -1 -4 0
	// 1 4 0
	// -2 -3 0
	// 2 3 0
	// -2 -4 0
	// 2 4 0
}
