package access

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
)

// Role is the right of a caller. A role includes the rights of all lower roles.
type Role int

const (
	Read  Role = iota // may see examples, puzzles, and jobs of callers with the same name
	Run               // may also start work, and cancel jobs of callers with the same name
	Admin             // may also see and cancel the jobs of all callers, and see the metrics
)

var roles = []string{"read", "run", "admin"}

// Roles returns the names of the roles, the lowest role first.
func Roles() []string { return slices.Clone(roles) }

func (r Role) String() string { return roles[r] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roles, name); i >= 0 {
		return Role(i), nil
	}
	return 0, fmt.Errorf("role is %.40q, expected read, run or admin", name)
}

// Local is the name of all callers of a service without tokens.
const Local = "local"

// Caller is the sender of a request. It has the rights and limits of its token.
type Caller struct {
	Name string // owner of the jobs; several tokens may have the same name
	Role Role
	Limits
}

// Limits has the limits of a caller; 0 means no limit.
type Limits struct {
	PerMinute int           // requests in a minute
	Jobs      int           // queued and running jobs at the same time
	Memory    int64         // bytes of memory of one job
	Threads   int           // threads of one job
	Time      time.Duration // time of one job
}

const nobody = "-" // an owner who has no jobs, since no caller can have this name

// Sees returns the owner whose jobs the caller may see and cancel; "" means all owners.
func (c Caller) Sees() string {
	switch {
	case c.Role == Admin:
		return ""
	case c.Name == "":
		return nobody
	}
	return c.Name
}

// Need returns nil if the caller has at least the role, or else the problem for the answer.
func (c Caller) Need(least Role) *client.Problem {
	if c.Role >= least {
		return nil
	}
	want := strings.Join(roles[least:], " or ")
	return NewProblem(http.StatusForbidden, "the role of this token is %s, but the request needs the role %s", c.Role, want)
}

type callerKey struct{}

// With returns a copy of ctx with the caller c.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From returns the caller in ctx, or else a caller without a name and with the lowest role.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
