package interchange_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/bdd/interchange"
)

func Example() {
	ctx := context.Background()
	dump := "2 4 B T\n4 3 B 2\n6 2 B T\n8 1 4 6\n.\n"
	d, err := interchange.ReadGraphillion(ctx, strings.NewReader(dump), 4, bdd.Limits{})
	if err != nil {
		panic(err)
	}
	for set := range d.AllSets() {
		fmt.Println(set)
	}
	_ = interchange.WriteGraphillion(ctx, os.Stdout, d)
	_ = interchange.WriteSAPPORO(ctx, os.Stdout, d)
	_ = interchange.WriteKnuth(ctx, os.Stdout, d, func(v int) int { return v + 1 })
	// Output:
	// [0 1]
	// [2 3]
	// 2 4 B T
	// 3 3 B 2
	// 4 2 B T
	// 5 1 3 4
	// .
	// _i 4
	// _o 1
	// _n 4
	// 4 1 F T
	// 6 2 F 4
	// 8 3 F T
	// 10 4 6 8
	// 10
	// 2: (~4?0:1)
	// 3: (~3?0:2)
	// 4: (~2?0:1)
	// 5: (~1?3:4)
	// 6: (~0?0:5)
}
