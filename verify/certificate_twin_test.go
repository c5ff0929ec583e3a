package verify

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// The header of a certificate determines the rest: the options that belong to a step, and so the
// states of all levels, their order and counts, the child of every choice, and the bytes. So a body
// is a certificate if and only if its header satisfies the conditions and the slow writer, with the
// same header, writes the same bytes. This second checker has no code in common with the first.

// countOf reports whether a body (without SHA-256) is a certificate of the cover, and the count in
// it.
func countOf(c *cover.Problem, body []byte) (*big.Int, bool) {
	p := decodePlan(body)
	if p == nil || !p.keepsConditions(c) {
		return nil, false
	}
	doc := p.write(c)
	return doc.count, doc.fits && bytes.Equal(doc.body(), body)
}

// decodePlan reads a header, or returns nil. Numbers that are not in their shortest form are
// detected when the header is written again.
func decodePlan(body []byte) *plan {
	if len(body) < 32 {
		return nil
	}
	body = body[32:]
	next := func() uint64 {
		v, n := binary.Uvarint(body)
		if n <= 0 || v > 1<<20 {
			body = nil
			return 0
		}
		body = body[n:]
		return v
	}
	p := &plan{window: int(next())}
	for range next() {
		if body == nil {
			return nil
		}
		p.counters = append(p.counters, paperCounter{next(), next(), next(), next()})
	}
	for range next() {
		if body == nil {
			return nil
		}
		p.steps = append(p.steps, next())
	}
	if body == nil {
		return nil
	}
	return p
}

// keepsConditions checks the layout of keys and conditions 1 to 4.
func (p *plan) keepsConditions(c *cover.Problem) bool {
	if p.look(c); !p.fieldsAreRight() {
		return false
	}
	if p.window < 1 || p.window > 511 {
		return false
	}
	end := uint64(p.window)
	for k, n := range p.counters {
		if n.item >= uint64(len(c.Items)) || p.counterOf(int(n.item)) != k || p.asks[int(n.item)] != nil || p.stepOf(int(n.item)) >= 0 {
			return false
		}
		if n.kind > 1 || n.place < end || n.width < 1 || n.place+n.width > 511 {
			return false
		}
		end = n.place + n.width
	}
	return p.stepsAreRight(c) && p.optionsHaveSteps(c) && p.boundsAreKept(c)
}

func (p *plan) stepsAreRight(c *cover.Problem) bool {
	for i, step := range p.steps {
		x := int(step / 2)
		lone := step%2 == 1
		switch {
		case p.isField(step): // see fieldsAreRight
		case slices.Index(p.steps, step) != i,
			lone && (x >= len(c.Options) || !possible(c, c.Options[x]) || len(p.stepsOf(c.Options[x])) > 0),
			!lone && (x >= len(c.Items) || c.Items[x].Max != 1):
			return false
		}
	}
	return true
}

func (p *plan) optionsHaveSteps(c *cover.Problem) bool {
	for o, option := range c.Options {
		steps := p.stepsOf(option)
		switch {
		case !possible(c, option):
		case len(steps) == 0 && !slices.Contains(p.steps, uint64(2*o+1)),
			len(steps) > 0 && slices.Max(steps)-slices.Min(steps) >= p.window:
			return false
		}
	}
	return true
}

func (p *plan) boundsAreKept(c *cover.Problem) bool {
	for i, it := range c.Items {
		k := p.counterOf(i)
		if p.stepOf(i) >= 0 || p.asks[i] != nil || k >= 0 && p.counters[k].kind == 0 {
			continue
		}
		if it.Max != cover.Unbounded && !p.cannotPass(c, i) || k < 0 && it.Min > 0 {
			return false
		}
	}
	return true
}
