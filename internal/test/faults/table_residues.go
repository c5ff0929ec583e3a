package faults

// ofResidues are faults in the residues that a sweep carries beside counts.
var ofResidues = []Fault{
	{
		Name: "residue-beside-not-reduced", Imitates: "off-by-one bound",
		Breaks: "residues beside counts of one word are added and not reduced",
		File:   "internal/engine/sweep/residues.go",
		Old:    "total[1] = limb.SumModulo(total[1], v[1], check)",
		New:    "total[1] += v[1]",
		Test:   "TestResiduesBesideCounts",
	},
	{
		Name: "residue-of-the-neighbour", Imitates: "wrong offset",
		Breaks: "beside counts of two words the residue of the state before is taken",
		File:   "internal/engine/sweep/residues.go",
		Old:    "total[2] = limb.SumModulo(total[2], v[2], check)",
		New:    "total[2] = limb.SumModulo(total[2], in[m.source>>slabBits][max(from, 3)-1], check)",
		Test:   "TestResiduesOfWideCounts",
	},
	{
		Name: "residue-lost-when-widened", Imitates: "case left out",
		Breaks: "a step that is made again with one more limb loses the residues",
		File:   "internal/engine/sweep/residues.go",
		Old:    "total[limbs] = limb.SumModulo(total[limbs], v[inLimbs], check)",
		New:    "total[limbs] = limb.SumModulo(total[limbs], v[inLimbs]*uint64(inLimbs/limbs), check)",
		Test:   "TestResiduesOfWideCounts",
	},
	{
		Name: "residues-in-the-total", Imitates: "counted twice",
		Breaks: "the total of a level on disk takes the residues for limbs of the counts",
		File:   "internal/engine/sweep/shelf.go",
		Old:    "total: limb.Total([][]uint64{counts}, h.words, h.limbs())",
		New:    "total: limb.Total([][]uint64{counts}, h.words, h.words)",
		Test:   "TestResiduesOnDisk",
	},
	{
		Name: "steps-with-residues-repeated", Imitates: "case left out",
		Breaks: "steps are repeated along arcs that know of no residues",
		File:   "internal/engine/sweep/run.go",
		Old:    "!c.Children && c.Check == 0 && c.Counts",
		New:    "!c.Children && c.Counts",
		Test:   "TestResiduesOfWideCounts",
	},
	{
		Name: "residue-that-is-the-prime", Imitates: "off-by-one bound",
		Breaks: "a run begins with residues that are not below the prime",
		File:   "internal/engine/sweep/residues.go",
		Old:    "rest >= w.check {",
		New:    "rest > w.check {",
		Test:   "TestResiduesThatCannotBe",
	},
}
