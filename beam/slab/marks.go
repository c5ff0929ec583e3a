package slab

import "github.com/pavage/pavage/internal/engine/key"

// marks takes every s-th state, and doubles s when there are too many.
type marks[K key.Key] struct {
	keys   []K
	stride int64
}

// see takes the keys of the next states, the first of which has this number.
func (m *marks[K]) see(first int64, keys []K) {
	if m.stride == 0 {
		m.stride = 1
	}
	for at := (first + m.stride - 1) / m.stride * m.stride; at < first+int64(len(keys)); at += m.stride {
		if len(m.keys) == MostMarks {
			m.thin() // the state is the 2^n-th, and stays
		}
		m.keys = append(m.keys, keys[at-first])
	}
}

// thin keeps every second mark.
func (m *marks[K]) thin() {
	for i := range MostMarks / 2 {
		m.keys[i] = m.keys[2*i]
	}
	m.keys = m.keys[:MostMarks/2]
	m.stride *= 2
}

// list are the marks as others keep them.
func (m *marks[K]) list() []Mark {
	list := make([]Mark, len(m.keys))
	for i, k := range m.keys {
		list[i] = Mark{FormatKey(k), int64(i) * m.stride}
	}
	return list
}
