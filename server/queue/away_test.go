package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestIsAway: errors that may pass differ from lasting errors.
func TestIsAway(t *testing.T) {
	for err, want := range map[error]bool{
		fmt.Errorf("x: %w", ErrDatabase):                            true,
		fmt.Errorf("x: %w", &pgconn.PgError{Code: "57P01"}):         true,
		fmt.Errorf("x: %w", &pgconn.PgError{Code: "08006"}):         true,
		(&post{}).checked(fmt.Errorf("x: %w", io.ErrUnexpectedEOF)): true,
		(&post{}).checked(ErrAbsent):                                false,
		&pgconn.PgError{Code: "23505"}:                              false,
		&net.OpError{Op: "dial", Err: errors.New("refused")}:        true,
		ErrAbsent:                false,
		context.DeadlineExceeded: false,
	} {
		if IsAway(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}
