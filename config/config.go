// Package config reads the settings of a run of Pavage.
//
// # Purpose
//
// Every setting has one name and four places where it may be given. The later
// place wins:
//
//	built-in default  →  configuration file  →  environment  →  command line
//	     auto             engine: sweep        PAVAGE_ENGINE     --engine
//	     warn             log: {level: info}   PAVAGE_LOG_LEVEL  --log-level
//
// [Load] reads all four places, checks the settings and returns one plain struct,
// [Config]. Nothing else in the program reads the environment or a configuration file. If
// a setting cannot be used, the error names the place that it comes from and what was
// expected there:
//
//	PAVAGE_THREADS is "many", want a whole number, 0 (one for each core) to 1024
//	pavage.yaml: unknown key "thread", the keys are checkpoint.dir, color, …
//
// The setting database may hold a password. It can also be given as a file, which is how
// systems hand out secrets: PAVAGE_DATABASE_FILE names it. No error and no listing of the
// settings ([YAML]) shows a password.
//
// # Non-goals
//
// No puzzles: viper makes keys lower case, which is right for settings and wrong for the
// names of pieces. No watching of files: a run reads its settings once.
//
// # How it is built
//
// The table [settings] is the only list of the settings. The flags are made from it, as
// plain strings. So all four places have the same notation (8GiB, 10m), and one function,
// [fromText], parses them all.
package config

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Config is what a run needs to know besides its puzzle.
type Config struct {
	Engine  string // one of engines
	Threads int    // 0: one for each core
	Memory  Bytes  // 0: what the machine has to spare
	// Directory for what does not fit in Memory; "": the system's for temporary files; none
	Disk       string
	Timeout    time.Duration // 0: no limit
	Checkpoint Checkpoint
	Color      string // auto, always, never
	Progress   string // auto, always, never
	Log        Log

	// Of the service.
	Listen    string        // address of the API
	Data      string        // folder; "": the user's
	Database  string        // a URL; "": SQLite in Data
	Tokens    string        // file; "": none
	Cors      string        // origins with commas between them
	Rate      int           // requests a minute; 0: any number
	Quota     Bytes         // of the store; 0: no limit
	Retention time.Duration // of jobs that have ended
	Drain     time.Duration // how long the end may take
	Health    string        // another address for who watches the service; "": none
	Pprof     string        // address of profiles; "": none
}

// Log says how much is logged on standard error, and in which format.
type Log struct {
	Level  string // trace, debug, info, warn, error, off
	Format string // text, json
}

// Checkpoint says where and how often a sweep saves its level, so that a later run can go
// on from there.
type Checkpoint struct {
	Dir   string        // "": nowhere
	Every time.Duration // of counting, between two of them
}

// The words a setting may be. Package config does not import the engines: TestEngines of package command
// compares engines with job.Engines.
var (
	engines = []string{"auto", "sweep", "search", "diagram", "dimer", "sat"}
	whens   = []string{"auto", "always", "never"}
	levels  = []string{"trace", "debug", "info", "warn", "error", "off"}
	formats = []string{"text", "json"}
)

const (
	// maxThreads is more than any machine has on which this runs. A larger value
	// was meant for another setting.
	maxThreads = 1024
	// maxTimeout is the longest duration of any setting: a year.
	maxTimeout = 365 * 24 * time.Hour
	// minEvery is the least time between two checkpoints.
	minEvery = 10 * time.Millisecond
)

// setting is one row of the table of settings.
type setting struct {
	key      string // as in a configuration file; the dots are nesting
	fallback string // the default, in the notation of the other places
	arg      string // what help calls the value
	usage    string
	want     string              // what was expected, for errors
	check    func(c Config) bool // nil: any value
	words    []string            // the values of a setting that is one of some words; else nil
}

// value returns the field of a Config that the key names.
func (s setting) value(c Config) any {
	v := reflect.ValueOf(c)
	for part := range strings.SplitSeq(s.key, ".") {
		v = v.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, part) })
	}
	return v.Interface()
}

// settings are all settings, sorted by key.
var settings = slices.SortedFunc(slices.Values(slices.Concat(ofWork, ofService)), func(a, b setting) int {
	return strings.Compare(a.key, b.key)
})

