package verify_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/verify"
)

// ExampleCheckCertificate checks the certificate that doc/certificate.md draws.
func ExampleCheckCertificate() {
	p, err := cover.Read("2x3", strings.NewReader(`
item a 1
item b 1
item c 1
item d 1
item e 1
item f 1
item domino 0..
option a b domino
option b c domino
option d e domino
option e f domino
option a d domino
option b e domino
option c f domino
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Open("testdata/dominoes-2x3.certificate")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	c, err := verify.CheckCertificate(context.Background(), p, file, verify.CertificateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Count, "tilings:", c.States, "states on", c.Levels, "levels")
	// Output: 3 tilings: 11 states on 7 levels
}
