// Readme measures the commands in the tables of README.md and doc/limits.md, and writes the figures
// into the tables.
//
//	make bench-readme
//	go run ./bench/readme -pavage bin/pavage -commit COMMIT README.md doc/limits.md
//
// A table stands between the lines "<!-- figures -->" and "<!-- end of figures -->". Readme also
// writes the line above the table, which describes the machine. It reads the rows from the
// documents:
//
//	| task | `pavage count …` | answer | seconds | MB |
//
// A command runs three times with one thread, or once if it needs more than ten seconds. The table
// has the processor time and the peak memory of the run with the median time. The command must
// print the answer in its row, unless the row has a question mark there. If an answer differs, no
// document changes.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/bench/report"
	"github.com/pavage/pavage/internal/kit/machine"
)

func main() {
	program := flag.String("pavage", "bin/pavage", "the `PROGRAM` to measure")
	commit := flag.String("commit", "", "the `COMMIT` of the program")
	flag.Parse()
	made := map[string]string{}
	for _, file := range flag.Args() {
		page, err := os.ReadFile(file)
		if err == nil {
			made[file], err = measured(string(page), *commit, func(words []string) (result, error) { return run(*program, words) })
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "readme: %s: %v\n", file, err)
			os.Exit(1)
		}
	}
	for file, page := range made {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "readme:", err)
			os.Exit(1)
		}
	}
}

var (
	section = regexp.MustCompile(`(?s)(<!-- figures -->\n).*?\n(\n.*?<!-- end of figures -->\n)`)
	row     = regexp.MustCompile("(?m)^(\\|(?: .*)? \\| `pavage (.*)` \\| )(.*) \\| .* \\| .* \\|$")
)

// measured returns a page with new figures in its tables.
func measured(page, commit string, run func(words []string) (result, error)) (string, error) {
	var failure error
	page = row.ReplaceAllStringFunc(page, func(line string) string {
		m := row.FindStringSubmatch(line)
		if failure != nil {
			return line
		}
		r, err := run(strings.Fields(strings.ReplaceAll(m[2], `\|`, "|")))
		switch {
		case err != nil:
			failure = fmt.Errorf("pavage %s: %w", m[2], err)
		case m[3] != "?" && r.answer != m[3]:
			failure = fmt.Errorf("pavage %s: the answer is %s, expected %s", m[2], r.answer, m[3])
		}
		fmt.Fprintf(os.Stderr, "%s: %.4f s\n", m[2], r.seconds)
		return fmt.Sprintf("%s%s | %s | %d |", m[1], r.answer, digits(r.seconds), (r.bytes+500_000)/1_000_000)
	})
	gibibytes := (machine.TotalMemory() + 1<<30 - 1) >> 30
	about := fmt.Sprintf("Measured on %s, commit %s; %d cores, %d GiB, %s.", report.Today(), commit, runtime.NumCPU(), gibibytes, runtime.Version())
	return section.ReplaceAllString(page, "${1}"+about+"\n${2}"), failure
}

func digits(seconds float64) string {
	switch {
	case seconds < 0.0995:
		return strconv.FormatFloat(seconds, 'f', 3, 64)
	case seconds < 0.995:
		return strconv.FormatFloat(seconds, 'f', 2, 64)
	case seconds < 9.95:
		return strconv.FormatFloat(seconds, 'f', 1, 64)
	}
	return strconv.FormatFloat(seconds, 'f', 0, 64)
}

type result struct {
	answer  string // as the method brief returns it
	seconds float64
	bytes   int64
}

const (
	times  = 3
	enough = 10 // a command that needs more seconds than this is run only once
)

// output keeps the beginning of an output, and counts its lines. If it kept the whole output, the
// next process would begin with the peak memory of this process.
type output struct {
	head  []byte
	lines int
}

func (o *output) Write(b []byte) (int, error) {
	o.head = append(o.head, b[:min(len(b), 1<<16-len(o.head))]...)
	o.lines += bytes.Count(b, []byte("\n"))
	return len(b), nil
}

func run(program string, words []string) (result, error) {
	var all []result
	for range times {
		var out output
		var messages bytes.Buffer
		c := exec.Command(program, words...)
		c.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "PAVAGE_") })
		c.Env = append(c.Env, "PAVAGE_THREADS=1")
		c.Stdout, c.Stderr = &out, &messages
		if err := c.Run(); err != nil {
			return result{}, fmt.Errorf("%w: %s", err, &messages)
		}
		p := c.ProcessState
		r := result{out.brief(), (p.UserTime() + p.SystemTime()).Round(time.Millisecond).Seconds(), report.Peak(p)}
		if all = append(all, r); r.seconds > enough {
			break
		}
	}
	slices.SortFunc(all, func(a, b result) int { return int(1e3 * (a.seconds - b.seconds)) })
	return all[len(all)/2], nil
}

var long = regexp.MustCompile(`[0-9]{16,}`)

// brief returns the answer of a command for a table. If the output is one line, the answer is this
// line, with numbers of over 15 digits as powers of ten. Otherwise it is the number of lines.
func (o *output) brief() string {
	switch {
	case o.lines > 1:
		return fmt.Sprintf("%d lines", o.lines)
	case bytes.HasPrefix(o.head, []byte("{")):
		return "1 line"
	}
	return long.ReplaceAllStringFunc(strings.TrimSpace(string(o.head)), func(digits string) string {
		n, _, _ := big.ParseFloat(digits, 10, 64, big.ToNearestEven) // a string of digits is valid
		mantissa, exponent, _ := strings.Cut(n.Text('e', 2), "e+")
		return mantissa + "·10^" + exponent
	})
}
