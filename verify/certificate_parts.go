package verify

import (
	"bufio"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// This file checks version 5: covers that are simplified and then cut into parts.

const partsMagic = "pavage certificate 5\n"

const (
	forced = iota
	only
	idle
	implied
	unmet
)

type simplified struct {
	c        *certificate
	users    [][]int // users[i] are the options that use item i
	left     []bool  // left[o] is true while option o is neither chosen nor dropped
	need     []int64 // need[i] is the number of uses of item i still required
	room     []int64 // room[i] is the number of uses of item i still allowed, or math.MaxInt64
	coloured []bool
	colour   []int32 // colour[i] is the colour with which a chosen option uses item i, or 0
	ignored  []bool
}

func (c *certificate) checkParts() {
	c.body, c.hashed = bufio.NewReaderSize(c, 1<<16), bufio.NewWriter(c.hash)
	c.readDigest()
	c.at("start of the simplification")
	s := c.simplified()
	count := big.NewInt(1)
	steps := c.within("number of steps", 0, len(c.p.Items)+len(c.p.Options)+1)
	for k := range steps {
		c.at("step %d of the simplification", k+1)
		if s.step() == unmet {
			c.want(k+1 == steps, "%d steps follow this step, expected no further step", steps-k-1)
			count.SetInt64(0)
		}
	}
	if count.Sign() > 0 {
		c.readParts(s, count)
	}
	c.at("end")
	c.long(&c.x, count.BitLen()+64)
	c.want(c.x.Cmp(count) == 0, "the count is %s, but the product of the counts of the parts is %s", &c.x, count)
	c.Count = count
	c.readSum()
}

func (c *certificate) simplified() *simplified {
	items := len(c.p.Items)
	s := &simplified{
		c: c, users: make([][]int, items), left: make([]bool, len(c.p.Options)), need: make([]int64, items), room: make([]int64, items),
		coloured: c.p.ColouredItems(), colour: make([]int32, items), ignored: make([]bool, items),
	}
	for i, it := range c.p.Items {
		s.need[i], s.room[i] = int64(it.Min), int64(it.Max)
		if it.Max == cover.Unbounded {
			s.room[i] = math.MaxInt64
		}
	}
	for o, option := range c.p.Options {
		s.left[o] = s.fits(o)
		for _, u := range option {
			s.users[u.Item] = append(s.users[u.Item], o)
		}
		c.poll(len(option))
	}
	return s
}

func (s *simplified) fits(o int) bool {
	return !slices.ContainsFunc(s.c.p.Options[o], func(u cover.Use) bool {
		return int64(u.Times) > s.room[u.Item] || s.colour[u.Item] != 0 && s.colour[u.Item] != u.Colour
	})
}

func (s *simplified) usersOf(i int) (users []int, total int64) {
	s.c.poll(1 + len(s.users[i]))
	for _, o := range s.users[i] {
		if s.left[o] {
			users, total = append(users, o), total+int64(s.use(o, i).Times)
		}
	}
	return users, total
}

// use returns o's use of item i, or the zero Use.
func (s *simplified) use(o, i int) cover.Use {
	option := s.c.p.Options[o]
	at, found := slices.BinarySearchFunc(option, i, func(u cover.Use, i int) int { return u.Item - i })
	if !found {
		return cover.Use{}
	}
	return option[at]
}

func (s *simplified) allUse(options []int, i int) bool {
	s.c.poll(len(options))
	return !slices.ContainsFunc(options, func(o int) bool { return s.use(o, i).Times == 0 })
}

// single reports whether any two options that use the item exclude each other.
func (s *simplified) single(i int) bool { return s.room[i] == 1 && !s.coloured[i] }

func (s *simplified) step() int {
	c := s.c
	rule := c.within("rule", forced, unmet)
	i := c.within("item", 0, len(c.p.Items)-1)
	c.want(!s.ignored[i], "item %d is ignored already", i)
	users, total := s.usersOf(i)
	by := -1
	if rule == only || rule == implied {
		by = c.within("other item", 0, len(c.p.Items)-1)
		c.want(by != i && !s.ignored[by], "the other item %d is item %d itself or ignored", by, i)
	}
	switch rule {
	case forced:
		spare := total - s.need[i]
		users = slices.DeleteFunc(users, func(o int) bool { return int64(s.use(o, i).Times) <= spare })
		c.want(s.need[i] > 0 && len(users) > 0, "the min of item %d does not require any option", i)
		for _, o := range users {
			if s.left[o] {
				s.take(o)
			}
		}
	case only:
		needed, _ := s.usersOf(by)
		c.want(s.single(i) && s.need[by] > 0 && s.allUse(needed, i),
			"item %[2]d requires no option, its options do not all use item %[1]d, or more than one option may use item %[1]d", i, by)
		dropped := slices.DeleteFunc(users, func(o int) bool { return s.use(o, by).Times > 0 })
		c.want(len(dropped) > 0, "no option is dropped")
		for _, o := range dropped {
			s.left[o] = false
		}
	case idle:
		one := len(users) > 0 && !slices.ContainsFunc(users, func(o int) bool {
			u := s.use(o, i)
			return u.Colour == 0 || u != s.use(users[0], i)
		})
		c.want(s.need[i] <= 0 && (total <= s.room[i] || one), "the bounds of item %d may still exclude a solution", i)
		s.ignored[i] = true
	case implied:
		needed, _ := s.usersOf(by)
		needs := s.need[i] <= 0 || s.need[i] == 1 && s.need[by] > 0 && s.allUse(needed, i)
		c.want(needs && s.single(by) && s.allUse(users, by), "item %d does not follow from item %d", i, by)
		s.ignored[i] = true
	case unmet:
		c.want(total < s.need[i], "item %d must be used %d times, and its options allow %d, expected fewer", i, s.need[i], total)
		c.Unmet = &Unmet{i, c.p.Items[i].Min}
	}
	return rule
}

func (s *simplified) take(o int) {
	s.left[o] = false
	for _, u := range s.c.p.Options[o] {
		switch i := u.Item; {
		case s.colour[i] != 0: // used with this colour by an earlier option
		case u.Colour != 0:
			s.colour[i] = u.Colour
		default:
			s.need[i] -= int64(u.Times)
			if s.room[i] != math.MaxInt64 {
				s.room[i] -= int64(u.Times)
			}
		}
	}
	for _, u := range s.c.p.Options[o] {
		if i := u.Item; s.room[i] != math.MaxInt64 {
			s.c.poll(len(s.users[i]))
			s.users[i] = slices.DeleteFunc(s.users[i], func(other int) bool {
				s.left[other] = s.left[other] && s.fits(other)
				return !s.left[other]
			})
		}
	}
}

// readParts reads the certificates of the parts, and multiplies count by the counts of the parts.
func (c *certificate) readParts(s *simplified, count *big.Int) {
	type part struct {
		digest   string
		coloured bool // whether the digest includes colours
		count    *big.Int
	}
	var parts []part
	number := make([]int, len(c.p.Items)) // number[i] is the index of item i in its part
	in := make([]int, len(c.p.Items))     // in[i] is the number of item i's part, from 1; 0 means none
	counted := make([]bool, len(c.p.Options))
	for k := range c.within("number of parts", 0, len(c.p.Options)) {
		c.at("part %d", k+1)
		q := &cover.Problem{Colours: c.p.Colours}
		for n := range c.within("number of items", 0, len(c.p.Items)) {
			i := c.within("item", 0, len(c.p.Items)-1)
			c.want(in[i] == 0 && !s.ignored[i], "item %d is in another part or ignored", i)
			in[i], number[i] = k+1, n
			it := cover.Item{Min: int(max(0, s.need[i])), Max: cover.Unbounded}
			if s.room[i] != math.MaxInt64 {
				it.Max = int(s.room[i])
			}
			q.Items = append(q.Items, it)
		}
		for range c.within("number of options", 1, len(c.p.Options)) {
			o := c.within("option", 0, len(c.p.Options)-1)
			c.want(s.left[o] && !counted[o], "option %d is in another part, chosen or dropped", o)
			counted[o] = true
			option := cover.Option{}
			for _, u := range c.p.Options[o] {
				if s.ignored[u.Item] {
					continue
				}
				c.want(in[u.Item] == k+1, "option %d uses item %d of another part", o, u.Item)
				u.Item = number[u.Item]
				option = append(option, u)
			}
			c.want(len(option) > 0 || len(q.Items) == 0, "option %d uses no item of its part", o)
			slices.SortFunc(option, func(a, b cover.Use) int { return a.Item - b.Item })
			q.Options = append(q.Options, option)
			c.poll(len(option))
		}
		digest, coloured := string(coverDigest(q)), q.Coloured()
		if same := c.within("number of an equal part", 0, k); same > 0 {
			c.want(parts[same-1].digest == digest && parts[same-1].coloured == coloured, "the cover of the part differs from the cover of part %d", same)
			parts = append(parts, parts[same-1])
		} else {
			n := c.readWithin(q)
			c.long(&c.x, n.BitLen()+64)
			c.want(c.x.Cmp(n) == 0, "the count of the part is %s, but the certificate of the part has the count %s", &c.x, n)
			parts = append(parts, part{digest, coloured, n})
		}
		count.Mul(count, parts[k].count)
	}
	c.at("parts")
	for o, left := range s.left {
		c.want(!left || counted[o], "option %d is in no part", o)
	}
	for i := range in {
		c.want(in[i] > 0 || s.ignored[i], "item %d is in no part", i)
	}
	c.Parts = len(parts)
}
