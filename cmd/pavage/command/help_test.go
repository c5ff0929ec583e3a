package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/examples"
)

// TestHelpFits: the short help of each command has at most 24 lines, and whole clauses; the long help
// has all flags; and both fit 80 columns but for examples and lists of choices.
func TestHelpFits(t *testing.T) {
	root := newRoot(&Call{})
	all := root.Commands()
	for _, cmd := range root.Commands() {
		all = append(all, cmd.Commands()...)
	}
	for _, cmd := range all {
		if cmd.Name() == "help" {
			continue
		}
		words := strings.Fields(cmd.CommandPath())[1:]
		short, long := succeed(t, append(words, "-h")...), succeed(t, append(words, "--help")...)
		for _, help := range []string{short, long} {
			text, _, _ := strings.Cut(help, "\nExamples:\n")
			_, flags, _ := strings.Cut(help, "\nFlags")
			for line := range strings.SplitSeq(text+flags, "\n") {
				if n := len([]rune(line)); n > 80 && strings.Contains(line[22:], " ") {
					t.Errorf("%s: %d columns: %s", words, n, line)
				}
			}
		}
		if n := strings.Count(short, "\n"); n > 24 {
			t.Errorf("%s -h: %d lines", words, n)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name, help := flagHelp(f)
			if !f.Hidden && f.Name != "help" && !strings.Contains(long, "--"+f.Name) {
				t.Errorf("%s --help without --%s", words, f.Name)
			}
			if _, line, ok := strings.Cut(short, "\n  "+name+" "); ok {
				line, _, _ = strings.Cut(line, "\n")
				if strings.TrimSpace(line) != firstClause(name, help) {
					t.Errorf("%s -h: --%s is cut: %s", words, f.Name, firstClause(name, help))
				}
			}
		})
	}
}

// TestHelpService: the defaults of the log in the help of a service are the defaults of the service.
func TestHelpService(t *testing.T) {
	for _, verb := range []string{"serve", "work"} {
		text := strings.Join(strings.Fields(succeed(t, verb, "--help")), " ")
		for _, want := range []string{"text or json; without it json, or text if", "error or off (default info)"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s --help without %q", verb, want)
			}
		}
	}
}

// TestHelpUsed: the short help has the flags of most examples.
func TestHelpUsed(t *testing.T) {
	for verb, flags := range map[string][]string{
		"sample": {"--number", "--seed", "--json", "--sheet", "--distinct"},
		"query":  {"--unrank", "--rank", "--marginals", "--by-copies", "--entropy", "--json"},
	} {
		_, used, _ := strings.Cut(succeed(t, verb, "-h"), "used most:")
		for _, flag := range flags {
			if !strings.Contains(used, flag) {
				t.Errorf("%s -h without %s", verb, flag)
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

// TestTopics: each topic has a title and 20 to 60 lines of at most 80 columns, and begins with the words
// of the field.
func TestTopics(t *testing.T) {
	for _, topic := range pavage().Topics {
		lines := strings.Split(succeed(t, "help", topic.Name), "\n")
		if n := len(lines) - 1; n < 20 || n > 60 || len(topic.title()) > 58 {
			t.Errorf("%s: %d lines, title %s", topic.Name, n, topic.title())
		}
		for _, line := range lines {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: more than 80 columns: %s", topic.Name, line)
			}
		}
	}
	for _, word := range []string{"frontier-based search", "transfer matrix", "dynamic programming", "dancing links", "Algorithm X", "perfect matchings", "Kasteleyn, FKT", "Burnside's lemma"} {
		if text := strings.Join(strings.Fields(succeed(t, "help", "methods")), " "); !strings.Contains(text, word) {
			t.Errorf("methods has no %s", word)
		}
	}
}

// TestGroups: the short help of pavage has each verb, and leaves a line of 24 for the prompt.
func TestGroups(t *testing.T) {
	text := succeed(t, "help")
	if n := strings.Count(text, "\n"); n > 23 {
		t.Errorf("%d lines", n)
	}
	for _, cmd := range newRoot(&Call{}).Commands() {
		if name := cmd.Name(); pavage().Verbs[name] != nil && !cmd.Hidden && strings.Count(text, " "+name+" ") < 1 {
			t.Errorf("%s is in no group", name)
		}
	}
}

// TestProse: paragraphs and entries are wrapped, and other lines are kept.
func TestProse(t *testing.T) {
	var b strings.Builder
	writeProse(&b, "One two three\nfour:\n  a  five six\n     seven\n  bc  eight\n\n    as   it is\n", 12)
	if want := "One two\nthree four:\n  a   five\n      six\n      seven\n  bc  eight\n\n    as   it is\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
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
