package count

import (
	"strings"

	"github.com/pavage/pavage/cover"
)

func text(p *cover.Problem) string {
	var b strings.Builder
	if _, err := p.WriteTo(&b); err != nil {
		return err.Error()
	}
	return b.String()
}
