//go:build unix

package command

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// root is the top of the source, where the README is.
const root = "../../../"

// pages returns the documents for users. The output of their commands must be the output in the document.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{root + "README.md", root + "ARCHITECTURE.md", root + "CONTRIBUTING.md"}
	err := filepath.WalkDir(root+"doc", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("%d pages, %v", len(found), err)
	}
	return found
}

// block is a fenced block of a page: its language and its text.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```")

func blocks(t *testing.T, page string) (found []block) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		found = append(found, block{m[1], m[2]})
	}
	return found
}

// TestDocs does every step on every page, from top to bottom: it saves the files (blocks "yaml" and
// "sh"; a first line "# NAME.yaml" is the name of the file) and types the commands (blocks
// "console", after the dollar signs). Every block "yaml" must be a puzzle, every block "go" a
// program, and every command must write the output that is shown. For pages that use a service, a
// service runs.
func TestDocs(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(strings.TrimPrefix(page, root), func(t *testing.T) {
			dir := t.TempDir()
			for _, folder := range []string{"examples", "doc"} {
				at, err := filepath.Abs(root + folder)
				if err := errors.Join(err, os.Symlink(at, filepath.Join(dir, folder))); err != nil {
					t.Fatal(err)
				}
			}
			service := ""
			for _, b := range blocks(t, page) {
				switch b.language {
				case "yaml":
					name := save(t, dir, "puzzle.yaml", b.text)
					if out, ok := shell(dir, "pavage show "+name); !ok {
						t.Errorf("%s: %s", name, out)
					}
				case "sh":
					save(t, dir, "unnamed.sh", b.text)
				case "go":
					runProgram(t, dir, b.text)
				case "console":
					typeCommands(t, dir, served(t, &service, b.text))
				case "text":
					if len(commandsOf(b.text)) > 0 {
						t.Errorf("commands in a block text, expected console: %s", b.text)
					}
				}
			}
			comparePictures(t, dir)
		})
	}
}

// comparePictures compares the pictures of numbers that a page's commands have drawn with the
// pictures of the same names that it shows.
func comparePictures(t *testing.T, dir string) {
	heat, err := filepath.Glob(filepath.Join(dir, "heat-*.svg"))
	bars, wrong := filepath.Glob(filepath.Join(dir, "bars-*.svg"))
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	for _, file := range append(heat, bars...) {
		shown := filepath.Join(root, "doc", "pictures", filepath.Base(file))
		got, err := os.ReadFile(file)
		if err == nil && *update {
			err = os.WriteFile(shown, got, 0o644)
		}
		want, missing := os.ReadFile(shown)
		if err = errors.Join(err, missing); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the page's command draws (%v): make pictures", shown, err)
		}
	}
}

// documented is the address of a service on the pages.
const documented = "localhost:8080"

// served is a text of a page that speaks to a service of this test. It starts with the
// first text that speaks to one.
func served(t *testing.T, address *string, text string) string {
	t.Helper()
	if !strings.Contains(text, documented) {
		return text
	}
	if *address == "" {
		*address = serve(t)
	}
	return strings.ReplaceAll(text, documented, *address)
}

var listens = regexp.MustCompile(`pavage serves at http://([^,]+),`)

// serve starts a service in an empty folder, which ends with the test, and returns its
// address.
func serve(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("pavage", "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	said, err := cmd.StderrPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			t.Logf("the service ends: %v", err)
		}
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil {
			go func() { // its log must not fill the pipe
				for lines.Scan() {
				}
			}()
			return m[1]
		}
	}
	t.Fatal("the service ended before it began")
	return ""
}

// TestDocsAreFound: blocks finds the commands of the pages, at least 40.
func TestDocsAreFound(t *testing.T) {
	commands := 0
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language == "console" {
				commands += len(commandsOf(b.text))
			}
		}
	}
	if commands < 40 {
		t.Errorf("only %d commands found", commands)
	}
}

var fileName = regexp.MustCompile(`^# ([\w-]+\.(?:yaml|sh))\n`)

