package verify_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/verify"
)

// dominoes is the 2x3 board with any number of dominoes. Its rows are the cells a b c and d e f.
func dominoes() *cover.Problem {
	p, err := cover.Read("2x3", strings.NewReader(puzzletest.Running))
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Enumerate finds the solutions with a SAT solver, and checks each against the problem.
func ExampleEnumerate() {
	result, err := verify.Enumerate(context.Background(), dominoes(), verify.Options{}, func(options []int, _ int) bool {
		fmt.Println(options)
		return true
	})
	fmt.Println(result.Listed, result.Complete, err)
	// Unordered output:
	// [0 2 6]
	// [1 3 4]
	// [4 5 6]
	// 3 true <nil>
}

// Counts the solutions that have an option: here the domino on c and f.
func ExampleCount() {
	result, err := verify.Count(context.Background(), dominoes(), verify.Options{With: []int{6}})
	fmt.Println(result.Solutions, err)
	// Output: 2 <nil>
}

// Encode writes a problem as a formula for other SAT solvers and model counters. The formula has as
// many models as the problem has solutions.
func ExampleEncode() {
	formula, err := verify.Encode(context.Background(), dominoes(), 0)
	if err != nil {
		log.Fatal(err)
	}
	names := []string{"ab", "bc", "de", "ef", "ad", "be", "cf"}
	if err := formula.WriteDIMACS(os.Stdout, func(option int) string { return names[option] }); err != nil {
		log.Fatal(err)
	}
	// Output:
	// c 7 variables for options, 0 helpers that these determine
	// c 1 = ab
	// c 2 = bc
	// c 3 = de
	// c 4 = ef
	// c 5 = ad
	// c 6 = be
	// c 7 = cf
	// c t mc
	// p cnf 7 16
	// -1 -5 0
	// 1 5 0
	// -1 -2 0
	// -1 -6 0
	// -2 -6 0
	// 1 2 6 0
	// -2 -7 0
	// 2 7 0
	// -3 -5 0
	// 3 5 0
	// -3 -4 0
	// -3 -6 0
	// -4 -6 0
	// 3 4 6 0
	// -4 -7 0
	// 4 7 0
}

// Exclude adds clauses that exclude solutions, here two of three: the formula has one model left.
func ExampleCNF_Exclude() {
	ctx, p := context.Background(), dominoes()
	formula, err := verify.Encode(ctx, p, 0)
	if err != nil {
		log.Fatal(err)
	}
	before := formula.Clauses
	if err := formula.Exclude(ctx, p, slices.Values([][]int{{0, 2, 6}, {1, 3, 4}})); err != nil {
		log.Fatal(err)
	}
	fmt.Println(formula.Clauses-before, "clauses more")
	// Output: 2 clauses more
}

// Checks the certificate that doc/certificate.md explains.
func ExampleCheckCertificate() {
	file, err := os.Open("testdata/dominoes-2x3.certificate")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	c, err := verify.CheckCertificate(context.Background(), dominoes(), file, verify.CertificateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Count, "tilings:", c.States, "states on", c.Levels, "levels")
	// Output: 3 tilings: 11 states on 7 levels
}