// ofWork are the settings of work and of what is shown of it.
var ofWork = []setting{
	{
		"checkpoint.dir", "", "DIR", "save checkpoints in this directory, and go on from the last one in it",
		"a directory", nil, nil,
	},
	{
		"checkpoint.every", "5m", "DURATION", "time between two checkpoints, such as 30s or 1h",
		"a duration such as 30s or 5m, 10ms to a year",
		func(c Config) bool { return c.Checkpoint.Every >= minEvery && c.Checkpoint.Every <= maxTimeout }, nil,
	},
	{
		"color", "auto", "WHEN", "when to use colours in pictures: " + wording.List(whens),
		wording.List(whens), nil, whens,
	},
	{
		"disk", "", "DIR", "directory for the levels of a sweep that do not fit in memory; empty: the system's directory for temporary files, unless that is kept in memory; none: do not use files",
		"a directory, or none", nil, nil,
	},
	{
		"engine", "auto", "ENGINE", "how to count: " + wording.List(engines),
		wording.List(engines), nil, engines,
	},
	{
		"log.format", "text", "FORMAT", "format of the log: " + wording.List(formats),
		wording.List(formats), nil, formats,
	},
	{
		"log.level", "warn", "LEVEL", "log messages of this level and above: " + wording.List(levels),
		wording.List(levels), nil, levels,
	},
	{
		"memory", "0", "SIZE", "most memory that the count may use, such as 512MiB or 8G (8G and 8GiB are 2^33 bytes, 8GB is 8*10^9); the program itself needs about 20MiB more; 0 means three quarters of the memory that is free",
		"a size such as 512MiB or 8GiB, or 0 for three quarters of what is free",
		func(c Config) bool { return c.Memory >= 0 }, nil,
	},
	{
		"progress", "auto", "WHEN", "when to show progress bars: " + wording.List(whens),
		wording.List(whens), nil, whens,
	},
	{
		"threads", "0", "N", "number of threads; 0 means one for each core",
		fmt.Sprintf("a whole number, 0 (one for each core) to %d", maxThreads),
		func(c Config) bool { return c.Threads >= 0 && c.Threads <= maxThreads }, nil,
	},
	{
		"timeout", "0s", "DURATION", "stop after this time, such as 30s or 10m; 0 means no limit",
		"a duration such as 30s, 10m or 1h30m, or 0 for no limit, at most a year",
		func(c Config) bool { return c.Timeout >= 0 && c.Timeout <= maxTimeout }, nil,
	},
}

// flag is the name of the setting on the command line, without the dashes. That of
// checkpoint.dir is checkpoint.
func (s setting) flag() string {
	return strings.ReplaceAll(strings.TrimSuffix(s.key, ".dir"), ".", "-")
}

// env is the setting's name in the environment.
func (s setting) env() string {
	return envPrefix + "_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// FlagWords are the values of the settings that are one of some words, by flag.
func FlagWords() map[string][]string {
	words := map[string][]string{}
	for _, s := range settings {
		if s.words != nil {
			words[s.flag()] = slices.Clone(s.words)
		}
	}
	return words
}

func find(key string) (setting, bool) {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

// invalid is a value that its setting cannot have. Load adds where it is from.
type invalid struct {
	setting setting
	value   any
	place   string // how the setting is called where the value is from
}

func (e *invalid) Error() string {
	name := cmp.Or(e.place, e.setting.key)
	return fmt.Sprintf("%s is %q, want %s", name, clip(shown(e.setting, fmt.Sprint(e.value))), e.setting.want)
}

// clip keeps an error on one line of readable length.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Unknown looks for variables of the environment (name=value, as os.Environ has them)
// that begin like ours but are no settings. It returns a sentence about each: that it has
// no effect, and which setting was perhaps meant. That is no error, because the variable
// may belong to another program. Nothing is said of those that Kubernetes sets for a
// service named pavage.
func Unknown(environ []string) []string {
	known := []string{envPrefix + "_CONFIG", databaseFile}
	for _, s := range settings {
		known = append(known, s.env())
	}
	var said []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, envPrefix+"_") || slices.Contains(known, name) || isKubernetes().MatchString(name) {
			continue
		}
		text := clip(name) + " is not a setting and has no effect"
		if meant := spell.Nearest(name, known); meant != "" {
			text += ", did you mean " + meant + "?"
		}
		said = append(said, text)
	}
	return said
}

var isKubernetes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + envPrefix + `_(SERVICE_.*|PORT|PORT_.*)$`)
})

// lookupEnv does what viper does: an empty variable counts as not set.
func lookupEnv(name string) (string, bool) {
	v := os.Getenv(name)
	return v, v != ""
}
