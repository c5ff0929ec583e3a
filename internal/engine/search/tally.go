package search

import "math"

// replicas is how many crowds of each size are sent. What one place of theirs finds, over all
// sizes, is independent of what another does, and how far the places differ is the error.
const replicas = 8

// tally sums up crowds, each weighted by its size.
type tally struct {
	size   int // of the crowds of this round
	next   int // place of the next crowd
	places [replicas]place
	probes int
}

type place struct {
	probed
	weight float64
}

func (t *tally) add(p probed) {
	x, w := &t.places[t.next], float64(t.size)
	x.probed.add(p, w)
	x.weight += w
	t.probes += t.size
	t.next = (t.next + 1) % replicas
}

// mean is that of all crowds.
func (t *tally) mean() (sum probed) {
	weight := 0.0
	for _, x := range t.places {
		sum.add(x.probed, 1)
		weight += x.weight
	}
	weight = max(1, weight)
	return probed{sum.tries / weight, sum.nanos / weight, sum.solutions / weight}
}

// tries are the mean tries of each place.
func (t *tally) tries() (all []float64) {
	for _, x := range t.places {
		if x.weight > 0 {
			all = append(all, x.tries/x.weight)
		}
	}
	return all
}

// error is the relative standard error of the mean of the tries.
func (t *tally) error() float64 {
	mean, variance, n := momentsOf(t.tries())
	if n < 2 || mean == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(variance/n) / mean
}

// most is how many times their mean the tries are at most: an upper limit of confidence
// for the mean of a distribution whose logarithm is normal (D. R. Cox's, with Student's
// quantile for few places). A few places of which one found a hundred times what the others did
// are taken for a sample of a tree that hides more of the kind.
func (t *tally) most() float64 {
	tries := t.tries()
	mean, _, n := momentsOf(tries)
	if n < 2 || math.IsInf(mean, 1) {
		return math.Inf(1)
	}
	for k, x := range tries {
		tries[k] = math.Log(x)
	}
	middle, variance, _ := momentsOf(tries)
	spread := math.Sqrt(variance/n + variance*variance/(2*(n-1)))
	return max(1, math.Exp(middle+variance/2+student[int(n)-2]*spread)/mean)
}

// student are the quantiles of 99% of Student's distribution, of one degree of freedom
// and more: with those of 95%, one bound in eight was too low, and with these one in twenty.
var student = [replicas - 1]float64{31.82, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998}

func momentsOf(sample []float64) (mean, variance, n float64) {
	n = float64(len(sample))
	for _, x := range sample {
		mean += x / n
	}
	for _, x := range sample {
		variance += (x - mean) * (x - mean) / max(1, n-1)
	}
	return mean, variance, n
}
