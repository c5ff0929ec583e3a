package band

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// heard has the notices of a run.
type heard struct {
	mu  sync.Mutex
	all []Notice
}

func (h *heard) tell(n Notice) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, n)
}

// count returns the number of notices of an event.
func (h *heard) count(e Event) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.all {
		if x.Event == e {
			n++
		}
	}
	return n
}

// half returns a run that was stopped when its fourth level was complete.
func half(t testing.TB, o Options, board ...string) (*storetest.Memory, *Run, *Level) {
	t.Helper()
	m := storetest.New()
	r := create(t, m, puzzletest.Inline(t, board[0], board[1:]...).Problem, o)
	return m, r, stopped(t, r, 3)
}

// TestSlabsDamaged: a slab of the last level is damaged at each byte, cut off, exchanged or lost. The
// task that reads it detects this, and the slab is made again with the same bytes.
func TestSlabsDamaged(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any", "domino=0..2")
	if len(l.Slabs) != 2 {
		t.Fatalf("%d slabs", len(l.Slabs))
	}
	task := Task{l.Name(), l.At + 4, l.At + 8, 0, 1} // this task reads all states
	before, err := r.level(t.Context(), l.Before)
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Do(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	receipt := r.path(receiptsFolder, made.Name)
	name := func(l *Level, i int) string { return r.path(slabsFolder, l.Slabs[i].Slab.Name) }
	slabs := [][]byte{m.Bytes(name(l, 0)), m.Bytes(name(l, 1))}
	try := func(what string, broken int, damage func()) {
		t.Helper()
		damage()
		m.Lose(receipt)
		h := &heard{}
		r.Notice = h.tell
		again, err := r.Do(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if again.Slab.Name != made.Slab.Name || again.States != made.States || again.Residue != made.Residue {
			t.Fatalf("%s: the task comes to something else", what)
		}
		if h.count(MadeAgain) != broken || again.Cost.Mended != broken {
			t.Fatalf("%s: %d slabs were made again, %d by the receipt, want %d", what, h.count(MadeAgain), again.Cost.Mended, broken)
		}
		for i, want := range slabs {
			if !slices.Equal(m.Bytes(name(l, i)), want) {
				t.Fatalf("%s: slab %d has changed", what, i)
			}
		}
	}
	try("nothing", 0, func() {})
	for at := range slabs[0] {
		try(fmt.Sprint("byte ", at), 1, func() { m.Flip(name(l, 0), at) })
	}
	for _, n := range []int{0, 1, len(slabs[1]) / 2, len(slabs[1]) - 1} {
		try(fmt.Sprint("cut off behind ", n), 1, func() { m.Truncate(name(l, 1), n) })
	}
	try("lost", 1, func() { m.Lose(name(l, 0)) })
	try("both lost", 2, func() { m.Lose(name(l, 0)); m.Lose(name(l, 1)) })
	try("exchanged", 2, func() { m.Exchange(name(l, 0), name(l, 1)) })
	try("of another level", 1, func() { m.Put(name(l, 0), m.Bytes(name(before, 0))) })
}

// TestSlabsOfAllLevelsLost: if slabs of the level before are missing too, they are made first, down to
// level 0.
func TestSlabsOfAllLevelsLost(t *testing.T) {
	m, r, _ := half(t, Options{Band: 4, Tasks: 3, Least: 1}, "5x6", "tetrominoes=any", "domino=0..2")
	want := counted(t, puzzletest.Inline(t, "5x6", "tetrominoes=any", "domino=0..2").Problem)
	for _, name := range files(t, m, r, slabsFolder) {
		m.Lose(r.path(slabsFolder, name))
	}
	h := &heard{}
	r.Notice = h.tell
	if a := local(t, r, Hooks{}); a.Count.String() != want {
		t.Errorf("%v, want %s", a.Count, want)
	}
	if h.count(MadeAgain) < 8 {
		t.Errorf("%d slabs were made again", h.count(MadeAgain))
	}
}

// TestAlwaysDamaged: a slab that is damaged after each write is an error, and not an endless loop.
func TestAlwaysDamaged(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 1}, "4x5", "tetrominoes=any", "domino=0..2")
	name := r.path(slabsFolder, l.Slabs[0].Slab.Name)
	m.Fail = func(c storetest.Call) error {
		if c.Kind == "range" && c.Name == name {
			m.Flip(name, 0)
			m.Flip(name, len(m.Bytes(name))-1)
		}
		return nil
	}
	_, err := r.Do(t.Context(), r.Tasks(l)[0])
	if err == nil || !strings.Contains(err.Error(), l.Slabs[0].Slab.Name) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want the slab's name", err)
	}
}

