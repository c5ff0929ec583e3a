package queue

import (
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// IsAway reports whether an error of a [Queue] means that its database cannot be used for
// now: it does not answer, or it is about to stop. Another try later may go well.
func IsAway(err error) bool {
	var failed *pgconn.ConnectError
	var told *pgconn.PgError
	var broken *net.OpError
	switch {
	case errors.Is(err, ErrDatabase), errors.As(err, &failed), errors.As(err, &broken):
		return true
	case errors.As(err, &told): // classes of SQLSTATE: connection, resources, stopped by somebody
		return strings.HasPrefix(told.Code, "08") || strings.HasPrefix(told.Code, "53") || strings.HasPrefix(told.Code, "57P")
	}
	return false
}
