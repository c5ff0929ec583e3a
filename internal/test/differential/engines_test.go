package differential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"reflect"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/verify"
)

// engineChecks hold every way of counting and listing to the reference.
var engineChecks = []Check{
	{"sweep", "N by sweep", 1, Anywhere, byEngine(count.Sweep)},
	{"search", "N by search, if N is no more than 20 bits", 1, Small, checkSearch},
	{"auto", "N by auto", 1, All, byEngine(count.Auto)},
	{"diagram", "N and the solutions by diagram", 1, Small, checkDiagram},
	{"dimer", "N by determinants, where there are some, also modulo primes", 1, All, checkDimer},
	{"threads", "N for any number of threads", 2, Anywhere, checkThreads},
	{"memory", "N within any memory, or that it is too little", 4, All, checkMemory},
	{"disk", "N with levels on disk, which leave nothing there", 1, WideOnly, checkDisk},
	{"residues", "N modulo random moduli, also in another order", 2, Anywhere, checkResidues},
	{"resume", "N of a sweep broken off every few levels", 100, All, checkResume},
	{"listing", "the solutions, from any of them on, and the least of each class", 1, Small, checkListing},
	{"history", "ranks and solutions one to one, going back through a sweep", 2, All, checkHistory},
	{"ranks", "rank(unrank(r)) = r, and at each r a solution", 2, Small, checkRanks},
	{"distinct", "the number of classes, by looking at all solutions", 2, Small, checkDistinct},
	{"verify", "N and the solutions by SAT", 6, Small, checkVerify},
	{"certificate", "N, certified by a sweep or a diagram, and accepted", 4, All, checkCertificate},
	{"text", "the cover, written and read", 1, All, checkText},
}

func byEngine(e count.Engine) func(context.Context, *subject) error {
	return func(ctx context.Context, s *subject) error {
		got, err := s.count(ctx, s.Problem, way{e, alone})
		if err != nil {
			return err
		}
		return s.same(string(e), got, s.want)
	}
}

// checkSearch counts by search, and skips cases with too many solutions.
func checkSearch(ctx context.Context, s *subject) error {
	if s.want.BitLen() > searchBits {
		s.note("too many to search")
		return nil
	}
	return byEngine(count.Search)(ctx, s)
}

// checkDimer holds determinants to the reference. Most problems have none.
func checkDimer(ctx context.Context, s *subject) error {
	got, err := s.count(ctx, s.Problem, way{count.Dimer, alone})
	if errors.Is(err, count.ErrNotDimers) {
		return nil
	}
	if err != nil {
		return err
	}
	s.note("determinants")
	return s.same("dimer", got, s.want)
}

func checkDiagram(ctx context.Context, s *subject) error {
	c, err := count.Compile(ctx, s.Problem, alone)
	if err != nil {
		return err
	}
	if err := s.same("diagram", c.Result.Count, s.want); err != nil || !s.listed {
		return err
	}
	var sets [][]int
	for set := range c.Diagram.AllSets() {
		sets = append(sets, slices.Sorted(slices.Values(c.OptionsOf(set))))
	}
	return s.sameSets("diagram", sets)
}

func checkThreads(ctx context.Context, s *subject) error {
	w := s.engine()
	w.Threads = 2 + s.IntN(6)
	got, err := s.count(ctx, s.Problem, w)
	if err != nil {
		return err
	}
	return s.same(fmt.Sprintf("%s, %d threads", w.engine, w.Threads), got, s.want)
}

// checkMemory: with too little memory an engine returns either the right answer or an error.
func checkMemory(ctx context.Context, s *subject) error {
	w := s.engine()
	w.Memory = 1 << (6 + s.IntN(16))
	return s.countWithin(ctx, w)
}

func (s *subject) countWithin(ctx context.Context, w way) error {
	r, err := count.Count(ctx, s.Problem, w.engine, w.Options)
	switch {
	case errors.Is(err, cover.ErrMemory):
		s.note("out of memory")
		return nil
	case err != nil:
		return fmt.Errorf("%s within %d bytes: %w", w.engine, w.Memory, err)
	case r.Disk > 0:
		s.note("levels on disk")
	}
	return s.same(fmt.Sprintf("%s within %d bytes", w.engine, w.Memory), r.Count, s.want)
}

