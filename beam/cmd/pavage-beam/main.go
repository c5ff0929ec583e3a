// Pavage-beam counts tilings by one sweep on many machines. See package beam.
package main

import (
	"os"

	"github.com/pavage/pavage/cmd/pavage/command"
)

func main() {
	if isWorker(os.Args[1:]) {
		work()
	}
	os.Exit(program().Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
