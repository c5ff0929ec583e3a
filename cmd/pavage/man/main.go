// Command man writes the manual pages of pavage, one for each verb, to the folder
// that it is given: make man.
//
// It is a program of its own, so that what it needs for that (cobra's doc, which
// reads Markdown) is not a part of pavage and takes no time when pavage starts.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"github.com/pavage/pavage/cmd/pavage/command"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return errors.New("want the folder for the pages as the one argument")
	}
	root := command.Tree()
	root.DisableAutoGenTag = true
	if err := os.MkdirAll(args[0], 0o777); err != nil {
		return err
	}
	return doc.GenManTree(root, &doc.GenManHeader{Title: "PAVAGE", Section: "1", Source: "Pavage", Manual: "Pavage"}, args[0])
}