// checkDisk gives a sweep a disk and less and less of the memory that it needs, until levels go to
// the disk, or the memory is too little for that.
func checkDisk(ctx context.Context, s *subject) error {
	r, err := count.Count(ctx, s.Problem, count.Sweep, alone)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.h.Temp, "disk")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := way{count.Sweep, count.Options{Limits: count.Limits{Threads: 1 + s.IntN(2), Disk: dir}}}
	ends := s.tally["levels on disk"] + s.tally["out of memory"]
	for percent := int64(60); percent > 20 && s.tally["levels on disk"]+s.tally["out of memory"] == ends; percent -= 4 {
		w.Memory = 1 + r.Bytes*percent/100
		if err := s.countWithin(ctx, w); err != nil {
			return err
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		return fmt.Errorf("left on disk: %v, %v", left, err)
	}
	return nil
}

func checkResidues(ctx context.Context, s *subject) error {
	var moduli []uint64
	for range 1 + s.IntN(3) {
		moduli = append(moduli, 2+s.Uint64N(count.MaxModulus-1)>>s.IntN(62))
	}
	o := count.Options{Limits: count.Limits{Threads: 1 + s.IntN(2)}}
	var order []int
	if s.IntN(2) == 0 {
		var err error
		if order, err = count.OtherOrder(ctx, s.Problem); err != nil {
			return err
		}
	}
	got, _, err := count.Residues(ctx, s.Problem, moduli, order, o)
	if err != nil {
		return err
	}
	for i, m := range moduli {
		want := new(big.Int).Mod(s.want, new(big.Int).SetUint64(m))
		if err := s.same(fmt.Sprintf("modulo %d", m), new(big.Int).SetUint64(got[i]), want); err != nil {
			return err
		}
	}
	return nil
}

// mostBreaks ends a sweep that gets nowhere.
const mostBreaks = 1000

// checkResume breaks a sweep off after a few reports of progress, each time,
// and has another go on from its checkpoint.
func checkResume(ctx context.Context, s *subject) error {
	dir, err := os.MkdirTemp(s.h.Temp, "resume")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for breaks := range mostBreaks {
		r, err := s.resumed(ctx, dir, 3+s.IntN(8))
		if err == nil {
			return s.same(fmt.Sprintf("resumed %d times", breaks), r.Count, s.want)
		}
		if !errors.Is(err, context.Canceled) || ctx.Err() != nil {
			return fmt.Errorf("resumed %d times: %w", breaks, err)
		}
		s.note("sweeps resumed")
	}
	return fmt.Errorf("resumed %d times, and not done", mostBreaks)
}

