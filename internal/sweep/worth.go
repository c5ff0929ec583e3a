package sweep

// Which tests a step makes is chosen by what they would find. Some states of the level,
// always the same ones, are taken one step on, and of the states they go to it is counted
// how many have a cell alone, and how many another pocket. So the choice depends on the
// step and on the keys of the level alone: it is the same for all numbers of threads, on
// disk, in a run that is resumed, and where a step comes again.
//
// Dead states that no step has looked for gather from level to level, until it pays to
// look for all pockets once.

const (
	// fewStates of a level are not worth a sample.
	fewStates = 1 << 14
	// sampledStates are taken one step on, at most.
	sampledStates = 1 << 8
)

// tests are those that a step makes of the states it goes to.
type tests uint8

const (
	chosen   tests = iota // by what they find
	noTests               // but Quick
	loneOnly              // cells that are alone
	allTests
)

// choose chooses the tests of the step.
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

// worth is which tests are worth their time.
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
	alonePays = 60
	deadPays  = 8
)

// sampleDead counts the states that some states of the level go to, those of them with a cell
// alone, and those that are dead besides.
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
