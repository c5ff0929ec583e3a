// Command share writes the files that are installed with pavage. Its argument is the folder for
// them. The command make share runs it. The files are:
//
//	man/man1/pavage-VERB.1                 a manual page for each verb, and pavage.1
//	man/man7/pavage-TOPIC.7                a manual page for each topic of pavage help
//	bash-completion/completions/pavage     completions, where each shell finds them
//	zsh/site-functions/_pavage
//	fish/vendor_completions.d/pavage.fish
//
// The folder can be copied to share/ in /usr, /usr/local or Homebrew's prefix.
//
// The environment variable SOURCE_DATE_EPOCH has the date for the pages, in seconds since 1970. If
// it is not set, the pages have no date. The command make share sets it to the time of the commit.
// So the same source gives the same pages.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

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
		return errors.New("expected one argument, the folder for the files")
	}
	var date time.Time
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH is %q, expected the seconds since 1970", epoch)
		}
		date = time.Unix(seconds, 0)
	}
	root := command.Tree()
	man := filepath.Join(args[0], "man", "man1")
	bash := filepath.Join(args[0], "bash-completion", "completions")
	zsh := filepath.Join(args[0], "zsh", "site-functions")
	fish := filepath.Join(args[0], "fish", "vendor_completions.d")
	man7 := filepath.Join(args[0], "man", "man7")
	for _, folder := range []string{man, man7, bash, zsh, fish} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	return errors.Join(
		writePages(root, date, man),
		writeTopics(date, man7),
		root.GenBashCompletionFileV2(filepath.Join(bash, "pavage"), true),
		root.GenZshCompletionFile(filepath.Join(zsh, "_pavage")),
		root.GenFishCompletionFile(filepath.Join(fish, "pavage.fish"), true),
	)
}

func writePages(cmd *cobra.Command, date time.Time, folder string) error {
	err := os.WriteFile(filepath.Join(folder, command.PageName(cmd)+".1"), []byte(command.Manual(cmd, date)), 0o666)
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			err = errors.Join(err, writePages(below, date, folder))
		}
	}
	return err
}

func writeTopics(date time.Time, folder string) (err error) {
	for _, t := range command.Topics() {
		name := filepath.Join(folder, t.PageName()+".7")
		err = errors.Join(err, os.WriteFile(name, []byte(t.Manual(date)), 0o666))
	}
	return err
}
