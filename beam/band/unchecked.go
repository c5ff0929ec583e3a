package band

import "github.com/pavage/pavage/internal/limb"

// Until sweep.Config has Check: counts without residues, and residues made of the counts.

func without(counts []uint64, limbs int) (plain []uint64) {
	for i := 0; i < len(counts); i += limbs + 1 {
		plain = append(plain, counts[i:i+limbs]...)
	}
	return plain
}

func with(counts []uint64, limbs int, prime uint64) (all []uint64) {
	for i := 0; i < len(counts); i += limbs {
		all = append(append(all, counts[i:i+limbs]...), residueOf(counts[i:i+limbs], prime))
	}
	return all
}

func residueOf(count []uint64, prime uint64) uint64 {
	n := limb.Int(count)
	return n.Mod(n, limb.Int([]uint64{prime})).Uint64()
}
