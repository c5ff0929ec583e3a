package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

const (
	envPrefix = "PAVAGE"
	fileFlag  = "config"
	// maxFileBytes keeps a wrong path from being read into memory.
	maxFileBytes = 1 << 20
)

// FileFlag registers --config.
func FileFlag(flags *pflag.FlagSet) {
	flags.String(fileFlag, "", "read settings from `FILE` (YAML, JSON or TOML); also "+envPrefix+"_CONFIG")
}

// Flags registers the flags of some settings, given by their keys in the table (engine,
// log.level, …). Load reads them. Flags panics if a key is no setting, because that is a
// mistake in the program.
func Flags(flags *pflag.FlagSet, keys ...string) {
	for _, key := range keys {
		s, ok := find(key)
		if !ok {
			panic("config: no setting " + key)
		}
		flags.Var(&text{s.fallback, s.arg}, s.flag(), s.usage)
	}
}

// ServiceFlags registers flags as Flags does, with the defaults and the words that the
// service has for some of them.
func ServiceFlags(flags *pflag.FlagSet, keys ...string) {
	Flags(flags, keys...)
	for _, key := range keys {
		s, _ := find(key)
		other, ok := inService[key]
		if f := flags.Lookup(s.flag()); ok {
			f.Usage, f.DefValue = other.usage, other.fallback
			f.Value = &text{other.fallback, s.arg}
		}
	}
}

// text is the value of a flag, as a text whatever the type of the setting. It is parsed
// later, in the same way as the values from the other places.
type text struct{ value, arg string }

func (t *text) String() string { return t.value }
func (t *text) Type() string   { return t.arg } // what help calls the value

func (t *text) Set(value string) error {
	t.value = value
	return nil
}

// Load puts the settings together: from the defaults, the file that --config or
// PAVAGE_CONFIG names, the environment, and the flags that the user has set. The result is
// valid. An error names the place of the setting and what was expected.
func Load(flags *pflag.FlagSet) (Config, error) {
	c, _, err := Read(flags, nil)
	return c, err
}

// Read does what Load does, with other defaults for some settings, and says where each
// setting is from.
func Read(flags *pflag.FlagSet, usual map[string]string) (Config, []Value, error) {
	s := source{flags: flags}
	s.path, _ = lookupEnv(envPrefix + "_CONFIG")
	if f := flags.Lookup(fileFlag); f != nil && f.Changed {
		s.path = f.Value.String()
	}
	var err error
	if s.v, err = places(flags, usual); err != nil {
		return Config{}, nil, err
	}
	if err := readFile(s.v, s.path); err != nil {
		return Config{}, nil, err
	}
	if err := readDatabase(s.v); err != nil {
		return Config{}, nil, err
	}
	var c Config
	if err := s.v.Unmarshal(&c, viper.DecodeHook(mapstructure.DecodeHookFuncType(fromText))); err != nil {
		return Config{}, nil, s.explain(err)
	}
	for _, of := range settings {
		if of.check != nil && !of.check(c) || of.words != nil && !slices.Contains(of.words, fmt.Sprint(of.value(c))) {
			return Config{}, nil, s.explain(&invalid{setting: of, value: of.value(c)})
		}
	}
	return c, s.values(c), nil
}

// source is where the settings of a run come from.
type source struct {
	v     *viper.Viper
	flags *pflag.FlagSet
	path  string // of the configuration file; "": none
}

// places is a viper that knows the defaults, the environment and the flags.
func places(flags *pflag.FlagSet, usual map[string]string) (*viper.Viper, error) {
	v := viper.NewWithOptions(viper.ExperimentalBindStruct())
	v.SetEnvPrefix(envPrefix)
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	for _, s := range settings {
		f, fallback := flags.Lookup(s.flag()), s.fallback
		if f != nil {
			fallback = f.DefValue
		}
		if other, ok := usual[s.key]; ok {
			fallback = other
		}
		v.SetDefault(s.key, fallback)
		if flag := s.flag(); f != nil {
			if err := v.BindPFlag(s.key, f); err != nil {
				return nil, fmt.Errorf("--%s: %w", flag, err)
			}
		}
	}
	return v, nil
}

