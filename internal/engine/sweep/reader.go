package sweep

import "slices"

type reader struct {
	from   Source // nil if all slabs are in memory
	lows   [][]uint16
	counts [][]uint64
	at     []int // slab that a class reads, or -1; indexed by class
	pins   []int // number of classes that read each slab, or left it since the last call of settle
	left   []int // slabs that classes left since the last call of settle
}

func (r *reader) begin(from Source, slabs, classes int) {
	if r.lows, r.counts = from.AtHand(); r.lows != nil {
		r.from = nil
		return
	}
	r.from = from
	r.lows, r.counts = make([][]uint16, slabs), make([][]uint64, slabs)
	r.at, r.pins = slices.Repeat([]int{-1}, classes), make([]int, slabs)
}

func (r *reader) open(class, i int) (err error) {
	if r.from == nil || r.at[class] == i {
		return nil
	}
	if r.pins[i] == 0 {
		if r.lows[i], r.counts[i], err = r.from.Get(i); err != nil {
			return err
		}
	}
	r.pins[i]++
	if r.at[class] >= 0 {
		r.left = append(r.left, r.at[class])
	}
	r.at[class] = i
	return nil
}

func (r *reader) settle() {
	for _, i := range r.left {
		if r.pins[i]--; r.pins[i] == 0 {
			r.lows[i], r.counts[i] = nil, nil
			r.from.LetGo(i)
		}
	}
	r.left = r.left[:0]
}

func (r *reader) end() {
	if r.from != nil {
		for _, i := range r.at {
			if i >= 0 {
				r.left = append(r.left, i)
			}
		}
		r.settle()
	}
	*r = reader{left: r.left}
}
