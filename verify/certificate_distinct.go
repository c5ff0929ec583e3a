package verify

import (
	"bufio"
	"crypto/sha256"
	"io"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// CertifiedDistinct is what an accepted certificate says of a count up to symmetry.
type CertifiedDistinct struct {
	Count   *big.Int // classes of solutions
	Order   int      // of the group
	Classes []CertifiedClass
}

// CertifiedClass is a class of elements of the group, which fix equally many solutions.
type CertifiedClass struct {
	Elements int
	Element  int      // index of one of them in the group
	Fixed    *big.Int // solutions that it fixes
}

const distinctMagic = "pavage certificate 4\n"

// distinct is a certificate of version 4 during its check: c reads what is not in the
// certificates of its classes.
type distinct struct {
	*certificate
	group   group
	met     []bool  // elements of the classes so far
	done    int     // how many these are
	sum     big.Int // of the solutions that they fix
	results CertifiedDistinct
}

// checkDistinct goes through a certificate of version 4.
func (c *certificate) checkDistinct() {
	c.body, c.hashed = bufio.NewReaderSize(c, 1<<16), bufio.NewWriter(c.hash)
	c.readDigest()
	c.at("group")
	order := c.within("order of the group", 1, cover.MaxSymmetries)
	var elements []cover.Symmetry
	if c.o.Group != nil {
		elements = c.o.Group(order)
	}
	c.want(len(elements) > 0, "it is of a count up to symmetry, by a group of order %d, want one of all solutions", order)
	c.want(len(elements) == order, "it is of a group of order %d, want the order %d", order, len(elements))
	d := &distinct{certificate: c, group: c.makeGroup(elements), met: make([]bool, order), results: CertifiedDistinct{Order: order}}
	for d.done < order {
		d.readClass()
	}
	d.readMean()
	c.Distinct = &d.results
}

// readClass reads a class of elements: the least of them, and the certificate of how many
// solutions this fixes.
func (d *distinct) readClass() {
	d.at("class %d", len(d.results.Classes)+1)
	size := d.within("number of elements", 1, d.results.Order-d.done)
	s := make(cover.Symmetry, len(d.p.Items))
	for i := range s {
		s[i] = d.within("item", 0, len(s)-1)
	}
	least, found := slices.BinarySearchFunc(d.group.sorted, s, slices.Compare[cover.Symmetry])
	d.want(found, "its permutation is none of the group")
	d.want(least == slices.Index(d.met, false), "its element is not the least of those without a class")
	class := d.group.class(least)
	d.want(len(class) == size, "it has %d elements, want %d", size, len(class))
	for _, k := range class {
		d.met[k] = true
	}
	d.done += size
	fixed := d.readFixed(s)
	d.sum.Add(&d.sum, d.x.Mul(fixed, d.y.SetInt64(int64(size))))
	d.results.Classes = append(d.results.Classes, CertifiedClass{size, d.group.index[least], fixed})
}

// readFixed checks the certificate of the solutions that a symmetry fixes: those of the
// quotient, which is made here.
func (d *distinct) readFixed(s cover.Symmetry) *big.Int {
	first := len(d.results.Classes) == 0
	q := d.p
	if !first {
		q = d.certificate.quotient(s, d.group.images(d.certificate, s))
	}
	from := &pieces{of: d.certificate}
	c := &certificate{ctx: d.ctx, p: q, file: from, o: d.o, start: d.start, hash: sha256.New(), place: "first line", state: -1, where: d.place + ", "}
	c.o.Group = nil
	if tell := d.o.Progress; tell != nil {
		c.o.Progress = func(x Certified) { tell(d.with(&x)) }
	}
	err := c.accept()
	if from.err != nil {
		panic(stop{from.err})
	}
	if err != nil {
		panic(stop{err})
	}
	_, end := from.Read(make([]byte, 1))
	d.want(end == io.EOF, "bytes follow its certificate (%v), want none", end)
	d.Certified = d.with(&c.Certified)
	if first {
		d.Count, d.Unmet = c.Count, c.Unmet
	}
	d.long(&d.x, c.Count.BitLen()+64)
	d.want(d.x.Cmp(c.Count) == 0, "its elements fix %s solutions, but its certificate says %s", &d.x, c.Count)
	return c.Count
}

// with is what all certificates so far say, with that of another quotient.
func (d *distinct) with(x *Certified) Certified {
	sum := d.Certified
	sum.Levels, sum.States, sum.Arcs = sum.Levels+x.Levels, sum.States+x.States, sum.Arcs+x.Arcs
	sum.Bytes, sum.Elapsed = sum.Bytes+x.Bytes, x.Elapsed
	return sum
}

// readMean compares the number of classes of solutions, and the SHA-256.
func (d *distinct) readMean() {
	d.at("end")
	count, rest := new(big.Int).QuoRem(&d.sum, big.NewInt(int64(d.results.Order)), new(big.Int))
	d.want(rest.Sign() == 0, "the elements fix %s solutions together, no multiple of their number %d", &d.sum, d.results.Order)
	d.long(&d.x, count.BitLen()+64)
	d.want(d.x.Cmp(count) == 0, "the number of classes of solutions is %s, but the mean is %s", &d.x, count)
	d.results.Count = count
	d.readSum()
}

// pieces reads a certificate within another.
type pieces struct {
	of   *certificate
	left int // bytes of the present piece
	last bool
	err  error // what was wrong with a piece
}

const pieceBytes = 1 << 16

// Read implements [io.Reader], for zstd, which a panic must not leave half done.
func (p *pieces) Read(b []byte) (n int, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			p.err = reason.(stop).error
			n, err = 0, p.err
		}
	}()
	if p.err != nil {
		return 0, p.err
	}
	if p.left == 0 && !p.last {
		p.left = p.of.within("length of a piece", 0, pieceBytes)
		p.last = p.left < pieceBytes
	}
	if p.left == 0 {
		return 0, io.EOF
	}
	n, err = p.of.body.Read(b[:min(len(b), p.left)])
	p.of.want(err == nil, "the certificate is damaged or ends too early: %v", err)
	p.of.hashed.Write(b[:n])
	p.left -= n
	return n, nil
}
