package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pavage/pavage/examples"
)

// TestHelpFits: the help of the verbs fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	root := newRoot(&Call{})
	all := append(root.Commands(), root)
	for _, cmd := range root.Commands() {
		all = append(all, cmd.Commands()...)
	}
	for _, cmd := range all {
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: %d columns: %s", cmd.Name(), len(line), line)
			}
		}
	}
}

// TestHelpExamples: the puzzles in the examples of the help are bundled.
func TestHelpExamples(t *testing.T) {
	for _, cmd := range newRoot(&Call{}).Commands() {
		for _, name := range regexp.MustCompile(`name:([a-z0-9-]+)`).FindAllStringSubmatch(cmd.Example, -1) {
			if _, err := examples.Open(name[1]); err != nil {
				t.Errorf("%s: %v", cmd.Name(), err)
			}
		}
	}
}

var (
	makesVerb = regexp.MustCompile(`(?m)^func new(\w+)\(c \*Call\) \*cobra\.Command`)
	runsVerb  = regexp.MustCompile(`(?m)\bpavage (\w+)`)
)

// TestEveryVerb: each function that makes a verb is called in newRoot, and each verb
// is run in a script.
func TestEveryVerb(t *testing.T) {
	verbs := map[string]bool{}
	for _, cmd := range newRoot(&Call{}).Commands() {
		verbs[cmd.Name()] = true
	}
	for name, newVerb := range pavage().Verbs {
		if cmd := newVerb(&Call{}); cmd.Name() != name || len(cmd.Aliases) > 0 {
			t.Errorf("the verb %s has the name %s, and the aliases %q", name, cmd.Name(), cmd.Aliases)
		}
	}
	for _, made := range found(t, makesVerb, "*.go") {
		if name := strings.ToLower(made); name != "root" && !verbs[name] {
			t.Errorf("new%s is there, and pavage has no verb %s", made, name)
		}
	}
	for _, run := range found(t, runsVerb, "testdata/script/*.txtar") {
		delete(verbs, run)
	}
	for verb := range verbs {
		t.Errorf("no script in testdata/script runs pavage %s", verb)
	}
}

// found returns the matches of an expression's group in some files.
func found(t *testing.T, what *regexp.Regexp, files string) (all []string) {
	t.Helper()
	names, err := filepath.Glob(files)
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files are %s, error %v", len(names), files, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range what.FindAllSubmatch(text, -1) {
			all = append(all, string(match[1]))
		}
	}
	return all
}
