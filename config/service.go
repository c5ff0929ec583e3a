package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/internal/kit/wording"
)

const (
	// maxRate is the largest rate: more than this program answers in a minute.
	maxRate = 1_000_000
	// minQuota is the least that a store is worth having for.
	minQuota = 1 << 20
	// minRetention is the least time for which ended jobs are kept.
	minRetention = time.Minute
	// maxDrain is the longest that a service may take to end.
	maxDrain = time.Hour
)

// databaseKey is the setting that may hold a password.
const databaseKey = "database"

// ofService are the settings of the service.
var ofService = []setting{
	{
		"cors", "", "ORIGINS", "web sites whose pages may use the service, such as https://example.org, with commas between them; * is all, which needs tokens; empty: none",
		"web sites such as https://example.org with commas between them, *, or nothing", nil, nil, // package access knows
	},
	{
		"data", "", "DIR", "folder of the jobs, the answers and the checkpoints; empty: pavage in the user's folder for data, which is $XDG_DATA_HOME or ~/.local/share",
		"a folder", nil, nil,
	},
	{
		databaseKey, "", "URL", "database of the jobs, such as postgres://user:password@host/name; empty: SQLite, in a file of the data folder; a file with the URL can be named by PAVAGE_DATABASE_FILE in the environment",
		"a URL such as postgres://user:password@host/name, or nothing",
		func(c Config) bool { return c.Database == "" || isDatabase(c.Database) }, nil,
	},
	{
		"drain", "20s", "DURATION", "how long the service may take to end: work stops at its checkpoints, answers are sent to their end",
		"a duration such as 20s, at most an hour",
		func(c Config) bool { return c.Drain >= 0 && c.Drain <= maxDrain }, nil,
	},
	{
		"health", "", "ADDRESS", "also answer /healthz, /readyz and /metrics at this address, for anybody; empty: nowhere",
		"an address such as 127.0.0.1:8081, or nothing",
		func(c Config) bool { return c.Health == "" || isAddress(c.Health) }, nil,
	},
	{
		"listen", "127.0.0.1:8080", "ADDRESS", "address of the service; without tokens only one that this machine alone can reach",
		"an address such as 127.0.0.1:8080 or :8080",
		func(c Config) bool { return isAddress(c.Listen) }, nil,
	},
	{
		"pprof", "", "ADDRESS", "show Go's profiles of the program at this address, which only this machine may reach; empty: nowhere",
		"an address of this machine such as 127.0.0.1:6060, or nothing",
		func(c Config) bool { return c.Pprof == "" || isLocal(c.Pprof) }, nil,
	},
	{
		"quota", "10GiB", "SIZE", "most that the folder store may take on the disk; files that were not used for the longest time are removed; 0 means no limit",
		"a size such as 10GiB, 1MiB or more, or 0 for no limit",
		func(c Config) bool { return c.Quota == 0 || c.Quota >= minQuota }, nil,
	},
	{
		"rate", "0", "N", "requests that a caller may send in a minute, unless the file of tokens says so; 0 means any number",
		fmt.Sprintf("a whole number, 0 (any number) to %d", maxRate),
		func(c Config) bool { return c.Rate >= 0 && c.Rate <= maxRate }, nil,
	},
	{
		"retention", "168h", "DURATION", "how long jobs are kept after their end; their answers are kept as long, or longer",
		"a duration such as 168h, a minute to a year",
		func(c Config) bool { return c.Retention >= minRetention && c.Retention <= maxTimeout }, nil,
	},
	{
		"tokens", "", "FILE", "file of the tokens that callers need (pavage token new NAME makes one); empty: none are needed, and only this machine can reach the service",
		"a file of tokens, or nothing", nil, nil, // package access knows
	},
}

// inService is what the service has in place of a default and of words of others.
var inService = map[string]struct{ fallback, usage string }{
	"checkpoint.every": {"30s", "time between two checkpoints of a sweep, such as 30s or 1h"},
	"disk":             {"", "folder of this machine for temporary files, such as levels of a sweep that do not fit in memory; empty: the folder tmp of the data folder"},
	"log.format":       {"", "format of the log: " + wording.List(formats) + "; without it json, or text if the log goes to a terminal"},
	"log.level":        {"info", "log messages of this level and above: " + wording.List(levels)},
	"memory":           {"0", "most memory for the service and all its work together, such as 8GiB; want 256MiB or more; 0 means three quarters of the memory that is free at the start"},
	"threads":          {"0", "number of threads for all work together; 0 means one for each core"},
}

// isAddress reports whether a text is a host, which may be empty, and the number of a port.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	n, err2 := strconv.ParseUint(port, 10, 16)
	return err == nil && err2 == nil && strconv.FormatUint(n, 10) == port
}

// isLocal reports whether a text is an address that only this machine can reach.
func isLocal(text string) bool {
	host, _, _ := net.SplitHostPort(text)
	ip, err := netip.ParseAddr(host)
	return isAddress(text) && (host == "localhost" || err == nil && ip.IsLoopback())
}

func isDatabase(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql")
}

// shown is a value as it may be shown: without a password.
func shown(s setting, value string) string {
	if s.key != databaseKey || value == "" {
		return value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		return hidden // who knows what is in it
	}
	q := u.Query()
	for name := range q {
		if strings.Contains(strings.ToLower(name), "password") {
			q.Set(name, hidden)
		}
	}
	u.RawQuery = q.Encode()
	return u.Redacted()
}

// hidden stands for a secret: the word that url.URL.Redacted has for it.
const hidden = "xxxxx"
