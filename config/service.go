package config

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// databaseKey is the setting that may hold a password.
const databaseKey = "database"

// forms has a check for each value of the tag form.
var forms = map[string]func(string) bool{"address": isAddress, "local": isLocal, "database": isDatabase}

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
		return hidden // it may contain a password
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