// readFile reads the configuration file, if there is one.
func readFile(v *viper.Viper, path string) error {
	if path == "" {
		return nil
	}
	data, err := readLimited("configuration file", path)
	if err != nil {
		return err
	}
	v.SetConfigType(fileType(path))
	if err := v.ReadConfig(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("%s: not a %s file of settings: %w",
			path, fileType(path), errors.Unwrap(err))
	}
	for _, key := range v.AllKeys() {
		if _, ok := find(key); !ok {
			names := make([]string, len(settings))
			for i, s := range settings {
				names[i] = s.key
			}
			return fmt.Errorf("%s: unknown key %q, the keys are %s", path, clip(key), strings.Join(names, ", "))
		}
	}
	return nil
}

// databaseFile is the variable that names a file with the setting database.
var databaseFile = envPrefix + "_" + strings.ToUpper(databaseKey) + "_FILE"

// readDatabase reads the file with the setting database, if there is one. It wins over the
// configuration file, as the environment does.
func readDatabase(v *viper.Viper) error {
	path, ok := lookupEnv(databaseFile)
	if !ok {
		return nil
	}
	if direct := envPrefix + "_" + strings.ToUpper(databaseKey); os.Getenv(direct) != "" {
		return fmt.Errorf("%s and %s are both set, want one of them", direct, databaseFile)
	}
	data, err := readLimited(databaseFile, path)
	if err != nil {
		return err
	}
	return v.MergeConfigMap(map[string]any{databaseKey: strings.TrimSpace(string(data))})
}

func readLimited(what, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s: over %s, want a short file of settings",
			path, Bytes(maxFileBytes))
	}
	return data, nil
}

// fileType is the type that the end of the name says: json, toml, or else yaml.
func fileType(path string) string {
	switch ext := strings.TrimPrefix(filepath.Ext(path), "."); ext {
	case "json", "toml":
		return ext
	}
	return "yaml"
}

// fromText parses a value from any place for a field of Config. YAML, JSON and TOML have
// numbers and booleans; these are made texts first. So 1.5 threads, or a timeout of 10
// (seconds? minutes?), are errors in a file as they are on the command line. viper itself
// would cut the first and guess the second.
func fromText(_, to reflect.Type, data any) (any, error) {
	var value string
	switch x := data.(type) {
	case string:
		value = x
	case float64:
		value = strconv.FormatFloat(x, 'f', -1, 64)
	case int, int64, uint64, bool:
		value = fmt.Sprint(x)
	default:
		return data, nil
	}
	switch to {
	case reflect.TypeFor[Bytes]():
		return ParseBytes(value)
	case reflect.TypeFor[time.Duration]():
		return time.ParseDuration(value)
	case reflect.TypeFor[int]():
		return strconv.Atoi(value)
	case reflect.TypeFor[string]():
		return value, nil
	}
	return data, nil
}

// explain makes an error of decoding or validating say where the value comes from, what it
// is and what was expected.
func (s source) explain(err error) error {
	var bad *invalid
	var decode *mapstructure.DecodeError
	switch {
	case errors.As(err, &bad):
	case errors.As(err, &decode):
		of, ok := find(strings.ToLower(decode.Name()))
		if !ok {
			return err
		}
		bad = &invalid{setting: of}
	default:
		return err
	}
	bad.value, bad.place = s.v.Get(bad.setting.key), s.place(bad.setting)
	return bad
}

// byDefault is the place of a setting that nobody has set.
const byDefault = "default"

// place is the name that the setting has in the place from which viper took its value:
// --engine, PAVAGE_ENGINE, or pavage.yaml: engine. The order is viper's.
func (s source) place(of setting) string {
	if f := s.flags.Lookup(of.flag()); f != nil && f.Changed {
		return "--" + of.flag()
	}
	if _, ok := lookupEnv(of.env()); ok {
		return of.env()
	}
	if _, ok := lookupEnv(databaseFile); ok && of.key == databaseKey {
		return databaseFile
	}
	if s.v.InConfig(of.key) {
		return s.path + ": " + of.key
	}
	return byDefault
}