// resumed goes on from the checkpoint in a directory until the given number of reports.
func (s *subject) resumed(ctx context.Context, dir string, reports int) (*count.Result, error) {
	var failed error
	c, err := count.OpenCheckpoint(dir, 0, func(n count.CheckpointNotice) { failed = errors.Join(failed, n.Err) })
	if err != nil {
		return nil, err
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := count.Options{Limits: count.Limits{Threads: 1 + s.IntN(2)}, Watch: count.Watch{Progress: func(count.Progress) {
		if reports--; reports == 0 {
			cancel()
		}
	}}}
	r, err := c.Count(ctx, s.Problem, o)
	if failed != nil {
		return nil, fmt.Errorf("checkpoint: %w", failed)
	}
	return r, err
}

// listing are the solutions that Each visits.
func (s *subject) listing(ctx context.Context, l count.Listing) ([][]int, error) {
	var all [][]int
	err := count.Each(ctx, s.Problem, l, func(options []int) bool {
		all = append(all, slices.Clone(options))
		return len(all) <= mostListed
	})
	return all, err
}

func checkListing(ctx context.Context, s *subject) error {
	if !s.listed {
		return nil
	}
	all, err := s.listing(ctx, count.Listing{})
	if err != nil {
		return err
	}
	if len(all) > 0 {
		at := s.IntN(len(all))
		rest, err := s.listing(ctx, count.Listing{After: all[at]})
		if err != nil || !slices.EqualFunc(rest, all[at+1:], slices.Equal) {
			return fmt.Errorf("after %v: %v, want %v (%v)", all[at], rest, all[at+1:], err)
		}
	}
	if err := s.sameSets("listing", all); err != nil || len(s.Problem.Symmetries) < 2 {
		return err
	}
	return s.sameClasses(ctx)
}

// sameClasses lists the least solution of each class.
func (s *subject) sameClasses(ctx context.Context) error {
	least, err := s.listing(ctx, count.Listing{Group: s.Problem.Symmetries})
	if err != nil {
		return err
	}
	want, err := leastOf(s.Problem, s.Problem.Symmetries, s.solutions)
	if err != nil {
		return err
	}
	classes := *s
	classes.solutions = want
	return classes.sameSets("least of each class", least)
}

// leastOf returns the sorted solutions that no element of a group maps to a solution before them:
// the definition of the solutions that a Canon accepts, computed by moving all of them.
func leastOf(p *cover.Problem, group []cover.Symmetry, solutions [][]int) (least [][]int, err error) {
	images := make([][]int, len(group))
	for k, g := range group {
		if images[k], err = p.Images(g); err != nil {
			return nil, err
		}
	}
	for _, solution := range solutions {
		first := solution
		for _, image := range images {
			moved := []int{}
			for _, o := range solution {
				moved = append(moved, image[o])
			}
			slices.Sort(moved)
			if slices.Compare(moved, first) < 0 {
				first = moved
			}
		}
		if slices.Equal(first, solution) {
			least = append(least, solution)
		}
	}
	return least, nil
}

// someRanks are all ranks below n, or a hundred of them and the ends.
func (s *subject) someRanks(n *big.Int) (ranks []*big.Int) {
	const most = 100
	if n.Sign() == 0 {
		return nil
	}
	if n.IsInt64() && n.Int64() <= mostListed {
		for r := range n.Int64() {
			ranks = append(ranks, big.NewInt(r))
		}
		return ranks
	}
	bits := make([]byte, len(n.Bytes())+8)
	for range most {
		for i := range bits {
			bits[i] = byte(s.Uint32())
		}
		ranks = append(ranks, new(big.Int).Mod(new(big.Int).SetBytes(bits), n))
	}
	return append(ranks, new(big.Int), new(big.Int).Sub(n, big.NewInt(1)))
}

func checkHistory(ctx context.Context, s *subject) error {
	h, err := count.Remember(ctx, s.Problem, alone)
	if err != nil {
		return err
	}
	return s.sameSet(ctx, "history", h)
}

func checkRanks(ctx context.Context, s *subject) error {
	c, err := count.Compile(ctx, s.Problem, alone)
	if err != nil {
		return err
	}
	return s.sameSet(ctx, "sampler", c)
}

// sameSet compares the count of a set, and the solutions of some ranks.
func (s *subject) sameSet(ctx context.Context, what string, set count.Set) error {
	if err := s.same(what, set.Count(), s.want); err != nil {
		return err
	}
	var found [][]int
	ranks := s.someRanks(s.want)
	for options, err := range set.Unrank(ctx, ranks) {
		if err != nil {
			return fmt.Errorf("%s: unrank: %w", what, err)
		}
		rank := ranks[len(found)]
		if back, err := set.Rank(ctx, options); err != nil || back.Cmp(rank) != 0 {
			return fmt.Errorf("%s: rank of %v is %v, %w, but it is at %v", what, options, back, err, rank)
		}
		found = append(found, slices.Sorted(slices.Values(options)))
	}
	return s.solutionsAt(what, ranks, found)
}

// solutionsAt checks that the options found at ranks are solutions, and that they are all solutions
// if the ranks are all ranks.
func (s *subject) solutionsAt(what string, ranks []*big.Int, found [][]int) error {
	s.note(compared)
	if len(found) != len(ranks) {
		return fmt.Errorf("%s: %d solutions at %d ranks", what, len(found), len(ranks))
	}
	for k, options := range found {
		if !s.Problem.IsSolution(options) {
			return fmt.Errorf("%s: at rank %v %v, which is no solution", what, ranks[k], options)
		}
	}
	if s.listed {
		return s.sameSets(what, found)
	}
	return nil
}

// checkDistinct counts classes up to all symmetries, or up to rotations.
func checkDistinct(ctx context.Context, s *subject) error {
	group := s.Problem.Symmetries
	if s.model != nil {
		group = s.model.Group(s.IntN(2) == 0).Symmetries()
	}
	if !s.listed || len(group) < 2 {
		return nil
	}
	least, err := leastOf(s.Problem, group, s.solutions)
	if err != nil {
		return err
	}
	if err := s.sameCanon(ctx, group, least); err != nil {
		return err
	}
	w := s.engine()
	r, err := count.Distinct(ctx, s.Problem, group, w.engine, w.Options)
	if err != nil {
		return err
	}
	if err := s.same("all, counted by classes", r.Total.Count, s.want); err != nil {
		return err
	}
	want := big.NewInt(int64(len(least)))
	if err := s.same(fmt.Sprintf("classes, by %s", w.engine), r.Count, want); err != nil || s.IntN(4) > 0 {
		return err
	}
	return s.drawsClasses(ctx, group, least)
}

// sameCanon asks a Canon for every solution whether it is the least of its class, and for the least
// solution of its class.
func (s *subject) sameCanon(ctx context.Context, group []cover.Symmetry, least [][]int) error {
	s.note(compared)
	canon, err := s.Problem.Canon(ctx, group)
	if err != nil {
		return err
	}
	for _, solution := range s.solutions {
		_, is := slices.BinarySearchFunc(least, solution, slices.Compare[[]int])
		says, first := canon.IsLeast(solution), canon.Least(solution)
		_, found := slices.BinarySearchFunc(least, first, slices.Compare[[]int])
		if says != is || !found || is && !slices.Equal(first, solution) {
			return fmt.Errorf("a Canon says of %v, least of its class: %v, want %v; that %v is, of %v", solution, says, is, first, least)
		}
	}
	return nil
}

// drawsClasses draws from the classes, of whose least members a draw is one.
func (s *subject) drawsClasses(ctx context.Context, group []cover.Symmetry, least [][]int) error {
	const draws = 20
	d, err := sample.From(ctx, s.Problem, sample.Request{Group: group}, alone)
	if err != nil {
		return err
	}
	if err := s.same("classes to draw from", d.Count(), big.NewInt(int64(len(least)))); err != nil {
		return err
	}
	for member, err := range d.Draws(ctx, sample.Seeded(s.Uint64()), draws) {
		if err != nil {
			return err
		}
		if _, ok := slices.BinarySearchFunc(least, member.Options, slices.Compare[[]int]); !ok {
			return fmt.Errorf("drew %v, want one of %v", member.Options, least)
		}
	}
	return nil
}

func checkVerify(ctx context.Context, s *subject) error {
	if !s.listed {
		return nil
	}
	o := verify.Options{Threads: 1 + s.IntN(2)}
	want := s.solutions
	if s.IntN(4) == 0 && len(s.Problem.Symmetries) > 1 {
		o.Classes = true
		var err error
		if want, err = leastOf(s.Problem, s.Problem.Symmetries, s.solutions); err != nil {
			return err
		}
	}
	return s.enumerates(ctx, o, want)
}

// enumerates lists all solutions by SAT, or with Classes the least of each.
func (s *subject) enumerates(ctx context.Context, o verify.Options, want [][]int) error {
	var found [][]int
	members := 0
	r, err := verify.Enumerate(ctx, s.Problem, o, func(options []int, class int) bool {
		found = append(found, slices.Clone(options))
		members += class
		return true
	})
	what := fmt.Sprintf("verify, classes %v", o.Classes)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := s.same(what, big.NewInt(r.Solutions), s.want); err != nil {
		return err
	}
	if err := s.same(what+", members", big.NewInt(int64(members)), s.want); err != nil {
		return err
	}
	listed := *s
	listed.solutions = want
	return listed.sameSets(what, found)
}

// checkCertificate writes a certificate and has it checked.
func checkCertificate(ctx context.Context, s *subject) error {
	w := way{count.Sweep, count.Options{Limits: count.Limits{Threads: 1 + s.IntN(2), Memory: caseMemory}}}
	if s.Kind != Large && s.IntN(3) == 0 {
		w.engine = count.Diagram
	}
	var file bytes.Buffer
	r, err := count.Certify(ctx, s.Problem, &file, w.engine, w.Options)
	if err != nil {
		return fmt.Errorf("certified by %s: %w", w.engine, err)
	}
	if err := s.same(fmt.Sprintf("certified by %s", w.engine), r.Count, s.want); err != nil {
		return err
	}
	c, err := verify.CheckCertificate(ctx, s.Problem, &file, verify.CertificateOptions{Memory: caseMemory})
	if err != nil {
		return err
	}
	s.note("certificates accepted")
	return s.same("accepted", c.Count, s.want)
}

func checkText(_ context.Context, s *subject) error {
	s.note(compared)
	var first, second bytes.Buffer
	if err := s.Problem.WriteText(&first); err != nil {
		return err
	}
	back, err := cover.Read("text", bytes.NewReader(first.Bytes()))
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, &first)
	}
	if err := back.WriteText(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		return fmt.Errorf("written again (%v):\n%s\nwas\n%s", err, &second, &first)
	}
	want := numbered(s.Problem)
	same := reflect.DeepEqual(back.Items, want.Items) && slices.EqualFunc(back.Orders, want.Orders, slices.Equal)
	if !same || !slices.EqualFunc(back.Options, want.Options, slices.Equal) || !slices.Equal(back.Colours, want.Colours) {
		return fmt.Errorf("read %+v, was %+v", back, s.Problem)
	}
	return nil
}