// save writes the file of a block and returns its name.
func save(t *testing.T, dir, name, text string) string {
	t.Helper()
	if m := fileName.FindStringSubmatch(text); m != nil {
		name = m[1]
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// volatile matches the output that differs from run to run: times, memory, and the level of a
// checkpoint.
var volatile = regexp.MustCompile(`"seconds":[^,]*,"peak_memory_bytes":[0-9]*|, [0-9.e+]+ (?:ms|s|minutes|hours|years)\b|from level [0-9]+ of|[0-9,]+ states, saved at [0-9: -]+`)

// forecast matches the numbers in the output of --estimate, which depend on the speed of the machine.
var forecast = regexp.MustCompile(`[0-9][0-9.,e+]*( thousand| million| billion| trillion)?( (B|kB|MB|GB|ms|s|minutes|hours|years)\b)?`)

// commandsOf are the commands of a block, each with its output.
func commandsOf(text string) []string { return strings.Split("\n"+text, "\n$ ")[1:] }

// slow matches commands that run for a second or more.
var slow = regexp.MustCompile(`--each day=1\.\.31,month|16x16 .*monomino=any --seed|diamond:100 |aztec-diamond\.yaml|8x8-square|heat-x|60x60 .*--svg|2\.\.64|^pavage query name:bedlam|--checkpoint tetrominoes-12x12|'minisat `)

// typeCommands runs the commands of a block in a shell. A command that fails must show its error, and
// a command whose output begins with ^C is interrupted. In the short run slow commands are left out,
// commands of pavage-beam always: a test of its module runs them.
func typeCommands(t *testing.T, dir, text string) {
	t.Helper()
	for _, shown := range commandsOf(text) {
		line, want, _ := strings.Cut(shown+"\n", "\n")
		if strings.HasPrefix(line, "pavage-beam ") || slow.MatchString(line) && !testkit.IsLong() {
			continue
		}
		if _, err := exec.LookPath("minisat"); err != nil && strings.Contains(line, "'minisat ") {
			continue
		}
		var got string
		var ok bool
		if interrupted, cut := strings.CutPrefix(want, "^C\n"); cut {
			want = interrupted
			got, ok = interruptCommand(t, dir, line), true
		} else {
			got, ok = shell(dir, line)
		}
		got, want = volatile.ReplaceAllString(got, ""), volatile.ReplaceAllString(want, "")
		if strings.Contains(line, "--estimate") {
			got, want = forecast.ReplaceAllString(got, ""), forecast.ReplaceAllString(want, "")
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) || !ok && !strings.Contains(want, "pavage: ") {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

// interruptCommand runs pavage in a directory, interrupts it once it shows a bar, and returns the text
// that is then visible.
func interruptCommand(t *testing.T, dir, line string) (visible string) {
	t.Helper()
	t.Run("interrupted", func(t *testing.T) {
		t.Chdir(dir)
		r := start(t, append(strings.Fields(line)[1:], "--progress", "always")...)
		r.untilBar()
		visible = r.end(syscall.SIGINT)
		r.wantInterrupted()
	})
	return visible
}

// shell runs a line in a directory and returns the output as a terminal would show it, and whether
// the line succeeded.
func shell(dir, line string) (shown string, ok bool) {
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	err := cmd.Run()
	return out.String(), err == nil
}

// runProgram runs a block "go", which must print the text in its last comment.
func runProgram(t *testing.T, dir, text string) {
	t.Helper()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(text[strings.LastIndex(text, "// "):], " ")
	want, _, _ = strings.Cut(want, "\n")
	if got, ok := shell(root, "go run "+file); !ok || strings.TrimSpace(got) != want {
		t.Errorf("the program prints %s\nwant %s", got, want)
	}
}

var link = regexp.MustCompile(`(?:\]\(|src=")([^)"#]+)`)

// TestLinks: the targets of the links on each page exist.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// TestIndex: doc/README.md has a link to each page of doc.
func TestIndex(t *testing.T) {
	index, err := os.ReadFile(root + "doc/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages(t) {
		if name, ok := strings.CutPrefix(page, root+"doc/"); ok && name != "README.md" && !bytes.Contains(index, []byte("]("+name+")")) {
			t.Errorf("no link to %s", name)
		}
	}
}

// TestReadmeIsOneScreen: the README has at most 110 lines, and the two commands
// that a newcomer, or a machine, looks for.
func TestReadmeIsOneScreen(t *testing.T) {
	text, err := os.ReadFile(root + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 110 {
		t.Errorf("%d lines", n)
	}
	for _, line := range []string{
		"\ngo run ./cmd/pavage count examples/pentominoes-6x10.yaml   # 9356\n",
		"\nmake test ",
	} {
		if !bytes.Contains(text, []byte(line)) {
			t.Errorf("no line %q", line)
		}
	}
}

// TestPictures: the program still draws the pictures of the README (but for the Bedlam cube, which
// is slow: make pictures).
func TestPictures(t *testing.T) {
	for name, args := range map[string]string{
		"aztec-diamond.svg": root + "doc/pictures/aztec-diamond.yaml --method sweep --seed 1",
		"pentominoes.svg":   "name:pentominoes-8x8-hole --method diagram --seed 3",
	} {
		want, err := os.ReadFile(root + "doc/pictures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		succeed(t, append(append([]string{"sample"}, strings.Fields(args)...), "--sheet", file)...)
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another picture now (%v): make pictures", name, err)
		}
	}
}
