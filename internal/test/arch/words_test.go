package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unclear are phrases that a reader has to read twice, with their largest rate in 1,000 words, about three
// times their rate in the comments of Go's standard library, and words to use in their place.
var unclear = []struct {
	phrase  *regexp.Regexp
	most    float64
	instead string
}{
	{regexp.MustCompile(`(?i)\b(?:is|are|was|were) (?:that|those) of\b|\b(?:that|those) of\b`), 0.3, "the noun again"},
	{regexp.MustCompile(`(?i)\bwhat (?:is|was|are|were|it|an?|the|they|each|can|has|does|did)\b`), 0.3, "a noun: the rest, the result"},
	{regexp.MustCompile(`(?i)\b(?:tells?|told|telling)\b`), 0.3, "reports, prints, distinguishes"},
	{regexp.MustCompile(`(?i)\b(?:say|says|said)\b`), 0.5, "a file defines, a flag sets, an error reports"},
	{regexp.MustCompile(`(?i)\b(?:so|as) (?:many|much)\b`), 0.3, "the number, by its name"},
	{regexp.MustCompile(`(?i)\b(?:whoever|somebody|anybody|nobody)\b`), 0.3, "the caller, the worker, users"},
	{regexp.MustCompile(`(?i)\b(?:is|are|has|have) to be\b`), 0.3, "must"},
	{regexp.MustCompile(`(?i)\b(?:foreseen?|anew|alike|seldom|lest|thereby)\b`), 0.3, "expected, again, equal, rarely"},
	{regexp.MustCompile(`(?i)\b(?:takes?|taken|took)\b`), 1.5, "uses, accepts, costs, chooses"},
	{regexp.MustCompile(`(?i)\b(?:a|each|every|one|this) look\b`), 0.3, "check, poll"},
	{regexp.MustCompile(`(?i)\b(?:knows|(?:is|are|be) known)\b`), 0.3, "stores, has, is given"},
}

// TestWords: the comments of the program and the documents have few phrases that are unclear.
func TestWords(t *testing.T) {
	texts := map[string][]string{} // by kind: lines, each behind its place
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "dist", "bin", "site"}, d.Name()):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go") || filepath.Ext(name) != ".go" && filepath.Ext(name) != ".md":
			return nil
		}
		data, err := os.ReadFile(name)
		fenced := false
		for line := range strings.SplitSeq(string(data), "\n") {
			comment, is := strings.CutPrefix(strings.TrimSpace(line), "//")
			switch {
			case filepath.Ext(name) == ".go" && is:
				texts["comments"] = append(texts["comments"], name+": "+comment)
			case filepath.Ext(name) == ".go":
			case strings.HasPrefix(line, "```"):
				fenced = !fenced
			case !fenced:
				texts["documents"] = append(texts["documents"], name+": "+line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, lines := range texts {
		words := 0
		for _, line := range lines {
			words += len(strings.Fields(line)) - 1
		}
		if words < 20_000 {
			t.Errorf("%d words of %s were found", words, kind)
		}
		for _, u := range unclear {
			var places []string
			for _, line := range lines {
				if _, text, _ := strings.Cut(line, ": "); u.phrase.MatchString(text) {
					places = append(places, line)
				}
			}
			if rate := 1000 * float64(len(places)) / float64(words); rate > u.most {
				t.Errorf("%s: %.2f of 1,000 words match %s, want at most %.2f; better: %s\n%s",
					kind, rate, u.phrase, u.most, u.instead, strings.Join(places, "\n"))
			}
		}
	}
}
