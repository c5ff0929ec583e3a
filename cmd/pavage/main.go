// Pavage counts tilings and other exact covers without listing them, and
// draws uniformly random ones. See package command for the verbs.
package main

import (
	"os"

	"github.com/pavage/pavage/cmd/pavage/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