// TestLevelsDamaged: a run continues from the last level that is not damaged.
func TestLevelsDamaged(t *testing.T) {
	o := Options{Band: 4, Tasks: 2, Least: 1}
	m, r, last := half(t, o, "4x5", "tetrominoes=any", "domino=0..2")
	want := counted(t, puzzletest.Inline(t, "4x5", "tetrominoes=any", "domino=0..2").Problem)
	levels := files(t, m, r, levelsFolder)
	file := r.path(levelsFolder, levels[len(levels)-1])
	sound := m.Bytes(file)
	damage := func(what string, how func()) {
		t.Helper()
		how()
		h := &heard{}
		again, err := Open(t.Context(), m, r.Folder)
		if err != nil {
			t.Fatal(err)
		}
		again.Notice = h.tell
		l, err := again.Last(t.Context())
		if err != nil || l.Name() != last.Before {
			t.Fatalf("%s: it goes on from %v, %v; want %s", what, l, err, last.Before)
		}
		if h.count(PassedOver) != 1 {
			t.Errorf("%s: %d files were passed over", what, h.count(PassedOver))
		}
		m.Put(file, sound)
	}
	for at := range sound {
		if at%testkit.Size(17, 1) == 0 {
			damage(fmt.Sprint("byte ", at), func() { m.Flip(file, at) })
		}
	}
	for _, n := range []int{0, 1, len(sound) / 2, len(sound) - 1} {
		damage(fmt.Sprint("cut off behind ", n), func() { m.Truncate(file, n) })
	}
	damage("another level", func() { m.Put(file, m.Bytes(r.path(levelsFolder, levels[0]))) })
	for _, name := range levels {
		m.Flip(r.path(levelsFolder, name), 100)
	}
	h := &heard{}
	r = create(t, m, puzzletest.Inline(t, "4x5", "tetrominoes=any", "domino=0..2").Problem, o)
	r.Notice = h.tell
	if a := local(t, r, Hooks{}); a.Count.String() != want {
		t.Errorf("%v, want %s", a.Count, want)
	}
	if h.count(PassedOver) != len(levels) || h.count(Repeated) < 5 || h.count(MadeAgain) > 0 {
		t.Errorf("%d levels were passed over, %d tasks were done already, %d slabs were made again", h.count(PassedOver), h.count(Repeated), h.count(MadeAgain))
	}
}

// TestReceiptsDamaged: a damaged receipt counts as missing.
func TestReceiptsDamaged(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any", "domino=0..2")
	tasks := r.Tasks(l)
	var made [2]*Receipt
	var file [2]string
	for i := range made {
		var err error
		if made[i], err = r.Do(t.Context(), tasks[i]); err != nil {
			t.Fatal(err)
		}
		file[i] = r.path(receiptsFolder, made[i].Name)
	}
	sound := m.Bytes(file[0])
	try := func(what string, how func()) {
		t.Helper()
		how()
		h := &heard{}
		r.Notice = h.tell
		again, err := r.Do(t.Context(), tasks[0])
		if err != nil || again.Slab.Name != made[0].Slab.Name || h.count(PassedOver) != 1 || h.count(Repeated) != 0 {
			t.Fatalf("%s: %+v, %v, notices %v", what, again, err, h.all)
		}
		var kept Receipt
		if err := read(t.Context(), m, file[0], receiptKind, &kept); err != nil || kept.Name != made[0].Name {
			t.Fatalf("%s: the receipt is not made again: %v", what, err)
		}
		m.Put(file[0], sound)
	}
	for at := range sound {
		if at%testkit.Size(7, 1) == 0 {
			try(fmt.Sprint("byte ", at), func() { m.Flip(file[0], at) })
		}
	}
	try("empty", func() { m.Truncate(file[0], 0) })
	try("cut off", func() { m.Truncate(file[0], len(sound)-1) })
	try("another receipt", func() { m.Put(file[0], m.Bytes(file[1])) })
}

