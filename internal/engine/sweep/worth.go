package sweep

// A step chooses its tests by a sample: it maps some states of its level, always the same states,
// to the next level, and counts the dead states among their images. So the choice does not depend
// on the number of threads, and is the same for a level on disk and in a resumed run.

const (
	// A level with fewer than fewStates states is not sampled.
	fewStates     = 1 << 14
	sampledStates = 1 << 8
)

type tests uint8

const (
	chosen   tests = iota // the step chooses by a sample
	noTests               // only the test Quick
	loneOnly              // Quick, and the test for lone cells
	allTests
)

func (s *Step[K]) choose(t tests) {
	if t == chosen {
		t = s.worth()
	}
	s.keep = s.Quick
	if t == allTests {
		s.keep = s.Keep
	}
	if t >= loneOnly {
		s.lone = s.Lone
	}
}

func (s *Step[K]) worth() tests {
	switch {
	case s.Keep == nil:
		return noTests
	case s.from.n < fewStates:
		return loneOnly
	}
	all, alone, dead := s.sampleDead()
	switch {
	case dead*deadPays >= all:
		return allTests
	case s.Lone != nil && alone*alonePays >= all*(1+len(s.Lone.Edges)):
		return loneOnly
	}
	return noTests
}

const (
	// A step looks for lone cells if at least (1+n)/alonePays of the images have a lone cell, where
	// n is the length of Lone.Edges. (For 18x18 right trominoes 1 image in 30 has one, and the test
	// saves no time. For 10x10 tetrominoes 1 image in 5 has one.)
	alonePays = 60
	// A step looks for all pockets if at least 1/deadPays of the images are dead without a lone
	// cell. The table has the seconds and the millions of states of runs, by deadPays:
	//
	//	                      never       4          8          14         always
	//	tetrominoes 10x10     0.69 21.2   0.65 19.5  0.66 19.2  0.67 19.1  0.88 18.1
	//	pentominoes any 10x8  0.58 10.3   0.58  8.8  0.64  7.6  0.70  6.8  0.72  6.6
	deadPays = 8
)

func (s *Step[K]) sampleDead() (all, alone, dead int) {
	stride := sampleEvery * max(1, s.from.n/(sampleEvery*sampledStates))
	for i := 0; i < s.from.n; i += stride {
		k := s.from.blocks.key(s.from.block(i), s.source.Sample(i))
		for m := range s.Streams {
			image, ok := s.Streams[m].Image(k, s.Window)
			if !ok {
				continue
			}
			all++
			switch {
			case s.Lone != nil && !s.Lone.Alive(image[0]):
				alone++
			case !s.Keep(image):
				dead++
			}
		}
	}
	return all, alone, dead
}
