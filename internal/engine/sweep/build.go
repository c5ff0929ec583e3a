package sweep

import "github.com/pavage/pavage/internal/engine/key"

// append adds sorted states at the end of l. All of them are above the states of l.
func (l *Level[K]) append(s *store, keys []K, counts []uint64) error {
	p := &Part[K]{counts: counts}
	mask := key.Low[K](l.blocks.low)
	for _, k := range keys {
		p.addTo(key.Without(k, mask), mask)
		low := uint16(k[0] & mask[0])
		p.lows = append(p.lows, low)
		p.common &= low
	}
	p.close()
	rooms, err := l.reserve(s, nil, len(keys), false)
	if err != nil {
		return err
	}
	fillRooms(rooms, p.lows, counts)
	return l.addBlocks(s, l.n-len(keys), &p.blocks, len(keys))
}
