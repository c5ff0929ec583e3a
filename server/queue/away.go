//go:build !js

package queue

import (
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

func isAway(err error) bool {
	var failed *pgconn.ConnectError
	var told *pgconn.PgError
	var broken *net.OpError
	switch {
	case errors.As(err, &failed), errors.As(err, &broken):
		return true
	case errors.As(err, &told): // lost connection, lack of resources, stop by an operator
		return strings.HasPrefix(told.Code, "08") || strings.HasPrefix(told.Code, "53") || strings.HasPrefix(told.Code, "57P")
	}
	return false
}
