package sweep

type room struct {
	slab   int
	lows   []uint16
	counts []uint64
}

func fillRooms(rooms []room, lows []uint16, counts []uint64) {
	for _, r := range rooms {
		lows = lows[copy(r.lows, lows):]
		counts = counts[copy(r.counts, counts):]
	}
}

func (l *Level[K]) addBlocks(s *store, first int, add *blocks[K], n int) error {
	was := l.blocks.bytes()
	for b, head := range add.heads {
		end := n
		if b+1 < len(add.first) {
			end = int(add.first[b+1])
		}
		for from := first + int(add.first[b]); from < first+end; from = (from | slabMask) + 1 {
			l.blocks.heads = append(l.blocks.heads, head)
			l.blocks.first = append(l.blocks.first, uint32(from))
		}
	}
	return s.use(l.blocks.bytes() - was)
}

// reserve adds n states to l. The new states lie in parts of slabs, which it appends to the list
// rooms. If large is true, each slab that it makes has full size.
func (l *Level[K]) reserve(s *store, rooms []room, n int, large bool) ([]room, error) {
	for n > 0 {
		last := len(l.lows) - 1
		if last < 0 || !fits(l.lows[last], n) {
			want := n
			switch {
			case large || l.away != nil:
				want = SlabStates
			case last == 0:
				want += len(l.lows[0])
			}
			if err := l.grow(s, want); err != nil {
				return rooms, err
			}
			last = len(l.lows) - 1
		}
		from := len(l.lows[last])
		to := min(from+n, cap(l.lows[last]))
		l.lows[last] = l.lows[last][:to]
		r := room{slab: last, lows: l.lows[last][from:to]}
		if l.words > 0 {
			l.counts[last] = l.counts[last][:to*l.words]
			r.counts = l.counts[last][from*l.words : to*l.words]
		}
		rooms = append(rooms, r)
		n -= to - from
		l.n += to - from
	}
	return rooms, nil
}

// fits reports whether a slab has room for n states, or has full size and room for at least one.
func fits(slab []uint16, n int) bool {
	return len(slab) < cap(slab) && (cap(slab) == SlabStates || len(slab)+n <= cap(slab))
}

func (l *Level[K]) grow(s *store, want int) error {
	if len(l.lows) == 1 && l.away == nil && cap(l.lows[0]) < SlabStates {
		size := min(SlabStates, max(2*cap(l.lows[0]), want))
		return l.resize(s, size)
	}
	size := SlabStates
	if len(l.lows) == 0 && want < SlabStates/4 {
		size = want
	}
	l.lows = append(l.lows, nil)
	l.counts = append(l.counts, nil)
	return l.resize(s, size)
}

func (l *Level[K]) resize(s *store, size int) error {
	last := len(l.lows) - 1
	oldLows, oldCounts := l.lows[last], l.counts[last]
	lows, counts, err := s.slab(size, l.words)
	if err != nil {
		return err
	}
	l.lows[last], l.counts[last] = append(lows, oldLows...), append(counts, oldCounts...)
	s.give(s.putSmall(oldLows, oldCounts, l.words))
	return nil
}

func (l *Level[K]) recycle(s *store) {
	if l.held {
		*l = Level[K]{}
		return
	}
	var freed int64
	for i, lows := range l.lows {
		if lows == nil {
			continue // the source l.away has the slab
		}
		if !l.lent && cap(lows) < SlabStates {
			freed += s.putSmall(lows, l.counts[i], l.words)
			continue
		}
		freed += s.putCounts(l.counts[i], cap(lows), l.words)
		if !l.lent {
			freed += s.putLows(lows)
		}
	}
	if !l.lent {
		freed += l.blocks.bytes()
	}
	s.letGo(freed)
	if l.away != nil {
		l.away.Close()
	}
	*l = Level[K]{}
}
