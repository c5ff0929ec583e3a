package config

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const databaseKey = "database"

var forms = map[string]func(string) bool{"address": isAddress, "local": isLocal, "database": isDatabase}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	n, err2 := strconv.ParseUint(port, 10, 16)
	return err == nil && err2 == nil && strconv.FormatUint(n, 10) == port
}

func isLocal(text string) bool {
	host, _, _ := net.SplitHostPort(text)
	ip, err := netip.ParseAddr(host)
	return isAddress(text) && (host == "localhost" || err == nil && ip.IsLoopback())
}

func isDatabase(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql")
}

func shown(s setting, value string) string {
	if s.key != databaseKey || value == "" {
		return value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		return hidden // the value may contain a password
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

const hidden = "xxxxx"
