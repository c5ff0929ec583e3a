package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load runs Load as the program does: flags parsed, a file, an environment.
func load(t *testing.T, name, file string, env map[string]string, args ...string) (Config, error) {
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
		Flags(flags, s.key)
	}
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return Load(flags)
}

func TestDefaults(t *testing.T) {
	got, err := load(t, "", "", nil)
	want := Config{
		Engine: "auto", Color: "auto", Progress: "auto", Log: Log{Level: "warn", Format: "text"},
		Checkpoint: Checkpoint{Every: 5 * time.Minute},
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
	}
	yaml := "engine: sweep\nthreads: 2\nmemory: 1.5GiB\ntimeout: 90s\ncolor: never\nprogress: always\nlog: {level: debug, format: json}\ncheckpoint: {dir: here, every: 60m}\n"
	json := `{"engine":"sweep","threads":2,"memory":1610612736,"timeout":"1m30s","color":"never","progress":"always","log":{"level":"debug","format":"json"},"checkpoint":{"dir":"here","every":"1h"}}`
	toml := "engine='sweep'\nthreads=2\nmemory='1536MiB'\ntimeout='90s'\ncolor='never'\nprogress='always'\n[log]\nlevel='debug'\nformat='json'\n[checkpoint]\ndir='here'\nevery='1h'\n"
	for name, file := range map[string]string{"c.yaml": yaml, "c.json": json, "c.toml": toml} {
		if got, err := load(t, name, file, nil); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	env := map[string]string{
		"PAVAGE_ENGINE": "sweep", "PAVAGE_THREADS": "2", "PAVAGE_MEMORY": "1536MiB", "PAVAGE_TIMEOUT": "90s",
		"PAVAGE_COLOR": "never", "PAVAGE_PROGRESS": "always", "PAVAGE_LOG_LEVEL": "debug", "PAVAGE_LOG_FORMAT": "json",
		"PAVAGE_CHECKPOINT_DIR": "here", "PAVAGE_CHECKPOINT_EVERY": "3600s",
	}
	if got, err := load(t, "", "", env); err != nil || got != want {
		t.Errorf("environment: got %+v, %v", got, err)
	}
}

// TestSettingsAndFields: each field of Config has a row of its name in the table of
// settings, each row a field, and the row's value is that of the field.
func TestSettingsAndFields(t *testing.T) {
	var names []string
	eachField(reflect.TypeFor[Config](), "", nil, func(name string, index []int) {
		names = append(names, name)
		var c Config
		switch f := reflect.ValueOf(&c).Elem().FieldByIndex(index); f.Kind() {
		case reflect.String:
			f.SetString("changed")
		default:
			f.SetInt(1)
		}
		for _, s := range settings {
			if changed := s.value(c) != s.value(Config{}); changed != (s.key == name) {
				t.Errorf("field %s changed; value of the setting %s changed: %v", name, s.key, changed)
			}
		}
	})
	for _, s := range settings {
		if !slices.Contains(names, s.key) {
			t.Errorf("setting %s has no field, the fields are %q", s.key, names)
		}
	}
	if len(names) != len(settings) {
		t.Errorf("%d fields, %d settings", len(names), len(settings))
	}
}

// eachField calls do with the fields of a struct and of the structs in it, by the
// names that settings would have.
func eachField(of reflect.Type, within string, index []int, do func(name string, index []int)) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, at := within+strings.ToLower(f.Name), append(slices.Clone(index), i)
		if f.Type.Kind() == reflect.Struct {
			eachField(f.Type, name+".", at, do)
		} else {
			do(name, at)
		}
	}
}

func TestUnknown(t *testing.T) {
	got := Unknown([]string{
		"HOME=/", "PAVAGE_ENGINE=sweep", "PAVAGE_CONFIG=", "PAVAGE_LOG_LEVEL=info", "PAVAGE=1",
		"PAVAGE_LOGLEVEL=info", "PAVAGE_PORT=80",
	})
	want := []string{
		"PAVAGE_LOGLEVEL is not a setting and has no effect, did you mean PAVAGE_LOG_LEVEL?",
		"PAVAGE_PORT is not a setting and has no effect",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestErrors wants the place, the value and what was expected in one line.
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		env        map[string]string
		args       []string
		want       string
	}{
		{"c.yaml", "thread: 2", nil, nil, `c.yaml: unknown key "thread", the keys are checkpoint.dir, checkpoint.every, color,`},
		{"c.yaml", "log: {levl: info}", nil, nil, `c.yaml: unknown key "log.levl"`},
		{"c.yaml", "log: info", nil, nil, `c.yaml: unknown key "log"`},
		{"c.yaml", "threads: 1.5", nil, nil, `c.yaml: threads is "1.5", want a whole number, 0`},
		{"c.yaml", "threads: true", nil, nil, `c.yaml: threads is "true", want a whole number`},
		{"c.yaml", "threads: [1, 2]", nil, nil, `c.yaml: threads is "[1 2]", want a whole number`},
		{"c.yaml", "timeout: 10", nil, nil, `c.yaml: timeout is "10", want a duration`},
		{"c.yaml", "engine: fast", nil, nil, `c.yaml: engine is "fast", want auto, sweep, search, diagram or sat`},
		{"c.yaml", "a: [", nil, nil, `c.yaml: not a yaml file of settings: `},
		{"c.yaml", "just words", nil, nil, `c.yaml: not a yaml file of settings: `},
		{"c.yaml", strings.Repeat("#", maxFileBytes+1), nil, nil, `c.yaml: over 1MiB`},
		{"", "", map[string]string{"PAVAGE_THREADS": "many"}, nil, `PAVAGE_THREADS is "many", want`},
		{"", "", map[string]string{"PAVAGE_LOG_LEVEL": "loud"}, nil, `PAVAGE_LOG_LEVEL is "loud", want trace,`},
		{"", "", nil, []string{"--threads", "-1"}, `--threads is "-1", want`},
		{"", "", nil, []string{"--threads", "9999"}, `--threads is "9999", want`},
		{"", "", nil, []string{"--memory", "12 parsecs"}, `--memory is "12 parsecs", want a size such as`},
		{"", "", nil, []string{"--timeout", "-1s"}, `--timeout is "-1s", want a duration`},
		{"", "", nil, []string{"--timeout", strings.Repeat("9", 1000)}, `--timeout is "999`},
		{"", "", nil, []string{"--checkpoint-every", "0"}, `--checkpoint-every is "0", want a duration such as 30s or 5m, 10ms to a year`},
		{"c.yaml", "checkpoint: {every: 5}", nil, nil, `c.yaml: checkpoint.every is "5", want a duration`},
		{"c.yaml", "checkpoint: here", nil, nil, `c.yaml: unknown key "checkpoint", the keys are`},
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

func TestFlagsUnknownPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Flags(pflag.NewFlagSet("test", pflag.ContinueOnError), filepath.Base("nothing"))
}
