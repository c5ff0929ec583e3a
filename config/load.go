package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/pavage/pavage/internal/kit/strict"
)

const (
	envPrefix    = "PAVAGE"
	fileFlag     = "config"
	maxFileBytes = 1 << 20 // limits the memory, in case the path names a large file of another kind
)

// FileFlag adds the flag --config.
func FileFlag(flags *pflag.FlagSet) {
	flags.String(fileFlag, "", "read settings from `FILE` (YAML, JSON or TOML); also "+envPrefix+"_CONFIG")
}

// Flags adds the flags of the settings with these keys (engine, log.level, …). If service is true,
// the flags have the defaults and the help of the service. It panics if a key is no setting.
func Flags(flags *pflag.FlagSet, service bool, keys ...string) {
	for _, key := range keys {
		i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
		if i < 0 {
			panic("config: no setting " + key)
		}
		s := settings[i]
		value, help := s.fallback(), s.text("doc")
		if service {
			help = cmp.Or(s.text("servicedoc"), help)
			if other, ok := s.field.Tag.Lookup("service"); ok {
				value = other
			}
		}
		flags.Var(&text{s, value}, s.flag(), help)
	}
}

// text is the unparsed value of a flag. [Read] parses the values of all places alike.
type text struct {
	setting
	value string
}

func (t *text) String() string    { return t.value }
func (t *text) Type() string      { return t.text("arg") }
func (t *text) Choices() []string { return t.words() }

func (t *text) Set(value string) error {
	t.value = value
	return nil
}

// Load reads the settings from the defaults, the file that --config or PAVAGE_CONFIG names, the
// environment, and the flags. An error names the place of the setting and the expected value.
func Load(flags *pflag.FlagSet) (Config, error) {
	c, _, err := Read(flags, nil)
	return c, err
}

// Read is like Load, but defaults in the map usual, indexed by key, replace the built-in ones. It
// also returns each setting with its place.
func Read(flags *pflag.FlagSet, usual map[string]string) (Config, []Value, error) {
	path, _ := lookupEnv(envPrefix + "_CONFIG")
	if f := flags.Lookup(fileFlag); f != nil && f.Changed {
		path = f.Value.String()
	}
	file, err := readFile(path)
	if err != nil {
		return Config{}, nil, err
	}
	database, secret, err := readDatabase()
	if err != nil {
		return Config{}, nil, err
	}
	var c Config
	values := make([]Value, len(settings))
	for i, s := range settings {
		f := flags.Lookup(s.flag())
		if f != nil && f.Name != s.flag() { // Lookup has found a flag that had this name in the past
			f = nil
		}
		given, from := s.fallback(), byDefault
		if f != nil {
			given = f.DefValue
		}
		if other, ok := usual[s.key]; ok {
			given = other
		}
		if file.IsSet(s.key) {
			given, from = written(file.Get(s.key)), path+": "+s.key
		}
		if secret && s.key == databaseKey {
			given, from = database, databaseFile
		}
		if env, ok := lookupEnv(s.env()); ok {
			given, from = env, s.env()
		}
		if f != nil && f.Changed {
			given, from = f.Value.String(), "--"+s.flag()
		}
		value, ok := s.parse(given)
		if !ok {
			return Config{}, nil, fmt.Errorf("%s is %q, expected %s", from, clip(shown(s, given)), s.text("expected"))
		}
		reflect.ValueOf(&c).Elem().FieldByIndex(s.index).Set(value)
		values[i] = Value{s.key, shown(s, fmt.Sprint(value)), from}
	}
	return c, values, nil
}

const byDefault = "default"

// written returns a value of the file in the notation of the flags, so that parse can read it.
func written(value any) string {
	if f, ok := value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func readFile(path string) (*viper.Viper, error) {
	v := viper.New()
	if path == "" {
		return v, nil
	}
	data, err := readLimited("configuration file", path)
	if err != nil {
		return nil, err
	}
	kind, language := "yaml", "YAML or JSON" // the parser for YAML reads JSON, too
	if filepath.Ext(path) == ".toml" {
		kind, language = "toml", "TOML"
	}
	v.SetConfigType(kind)
	if err := v.ReadConfig(bytes.NewReader(data)); err != nil {
		var toml interface{ Position() (line, column int) }
		if errors.As(err, &toml) {
			line, _ := toml.Position()
			path += ":" + strconv.Itoa(line)
		}
		words := strings.NewReplacer(kind+": ", "", "unmarshal errors:\n  ", "", " into map[string]interface {}", ", expected KEY: VALUE")
		return nil, fmt.Errorf("%s: not a %s file of settings: %s", path, language, strings.TrimRight(words.Replace(errors.Unwrap(err).Error()), ": \n"))
	}
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.key
	}
	for _, key := range v.AllKeys() {
		if !slices.Contains(names, key) {
			return nil, fmt.Errorf("%s: %s", path, strict.Unknown("key", key, names, nil))
		}
	}
	return v, nil
}

var databaseFile = envPrefix + "_" + strings.ToUpper(databaseKey) + "_FILE"

// readDatabase reads the file of PAVAGE_DATABASE_FILE, which overrides the configuration file.
func readDatabase() (text string, given bool, err error) {
	path, ok := lookupEnv(databaseFile)
	if !ok {
		return "", false, nil
	}
	if direct := envPrefix + "_" + strings.ToUpper(databaseKey); os.Getenv(direct) != "" {
		return "", false, fmt.Errorf("%s and %s are both set, expected only one of them", direct, databaseFile)
	}
	data, err := readLimited(databaseFile, path)
	return strings.TrimSpace(string(data)), true, err
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
		return nil, fmt.Errorf("%s: the file is larger than %s, expected a short file of settings",
			path, Bytes(maxFileBytes))
	}
	return data, nil
}
