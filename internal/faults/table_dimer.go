package faults

// ofDimers are faults in determinants of planar graphs.
var ofDimers = []Fault{
	{
		Name: "signs-of-two-faces", Imitates: "wrong sign",
		Breaks: "the signs around two faces are those of the other kind of face",
		File:   "internal/dimer/signs.go",
		Old:    "t.odd[face] = l%4 == 0",
		New:    "t.odd[face] = (l%4 == 0) != (face < 2)",
		Test:   "TestRandomBoards", Package: "internal/dimer",
	},
	{
		Name: "prime-twice", Imitates: "work done twice",
		Breaks: "a prime is used twice, in place of the next one",
		File:   "internal/dimer/primes.go",
		Old:    "primes[i] = p\n",
		New:    "primes[i] = p\n\t\tif i == 1 {\n\t\t\tprimes[1] = primes[0]\n\t\t}\n",
		Test:   "TestKnownCounts", Package: "internal/dimer",
	},
	{
		Name: "one-prime-too-few", Imitates: "bound off by one",
		Breaks: "the product of the primes may be below the count",
		File:   "internal/dimer/primes.go",
		Old:    "(square.BitLen() + 2 + 123) / 124",
		New:    "max(1, (square.BitLen()+2)/124)",
		Test:   "TestTightBound", Package: "internal/dimer",
	},
	{
		Name: "stale-unknown", Imitates: "table not cleared",
		Breaks: "vectors have what another unknown has left there",
		File:   "internal/dimer/eliminate.go",
		Old:    "e.vectors[p][slot] = 0\n",
		New:    "_ = e.vectors[p][slot]\n",
		Test:   "TestAnyOrder", Package: "internal/dimer",
	},
	{
		Name: "unknown-left-behind", Imitates: "swap half done",
		Breaks: "the last unknown takes the place of one that is solved for, but not in the vectors",
		File:   "internal/dimer/eliminate.go",
		Old:    "v[slot] = v[last]",
		New:    "_ = v[last]",
		Test:   "TestRandomBoards", Package: "internal/dimer",
	},
	{
		Name: "permutation-unsigned", Imitates: "wrong sign",
		Breaks: "the sign of the permutation of the columns is left out",
		File:   "internal/dimer/eliminate.go",
		Old:    "if odd(e.pivots) != p.odd {",
		New:    "if p.odd {",
		Test:   "TestRandomGraphs", Package: "internal/dimer",
	},
	{
		Name: "binding-bounds", Imitates: "check left out",
		Breaks: "a cover is counted as a graph though a bound on copies binds",
		File:   "internal/dimer/graph.go",
		Old:    "low < r.least[i] || high > r.most[i]",
		New:    "low < r.least[i] || high < 0",
		Test:   "TestReadSolutions", Package: "internal/dimer",
	},
}