// TestPlanDamaged: opening a run whose plan or problem is damaged is an error of one line. A driver
// that creates the run again mends it.
func TestPlanDamaged(t *testing.T) {
	m := storetest.New()
	p, o := usual(t)
	r := create(t, m, p, o)
	for _, name := range []string{planFile, problemFile} {
		file := r.path(name)
		sound := m.Bytes(file)
		try := func(what string, how func()) {
			t.Helper()
			how()
			_, err := Open(t.Context(), m, r.Folder)
			if !damaged(err) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
				t.Fatalf("%s: %s: %v", name, what, err)
			}
			if what == "cut off" || what == "lost" {
				create(t, m, p, o)
				if !slices.Equal(m.Bytes(file), sound) {
					t.Errorf("%s: %s: it is not mended", name, what)
				}
			}
			m.Put(file, sound)
		}
		for at := range sound {
			if at%testkit.Size(11, 1) == 0 {
				try(fmt.Sprint("byte ", at), func() { m.Flip(file, at) })
			}
		}
		try("cut off", func() { m.Truncate(file, len(sound)-1) })
		try("empty", func() { m.Truncate(file, 0) })
		try("lost", func() { m.Lose(file) })
	}
	other := create(t, m, p, Options{Prime: 1_000_003})
	m.Exchange(r.path(planFile), other.path(planFile))
	if _, err := Open(t.Context(), m, r.Folder); !errors.Is(err, ErrDamaged) {
		t.Errorf("the plan of another run: %v", err)
	}
}

// TestRandomDamage: the count is right whatever is damaged between bands.
func TestRandomDamage(t *testing.T) {
	p, o := usual(t)
	want := counted(t, p)
	o.Band = 3
	h := &heard{}
	for seed := range uint64(testkit.Size(2, 40)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m := storetest.New()
		r := create(t, m, p, o)
		r.Notice = h.tell
		damage := func(names []string) {
			name := names[rng.IntN(len(names))]
			if strings.Contains(name, "/plan") || strings.Contains(name, "/problem") || len(m.Bytes(name)) == 0 {
				return
			}
			switch rng.IntN(4) {
			case 0:
				m.Flip(name, rng.IntN(len(m.Bytes(name))))
			case 1:
				m.Truncate(name, rng.IntN(len(m.Bytes(name))))
			case 2:
				m.Lose(name)
			case 3:
				m.Exchange(name, names[rng.IntN(len(names))])
			}
		}
		for {
			a, err := Local(t.Context(), r, 3, Hooks{Level: func(*Level) {
				for range rng.IntN(3) {
					damage(slices.DeleteFunc(m.Names(), func(name string) bool {
						return strings.HasSuffix(name, planFile) || strings.HasSuffix(name, problemFile)
					}))
				}
			}})
			if err != nil && (damaged(err) || strings.Contains(err.Error(), "is not done")) { // the last level may be damaged too
				if _, after, found := strings.Cut(err.Error(), "; delete "); found { // delete the file that the error names
					name, _, _ := strings.Cut(after, ":")
					if err := m.Remove(t.Context(), name); err != nil {
						t.Fatal(err)
					}
				}
				if r, err = Open(t.Context(), m, r.Folder); err != nil { // the file of a level: the run continues from another level
					t.Fatal(err)
				}
				r.Notice = h.tell
				continue
			}
			if err != nil || a.Count.String() != want {
				t.Fatalf("seed %d: %v, %v, want %s", seed, a, err, want)
			}
			break
		}
	}
	if len(h.all) == 0 {
		t.Error("nothing was noticed")
	}
}

// TestMendingEnds: a task waits for another task that makes a slab again. If the context of the other
// task ends, the task makes the slab itself.
func TestMendingEnds(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any", "domino=0..2")
	lost := l.Slabs[0]
	file := r.path(slabsFolder, lost.Slab.Name)
	m.Lose(file)
	synctest.Test(t, func(t *testing.T) {
		other, end := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			_, _, _ = r.mending.Do(lost.Slab.Name, func() (any, error) {
				<-other.Done()
				return nil, other.Err()
			})
		}()
		synctest.Wait()
		mended := make(chan error)
		go func() {
			_, err := r.mend(t.Context(), &unreadable{lost, errors.New("lost")})
			mended <- err
		}()
		synctest.Wait()
		end()
		if err := <-mended; err != nil || !slices.Contains(m.Names(), file) {
			t.Errorf("%v; the slab is not there", err)
		}
		<-stopped
	})
}
