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

// Role is a caller's right to do what this role and all lower ones may do.
type Role int

// The roles.
const (
	Read  Role = iota // sees examples, puzzles, jobs of the same name and their answers
	Run               // have work done: jobs, counts, samples; cancel jobs of the same name
	Admin             // see and cancel everybody's jobs, see the metrics
)

var roles = []string{"read", "run", "admin"}

// Roles returns the names of the roles, the least one first.
func Roles() []string { return slices.Clone(roles) }

func (r Role) String() string { return roles[r] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roles, name); i >= 0 {
		return Role(i), nil
	}
	return 0, fmt.Errorf("role is %.40q, expected read, run or admin", name)
}

// Local is the name of everybody who calls a service without tokens.
const Local = "local"

// Caller is the sender of a request, with the rights and limits of the token.
type Caller struct {
	Name string // owns the jobs: several tokens may have one name
	Role Role
	Limits
}

// Limits are the limits of a caller; 0: no limit of its own.
type Limits struct {
	PerMinute int           // requests
	Jobs      int           // queued and running, at once
	Memory    int64         // of one job, in bytes
	Threads   int           // of one job
	Time      time.Duration // of one job
}

const nobody = "-" // an owner without jobs: no caller can have that name

// Sees returns the owner whose jobs the caller sees and may cancel; "": all owners.
func (c Caller) Sees() string {
	switch {
	case c.Role == Admin:
		return ""
	case c.Name == "":
		return nobody
	}
	return c.Name
}

// Need returns nil if the caller has the role, or else the problem for the answer.
func (c Caller) Need(least Role) *client.Problem {
	if c.Role >= least {
		return nil
	}
	want := strings.Join(roles[least:], " or ")
	return NewProblem(http.StatusForbidden, "the role of this token is %s, expected %s", c.Role, want)
}

type callerKey struct{}

// With returns a context of a request by that caller.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From returns the caller of the request. Without [Guard.Wrap] it has no name and the lowest role.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
