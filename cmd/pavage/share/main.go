// Command share writes the files that are installed beside pavage, to the folder that is its
// argument: make share.
//
//	man/man1/pavage-VERB.1                 a manual page for each verb, and pavage.1
//	bash-completion/completions/pavage     completions, where each shell looks for them
//	zsh/site-functions/_pavage
//	fish/vendor_completions.d/pavage.fish
//
// So the folder is the share/ of /usr, of /usr/local and of Homebrew's prefix.
//
// Share is a program of its own: cobra's doc, which reads Markdown, is not a part of pavage and
// costs no time when pavage starts.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra/doc"

	"github.com/pavage/pavage/cmd/pavage/command"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "share:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 1 {
		return errors.New("expected the folder for the files as the one argument")
	}
	root := command.Tree()
	root.DisableAutoGenTag = true
	man := filepath.Join(args[0], "man", "man1")
	bash := filepath.Join(args[0], "bash-completion", "completions")
	zsh := filepath.Join(args[0], "zsh", "site-functions")
	fish := filepath.Join(args[0], "fish", "vendor_completions.d")
	for _, folder := range []string{man, bash, zsh, fish} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	return errors.Join(
		doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Pavage", Manual: "Pavage"}, man),
		root.GenBashCompletionFileV2(filepath.Join(bash, "pavage"), true),
		root.GenZshCompletionFile(filepath.Join(zsh, "_pavage")),
		root.GenFishCompletionFile(filepath.Join(fish, "pavage.fish"), true),
	)
}
