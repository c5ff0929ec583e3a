package sweep

// A step chooses its tests by a sample: it maps some states of its level, always the same states,
// to the next level, and counts the dead states among their images. So the choice does not depend
// on the number of threads, and is the same on disk, in a resumed run and where a step repeats.
//
// Dead states that no test removed accumulate from level to level, until a test for all pockets
// pays off once.

const (
	// fewStates: a level with fewer states is not sampled.
	fewStates     = 1 << 14
	sampledStates = 1 << 8
)

type tests uint8

const (
	chosen   tests = iota // by a sample
	noTests               // no tests but Quick
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
	// alonePays: a step looks for lone cells if at least 1+n of 60 sampled states have one, where n
	// is the number of kinds of edges. (One state in 30 of 18x18 right trominoes has a lone cell:
	// equal times with and without the test. Of 10x10 tetrominoes, one state in 5 has a lone cell.)
	alonePays = 60
	// deadPays: looking for all pockets pays off if at least one state in 8 is dead. Seconds, and
	// millions of states, for values of deadPays:
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
