// Package config reads the settings of a run of Pavage.
//
// # Purpose
//
// Every setting has one name, and may be given in four places. A place further to
// the right has precedence:
//
//	built-in default  →  configuration file  →  environment  →  command line
//	     auto             engine: sweep        PAVAGE_ENGINE     --engine
//	     warn             log: {level: info}   PAVAGE_LOG_LEVEL  --log-level
//
// [Load] reads all four places, checks the settings and returns one plain struct,
// [Config]. Nothing else in the program reads the environment or a configuration file. For an
// invalid setting, the error names the place that it comes from and the expected
// value:
//
//	PAVAGE_THREADS is "many", expected a whole number, 0 (one for each core) to 1024
//	pavage.yaml: unknown key "thread", did you mean threads? There are checkpoint.dir, …
//
// The setting database may contain a password. So, as usual for secrets, its value can be in a
// file, which PAVAGE_DATABASE_FILE names. No error and no listing of the settings ([YAML]) shows
// a password.
//
// # Non-goals
//
// A configuration file cannot have a puzzle: viper changes keys to lower case, and this would
// change the names of pieces. A run reads its settings once, and does not watch the file.
//
// # How it is built
//
// The tags of [Config] are the only list of the settings, with their defaults, help and allowed
// values. The flags are made from the tags, and store plain strings. So all four places have the
// same notation (8GiB, 10m), and one function, parse, reads the values. viper reads the file.
package config

import (
	"cmp"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Config has the settings of a run, without the puzzle. The tags of a setting:
//
//	default       the default, in the notation of the flag
//	arg, doc      the help: a name for the value, and a text; {words} stands for the tag words
//	service       the default of the service, if it differs from default
//	servicedoc    the help of the service, if it differs from doc
//	expected      the expected value, for errors
//	words         the allowed values, for a setting that allows only certain words
//	least, most   the bounds of a number; with the tag zero, 0 is allowed too
//	form          a key of the map forms, which has functions that check values
type Config struct {
	Engine     string        `default:"auto" arg:"ENGINE" words:"auto sweep search diagram dimer sat" doc:"how to count: {words}" expected:"{words}"`
	Threads    int           `arg:"N" default:"0" least:"0" most:"1024" doc:"number of threads; 0 means one for each core" servicedoc:"number of threads for all work together; 0 means one for each core" expected:"a whole number, 0 (one for each core) to 1024"`
	Memory     Bytes         `arg:"SIZE" default:"0" least:"0" doc:"memory limit of the count, such as 512MiB or 8G (8G and 8GiB are 2^33 bytes, 8GB is 8*10^9); the program itself needs about 20MiB more; 0 means three quarters of the memory that is free" servicedoc:"memory limit of the service and all its work together, such as 8GiB; at least 256MiB; 0 means three quarters of the memory that is free at the start" expected:"a size such as 512MiB or 8GiB, or 0 for three quarters of the free memory"`
	Disk       string        `arg:"DIR" doc:"directory for the levels of a sweep that do not fit in memory; empty: the system's directory for temporary files, unless that directory is kept in memory; the word none: do not use files" servicedoc:"folder of this machine for temporary files, such as levels of a sweep that do not fit in memory; empty: the folder tmp of the data folder" expected:"a directory, or none"`
	Timeout    time.Duration `arg:"DURATION" default:"0s" least:"0s" most:"8760h" doc:"stop after this time, such as 30s or 10m; 0 means no limit" expected:"a duration such as 30s, 10m or 1h30m, or 0 for no limit, at most a year"`
	Checkpoint Checkpoint
	Color      string `arg:"WHEN" default:"auto" words:"auto always never" doc:"when to use colours in pictures: {words}" expected:"{words}"`
	Progress   string `arg:"WHEN" default:"auto" words:"auto always never" doc:"when to show progress bars: {words}" expected:"{words}"`
	Log        Log

	// Settings of the service. Package access checks Tokens and Cors.
	Listen    string        `arg:"ADDRESS" default:"127.0.0.1:8080" form:"address" doc:"address of the service; without tokens only an address that this machine alone can reach" expected:"an address such as 127.0.0.1:8080 or :8080"`
	Data      string        `arg:"DIR" doc:"folder of the jobs, the answers and the checkpoints; empty: pavage in the user's folder for data, which is $XDG_DATA_HOME or ~/.local/share" expected:"a folder"`
	Database  string        `arg:"URL" form:"database" doc:"database of the jobs, such as postgres://user:password@host/name; empty: SQLite, in a file of the data folder; a file with the URL can be named by PAVAGE_DATABASE_FILE in the environment" expected:"a URL such as postgres://user:password@host/name, or nothing"`
	Tokens    string        `arg:"FILE" doc:"file of the tokens that callers need (pavage token new NAME makes one); empty: callers need no token, and only this machine can reach the service" expected:"a file of tokens, or nothing"`
	Cors      string        `arg:"ORIGINS" doc:"web sites whose pages may use the service, such as https://example.org, with commas between them; * means all web sites, and needs tokens; empty: no web site" expected:"web sites such as https://example.org with commas between them, *, or nothing"`
	Rate      int           `arg:"N" default:"0" least:"0" most:"1000000" doc:"requests that a caller may send in a minute, unless the file of tokens sets another number; 0 means any number" expected:"a whole number, 0 (any number) to 1000000"`
	Quota     Bytes         `arg:"SIZE" default:"10GiB" zero:"true" least:"1MiB" doc:"largest size of the store folder on the disk; files that were not used for the longest time are removed; 0 means no limit" expected:"a size such as 10GiB, 1MiB or more, or 0 for no limit"`
	Retention time.Duration `arg:"DURATION" default:"168h" least:"1m" most:"8760h" doc:"how long jobs are kept after their end; their answers are kept at least as long" expected:"a duration such as 168h, a minute to a year"`
	Drain     time.Duration `arg:"DURATION" default:"20s" least:"0s" most:"1h" doc:"longest time for the service to end: work stops at its checkpoints, answers are sent completely" expected:"a duration such as 20s, at most an hour"`
	Health    string        `arg:"ADDRESS" form:"address" doc:"address for health checks: /healthz, /readyz and /metrics, without a token; empty: none" expected:"an address such as 127.0.0.1:8081, or nothing"`
	Pprof     string        `arg:"ADDRESS" form:"local" doc:"show Go's profiles of the program at this address, which only this machine may reach; empty: do not show profiles" expected:"an address of this machine such as 127.0.0.1:6060, or nothing"`
}

// Log sets the level and the format of the log on standard error.
type Log struct {
	Level  string `arg:"LEVEL" default:"warn" service:"info" words:"trace debug info warn error off" doc:"log messages of this level and above: {words}" expected:"{words}"`
	Format string `arg:"FORMAT" default:"text" service:"" words:"text json" doc:"format of the log: {words}" servicedoc:"format of the log: {words}; without it json, or text if the log goes to a terminal" expected:"{words}"`
}

// Checkpoint sets where and how often a sweep saves a checkpoint. A later run can continue from it.
type Checkpoint struct {
	Dir   string        `arg:"DIR" doc:"save checkpoints in this directory, and go on from the last one in it" expected:"a directory"`
	Every time.Duration `arg:"DURATION" default:"5m" service:"30s" least:"10ms" most:"8760h" doc:"time between two checkpoints, such as 30s or 1h" servicedoc:"time between two checkpoints of a sweep, such as 30s or 1h" expected:"a duration such as 30s or 5m, 10ms to a year"`
}

type setting struct {
	key   string // name in a configuration file; dots separate nested keys
	field reflect.StructField
	index []int
}

var settings = func() (all []setting) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		key := strings.ToLower(f.Name)
		if f.Type.Kind() != reflect.Struct {
			all = append(all, setting{key, f, f.Index})
			continue
		}
		for _, within := range reflect.VisibleFields(f.Type) {
			all = append(all, setting{key + "." + strings.ToLower(within.Name), within, append(f.Index, within.Index...)})
		}
	}
	slices.SortFunc(all, func(a, b setting) int { return strings.Compare(a.key, b.key) })
	return all
}()

