package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load runs Load as the program does: flags parsed, a file, an environment.
func load(t *testing.T, name, file string, env map[string]string, args ...string) (Config, error) {
	t.Helper()
	c, _, err := read(t, name, file, env, nil, args...)
	return c, err
}

// read runs Read in that way.
func read(t *testing.T, name, file string, env, usual map[string]string, args ...string) (Config, []Value, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if file != "" {
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config", name)
	}
	for k, v := range env {
		t.Setenv(k, v)
	}
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	FileFlag(flags)
	for _, s := range settings {
		Flags(flags, false, s.key)
	}
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return Read(flags, usual)
}

func TestDefaults(t *testing.T) {
	got, err := load(t, "", "", nil)
	want := Config{
		Engine: "auto", Color: "auto", Progress: "auto", Log: Log{Level: "warn", Format: "text"},
		Checkpoint: Checkpoint{Every: 5 * time.Minute},
		Listen:     "127.0.0.1:8080", Quota: 10 << 30, Retention: 168 * time.Hour, Drain: 20 * time.Second,
	}
	if err != nil || got != want {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
}

// TestPrecedence gives one setting in every set of places: the last one wins.
func TestPrecedence(t *testing.T) {
	for _, tc := range []struct {
		file, env, flag string
		want            int
	}{
		{"", "", "", 0},
		{"threads: 1", "", "", 1},
		{"", "2", "", 2},
		{"threads: 1", "2", "", 2},
		{"threads: 1", "", "3", 3},
		{"threads: 1", "2", "3", 3},
		{"threads: 1", "2", "0", 0}, // set to the default is set
	} {
		env, args := map[string]string{"PAVAGE_THREADS": tc.env}, []string(nil)
		if tc.flag != "" {
			args = []string{"--threads", tc.flag}
		}
		got, err := load(t, "c.yaml", tc.file, env, args...)
		if err != nil || got.Threads != tc.want {
			t.Errorf("%+v: got %d, %v", tc, got.Threads, err)
		}
	}
}

func TestEverySetting(t *testing.T) {
	want := Config{
		Engine: "sweep", Threads: 2, Memory: 3 << 29, Timeout: 90 * time.Second,
		Color: "never", Progress: "always", Log: Log{Level: "debug", Format: "json"},
		Checkpoint: Checkpoint{Dir: "here", Every: time.Hour},
		Listen:     ":80", Data: "/d", Database: "postgres://h/n", Tokens: "t", Cors: "https://a.b,https://c.d", Rate: 60,
		Quota: 1 << 30, Retention: time.Hour, Drain: time.Second, Health: ":81", Pprof: "[::1]:82",
	}
	yaml := "engine: sweep\nthreads: 2\nmemory: 1.5GiB\ntimeout: 90s\ncolor: never\nprogress: always\nlog: {level: debug, format: json}\ncheckpoint: {dir: here, every: 60m}\n" +
		"listen: ':80'\ndata: /d\ndatabase: postgres://h/n\ntokens: t\ncors: https://a.b,https://c.d\nrate: 60\nquota: 1GiB\nretention: 60m\ndrain: 1s\nhealth: ':81'\npprof: '[::1]:82'\n"
	json := `{"engine":"sweep","threads":2,"memory":1610612736,"timeout":"1m30s","color":"never","progress":"always","log":{"level":"debug","format":"json"},"checkpoint":{"dir":"here","every":"1h"},` +
		`"listen":":80","data":"/d","database":"postgres://h/n","tokens":"t","cors":"https://a.b,https://c.d","rate":60,"quota":"1GiB","retention":"1h","drain":"1s","health":":81","pprof":"[::1]:82"}`
	toml := "listen=':80'\ndata='/d'\ndatabase='postgres://h/n'\ntokens='t'\ncors='https://a.b,https://c.d'\nrate=60\nquota='1GiB'\nretention='1h'\ndrain='1s'\nhealth=':81'\npprof='[::1]:82'\n" +
		"engine='sweep'\nthreads=2\nmemory='1536MiB'\ntimeout='90s'\ncolor='never'\nprogress='always'\n[log]\nlevel='debug'\nformat='json'\n[checkpoint]\ndir='here'\nevery='1h'\n"
	for name, file := range map[string]string{"c.yaml": yaml, "c.json": json, "c.toml": toml} {
		if got, err := load(t, name, file, nil); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	env := map[string]string{
		"PAVAGE_ENGINE": "sweep", "PAVAGE_THREADS": "2", "PAVAGE_MEMORY": "1536MiB", "PAVAGE_TIMEOUT": "90s",
		"PAVAGE_COLOR": "never", "PAVAGE_PROGRESS": "always", "PAVAGE_LOG_LEVEL": "debug", "PAVAGE_LOG_FORMAT": "json",
		"PAVAGE_CHECKPOINT_DIR": "here", "PAVAGE_CHECKPOINT_EVERY": "3600s",
		"PAVAGE_LISTEN": ":80", "PAVAGE_DATA": "/d", "PAVAGE_DATABASE": "postgres://h/n", "PAVAGE_TOKENS": "t", "PAVAGE_CORS": "https://a.b,https://c.d",
		"PAVAGE_RATE": "60", "PAVAGE_QUOTA": "1GiB", "PAVAGE_RETENTION": "1h", "PAVAGE_DRAIN": "1s", "PAVAGE_HEALTH": ":81", "PAVAGE_PPROF": "[::1]:82",
	}
	if got, err := load(t, "", "", env); err != nil || got != want {
		t.Errorf("environment: got %+v, %v", got, err)
	}
}

// TestFormerWord: a former name of an engine is its current one.
func TestFormerWord(t *testing.T) {
	if got, err := load(t, "", "", map[string]string{"PAVAGE_ENGINE": "levels"}); err != nil || got.Engine != "sweep" {
		t.Errorf("%q, %v", got.Engine, err)
	}
}

// TestTags: each setting has a default that it can have, and words for help and errors.
func TestTags(t *testing.T) {
	for _, s := range settings {
		for _, tag := range []string{"default", "service"} {
			if text, given := s.field.Tag.Lookup(tag); given && s.key != "log.format" {
				if _, ok := s.parse(text); !ok {
					t.Errorf("%s: the %s is %q", s.key, tag, text)
				}
			}
		}
		for _, tag := range []string{"arg", "doc", "expected"} {
			if s.text(tag) == "" {
				t.Errorf("%s has no %s", s.key, tag)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	got := Unknown([]string{
		"HOME=/", "PAVAGE_ENGINE=sweep", "PAVAGE_CONFIG=", "PAVAGE_LOG_LEVEL=info", "PAVAGE=1",
		"PAVAGE_LOGLEVEL=info", "PAVAGE_QQQQQQQQQQQQ=80", "PAVAGE_BOGUS=1", "PAVAGE_PORT=tcp://10.0.0.1:80", "PAVAGE_PORT_80_TCP=tcp://10.0.0.1:80", "PAVAGE_SERVICE_HOST=10.0.0.1",
	})
	want := []string{
		"PAVAGE_LOGLEVEL is not a setting and has no effect, did you mean PAVAGE_LOG_LEVEL?",
		"PAVAGE_QQQQQQQQQQQQ is not a setting and has no effect",
		"PAVAGE_BOGUS is not a setting and has no effect",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestErrors: an error has the place, the value and the expected value in one line.
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		env        map[string]string
		args       []string
		want       string
	}{
		{"c.yaml", "thread: 2", nil, nil, `c.yaml: unknown key "thread", did you mean threads? There are checkpoint.dir, checkpoint.every, color,`},
		{"c.yaml", "log: {levl: info}", nil, nil, `c.yaml: unknown key "log.levl", did you mean log.level?`},
		{"c.yaml", "log: info", nil, nil, `c.yaml: unknown key "log"`},
		{"c.yaml", "threads: 1.5", nil, nil, `c.yaml: threads is "1.5", expected a whole number, 0`},
		{"c.yaml", "threads: true", nil, nil, `c.yaml: threads is "true", expected a whole number`},
		{"c.yaml", "threads: [1, 2]", nil, nil, `c.yaml: threads is "[1 2]", expected a whole number`},
		{"c.yaml", "timeout: 10", nil, nil, `c.yaml: timeout is "10", expected a duration`},
		{"c.yaml", "engine: fast", nil, nil, `c.yaml: engine is "fast", expected auto, sweep, search, diagram, dimer or sat`},
		{"c.yaml", "a: [", nil, nil, `c.yaml: not a YAML or JSON file of settings: line 1: did not find`},
		{"c.yaml", "just words", nil, nil, "c.yaml: not a YAML or JSON file of settings: line 1: cannot unmarshal !!str `just words`, expected KEY: VALUE"},
		{"c.json", "[1]", nil, nil, "c.json: not a YAML or JSON file of settings: line 1: cannot unmarshal !!seq, expected KEY: VALUE"},
		{"c.yaml", "threads: 1\nthreads: 2", nil, nil, `c.yaml: not a YAML or JSON file of settings: line 2: mapping key "threads" already defined at line 1`},
		{"c.json", "{\n\t\"threads\": 1,\n\t\"threads\": 2\n}", nil, nil, `c.json: not a YAML or JSON file of settings: line 3: mapping key "threads" already defined at line 2`},
		{"c.toml", "threads = 1\n= 2", nil, nil, `c.toml:2: not a TOML file of settings: invalid character at start of key: =`},
		{"c.toml", "threads = 1\n:", nil, nil, `c.toml:2: not a TOML file of settings: invalid character at start of key`},
		{"c.toml", "threads = 1\nthreads = 2", nil, nil, `c.toml: not a TOML file of settings: key threads is already defined`},
		{"c.yaml", strings.Repeat("#", maxFileBytes+1), nil, nil, `c.yaml: the file is larger than 1MiB`},
		{"", "", map[string]string{"PAVAGE_THREADS": "many"}, nil, `PAVAGE_THREADS is "many", expected`},
		{"", "", map[string]string{"PAVAGE_LOG_LEVEL": "loud"}, nil, `PAVAGE_LOG_LEVEL is "loud", expected trace,`},
		{"", "", nil, []string{"--threads", "-1"}, `--threads is "-1", expected`},
		{"", "", nil, []string{"--threads", "9999"}, `--threads is "9999", expected`},
		{"", "", nil, []string{"--memory", "12 parsecs"}, `--memory is "12 parsecs", expected a size such as`},
		{"", "", nil, []string{"--timeout", "-1s"}, `--timeout is "-1s", expected a duration`},
		{"", "", nil, []string{"--timeout", strings.Repeat("9", 1000)}, `--timeout is "999`},
		{"", "", nil, []string{"--checkpoint-every", "0"}, `--checkpoint-every is "0", expected a duration such as 30s or 5m, 10ms to a year`},
		{"c.yaml", "listen: 8080", nil, nil, `c.yaml: listen is "8080", expected an address such as 127.0.0.1:8080`},
		{"", "", nil, []string{"--listen", ""}, `--listen is "", expected an address`},
		{"", "", nil, []string{"--listen", "127.0.0.1:http"}, `--listen is "127.0.0.1:http", expected an address`},
		{"", "", nil, []string{"--listen", "127.0.0.1:65536"}, `--listen is "127.0.0.1:65536", expected an address`},
		{"", "", nil, []string{"--health", "nowhere"}, `--health is "nowhere", expected an address`},
		{"", "", nil, []string{"--pprof", "0.0.0.0:6060"}, `--pprof is "0.0.0.0:6060", expected an address of this machine`},
		{"", "", nil, []string{"--pprof", ":6060"}, `--pprof is ":6060", expected an address of this machine`},
		{"", "", nil, []string{"--quota", "1kB"}, `--quota is "1kB", expected a size such as 10GiB`},
		{"", "", nil, []string{"--retention", "1s"}, `--retention is "1s", expected a duration`},
		{"", "", nil, []string{"--drain", "2h"}, `--drain is "2h", expected a duration`},
		{"", "", nil, []string{"--rate", "-1"}, `--rate is "-1", expected a whole number`},
		{"", "", nil, []string{"--database", "mysql://me:secret@host/name"}, `--database is "mysql://me:xxxxx@host/name", expected a URL`},
		{"", "", nil, []string{"--database", "host=h password=secret"}, `--database is "xxxxx", expected a URL`},
		{"", "", map[string]string{"PAVAGE_DATABASE_FILE": "none"}, nil, `PAVAGE_DATABASE_FILE: open none: no such file`},
		{"c.yaml", "checkpoint: {every: 5}", nil, nil, `c.yaml: checkpoint.every is "5", expected a duration`},
		{"c.yaml", "checkpoint: here", nil, nil, `c.yaml: unknown key "checkpoint", did you mean checkpoint.dir?`},
		{"", "", nil, []string{"--config", "none.yaml"}, `configuration file: open none.yaml: no such file`},
		{"", "", map[string]string{"PAVAGE_CONFIG": "none.yaml"}, nil, `configuration file: open none.yaml: no such file`},
	} {
		t.Run("", func(t *testing.T) {
			_, err := load(t, tc.name, tc.file, tc.env, tc.args...)
			switch {
			case err == nil || !strings.HasPrefix(err.Error(), tc.want):
				t.Errorf("%.20q %v %.60v:\n got %v\nwant %s…", tc.file, tc.env, tc.args, err, tc.want)
			case len(err.Error()) > 300:
				t.Errorf("%s: %d characters", tc.want, len(err.Error()))
			}
			t.Log(err)
		})
	}
}

// TestDatabaseFile: the database may stand in a file of its own, which wins over the
// configuration file and not over the other places.
func TestDatabaseFile(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("postgres://me:secret@file/name\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ file, flag, want, from string }{
		{"", "", "postgres://me:secret@file/name", "PAVAGE_DATABASE_FILE"},
		{"database: postgres://config/name", "", "postgres://me:secret@file/name", "PAVAGE_DATABASE_FILE"},
		{"", "postgres://flag/name", "postgres://flag/name", "--database"},
	} {
		env, args := map[string]string{"PAVAGE_DATABASE_FILE": secret}, []string(nil)
		if tc.flag != "" {
			args = []string{"--database", tc.flag}
		}
		got, values, err := read(t, "c.yaml", tc.file, env, nil, args...)
		if err != nil || got.Database != tc.want {
			t.Errorf("%+v: got %s, %v", tc, got.Database, err)
		}
		for _, v := range values {
			if v.Key == "database" && v.From != tc.from || strings.Contains(v.Text, "secret") {
				t.Errorf("%+v: %+v", tc, v)
			}
		}
	}
}

// TestDatabaseTwice: two places of the same precedence are an error; neither is used silently.
func TestDatabaseTwice(t *testing.T) {
	_, err := load(t, "", "", map[string]string{"PAVAGE_DATABASE_FILE": "secret", "PAVAGE_DATABASE": "postgres://a/b"})
	// The file is not there: it is read only where it counts.
	if want := "PAVAGE_DATABASE and PAVAGE_DATABASE_FILE are both set, expected only one of them"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestServiceFlags: the service has some defaults of its own, which other places overrule.
func TestServiceFlags(t *testing.T) {
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	Flags(flags, true, "checkpoint.every", "log.level", "log.format")
	c, _, err := Read(flags, map[string]string{"log.format": "json"})
	if err != nil || c.Checkpoint.Every != 30*time.Second || c.Log != (Log{"info", "json"}) {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("PAVAGE_LOG_LEVEL", "error")
	if c, _, err := Read(flags, map[string]string{"log.format": "json"}); err != nil || c.Log.Level != "error" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestYAML: the written text is a configuration file with the same settings and without a password.
func TestYAML(t *testing.T) {
	got, values, err := read(t, "c.yaml", "threads: 2\nlog: {level: off}\ncors: 'https://a.b,*'\n",
		map[string]string{"PAVAGE_MEMORY": "1.5GiB", "PAVAGE_DATABASE": "postgres://me@h/n?sslmode=require"},
		map[string]string{"log.format": "json"}, "--drain", "90s", "--checkpoint", "a \"b\" # c")
	if err != nil {
		t.Fatal(err)
	}
	text := YAML(values)
	for _, line := range []string{
		`threads: "2" # c.yaml: threads`, "log:\n  format: \"json\" # default\n  level: \"off\" # c.yaml: log.level", `memory: "1536MiB" # PAVAGE_MEMORY`,
		`drain: "1m30s" # --drain`, `quota: "10GiB" # default`, `  dir: "a \"b\" # c" # --checkpoint`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	if back, err := load(t, "d.yaml", text, nil); err != nil || back != got {
		t.Errorf("%+v, %v\nis read back as %+v", got, err, back)
	}
}

func TestPasswords(t *testing.T) {
	s := setting{key: databaseKey}
	for url, want := range map[string]string{
		"": "", "postgres://h/n": "postgres://h/n", "postgres://me:secret@h/n": "postgres://me:xxxxx@h/n",
		"postgres://h/n?password=secret&sslpassword=secret&sslmode=require": "postgres://h/n?password=xxxxx&sslmode=require&sslpassword=xxxxx",
		"password=secret": "xxxxx", "postgres://me:sec%ret@h": "xxxxx",
	} {
		if got := shown(s, url); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
}

func TestFlagsUnknownPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Flags(pflag.NewFlagSet("test", pflag.ContinueOnError), false, filepath.Base("nothing"))
}