func (s setting) words() []string { return strings.Fields(s.field.Tag.Get("words")) }

func (s setting) text(tag string) string {
	return strings.ReplaceAll(s.field.Tag.Get(tag), "{words}", wording.List(s.words()))
}

func (s setting) parse(text string) (value reflect.Value, ok bool) {
	value = reflect.New(s.field.Type).Elem()
	n, err := int64(0), error(nil)
	switch s.field.Type {
	case reflect.TypeFor[string]():
		words := s.words()
		text = spell.Current(text, words)
		value.SetString(text)
		form := forms[s.field.Tag.Get("form")]
		return value, (len(words) == 0 || slices.Contains(words, text)) && (form == nil || form(text) || text == "" && s.fallback() == "")
	case reflect.TypeFor[Bytes]():
		n, err = human.ParseBytes(text)
	case reflect.TypeFor[time.Duration]():
		var d time.Duration
		d, err = time.ParseDuration(text)
		n = int64(d)
	default:
		n, err = strconv.ParseInt(text, 10, strconv.IntSize)
	}
	value.SetInt(n)
	within := func(tag string, wrong int) bool {
		bound, given := s.field.Tag.Lookup(tag)
		if !given {
			return true
		}
		limit, _ := setting{field: reflect.StructField{Type: s.field.Type}}.parse(bound)
		return cmp.Compare(n, limit.Int()) != wrong
	}
	return value, err == nil && (within("least", -1) && within("most", 1) || n == 0 && s.field.Tag.Get("zero") != "")
}

func (s setting) fallback() string { return s.field.Tag.Get("default") }

// Bytes is a size in bytes, written with or without a unit, such as 8GiB, 1.5GB or 4096.
type Bytes int64

// String returns the size in the largest binary unit that divides it.
func (b Bytes) String() string { return human.Size(int64(b)) }

func (s setting) flag() string {
	return strings.ReplaceAll(strings.TrimSuffix(s.key, ".dir"), ".", "-")
}

func (s setting) env() string {
	return envPrefix + "_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Unknown returns a sentence for each variable of environ that begins with PAVAGE_ and is no
// setting. It ignores the variables that Kubernetes sets for a service named pavage.
func Unknown(environ []string) []string {
	// Names are compared without the prefix PAVAGE_, which would make all names similar.
	known := []string{"CONFIG", strings.TrimPrefix(databaseFile, envPrefix+"_")}
	for _, s := range settings {
		known = append(known, strings.TrimPrefix(s.env(), envPrefix+"_"))
	}
	var said []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		rest, ours := strings.CutPrefix(name, envPrefix+"_")
		kubernetes := rest == "PORT" || strings.HasPrefix(rest, "PORT_") || strings.HasPrefix(rest, "SERVICE_")
		if !ours || kubernetes || slices.Contains(known, rest) {
			continue
		}
		text := clip(name) + " is not a setting and has no effect"
		if meant := spell.Nearest(rest, known); meant != "" {
			text += ", did you mean " + envPrefix + "_" + meant + "?"
		}
		said = append(said, text)
	}
	return said
}

// lookupEnv treats an empty variable as missing, as viper does.
func lookupEnv(name string) (string, bool) {
	v := os.Getenv(name)
	return v, v != ""
}
