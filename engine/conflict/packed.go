package conflict

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"sync"
	"time"
)

// Packed is an Analysis in one string without pointers. It takes an eighth of the memory, and the
// garbage collector does not scan it. Unpacking costs a tenth of reading the text again.
//
// It is valid only in the process that made it. It holds the words, each once or nearly so, then
// the fields in the order of the functions below: numbers as varints, words by their index.
type Packed string

// Pack packs an Analysis.
func (a *Analysis) Pack() Packed {
	p := packers.Get().(*packer)
	defer p.done()
	p.analysis(a)
	fields := len(p.out)
	p.out = binary.AppendUvarint(p.out, uint64(len(p.words)))
	for _, w := range p.words {
		p.out = append(binary.AppendUvarint(p.out, uint64(len(w))), w...)
	}
	var b strings.Builder
	b.Grow(len(p.out))
	b.Write(p.out[fields:])
	b.Write(p.out[:fields])
	return Packed(b.String())
}

// Analysis unpacks p. Instants are in UTC. The result shares the bytes of p.
func (p Packed) Analysis() (a Analysis) {
	u := packers.Get().(*packer)
	defer u.done()
	u.in, u.reading = string(p), true
	for range u.uvarint() {
		n := int(u.uvarint())
		u.words, u.in = append(u.words, u.in[:n]), u.in[n:]
	}
	u.analysis(&a)
	return a
}

// packer writes or reads a Packed. The functions below do both, so that writing and reading agree.
type packer struct {
	reading bool
	out     []byte      // written so far, without the words
	in      string      // still to be read
	words   []string    // in order of first use
	seen    [256]uint16 // by wordHash, the index of a word that was written, plus 1
}

var packers = sync.Pool{New: func() any { return &packer{} }}

// done returns a packer to the pool without the words of the text.
func (p *packer) done() {
	clear(p.words)
	clear(p.out)
	*p = packer{out: p.out[:0], words: p.words[:0]}
	packers.Put(p)
}

// uvarint reads an unsigned varint.
func (p *packer) uvarint() (x uint64) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		c := p.in[i]
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			p.in = p.in[i+1:]
			return x
		}
	}
}

// unsigned packs an unsigned integer as a varint.
func (p *packer) unsigned(x *uint64) {
	if p.reading {
		*x = p.uvarint()
	} else {
		p.out = binary.AppendUvarint(p.out, *x)
	}
}

// integer packs a signed integer, zigzag-encoded.
func integer[T ~int | ~int8 | ~int64 | ~uint8 | ~uint32](p *packer, x *T) {
	z := uint64(int64(*x)<<1 ^ int64(*x)>>63)
	p.unsigned(&z)
	*x = T(int64(z>>1) ^ -int64(z&1))
}

// real packs a float with its bits reversed, because round numbers end with many zero bits.
func (p *packer) real(x *float64) {
	b := bits.Reverse64(math.Float64bits(*x))
	p.unsigned(&b)
	*x = math.Float64frombits(bits.Reverse64(b))
}

// flags packs up to 64 bools in one varint.
func (p *packer) flags(all ...*bool) {
	var b uint64
	for i, f := range all {
		if *f {
			b |= 1 << i
		}
	}
	p.unsigned(&b)
	for i, f := range all {
		*f = b>>i&1 > 0
	}
}

// text packs a word as its index in words. A word that is used for the first time is added.
func (p *packer) text(s *string) {
	if p.reading {
		*s = p.words[p.uvarint()]
		return
	}
	// Two words with the same hash replace each other: one of them is then written twice.
	slot := &p.seen[wordHash(*s)]
	if n := int(*slot); n == 0 || p.words[n-1] != *s {
		if p.words = append(p.words, *s); len(p.words) <= math.MaxUint16 {
			*slot = uint16(len(p.words))
		}
		p.out = binary.AppendUvarint(p.out, uint64(len(p.words)-1))
		return
	}
	p.out = binary.AppendUvarint(p.out, uint64(*slot-1))
}

// wordHash is a cheap hash of the length and three bytes of a word.
func wordHash(s string) uint8 {
	n := len(s)
	if n == 0 {
		return 0
	}
	return uint8(n) + s[0]*3 + s[n/2]*7 + s[n-1]*31
}

// instant packs a time; the zero time takes one byte.
func (p *packer) instant(t *time.Time) {
	there := !t.IsZero()
	if p.flags(&there); !there {
		return
	}
	s, n := t.Unix(), t.Nanosecond()
	integer(p, &s)
	if integer(p, &n); p.reading {
		*t = time.Unix(s, int64(n)).UTC()
	}
}

// list packs a slice, which may be nil.
func list[T any](p *packer, xs *[]T, each func(*packer, *T)) {
	n := uint64(len(*xs))
	if *xs != nil {
		n++
	}
	if p.unsigned(&n); p.reading && n > 0 {
		*xs = make([]T, n-1)
	}
	for i := range *xs {
		each(p, &(*xs)[i])
	}
}

// maybe packs a flag and, if the pointer is not nil, its value.
func maybe[T any](p *packer, x **T, each func(*packer, *T)) {
	there := *x != nil
	if p.flags(&there); !there {
		return
	}
	if p.reading {
		*x = new(T)
	}
	each(p, *x)
}

func (p *packer) texts(xs *[]string) { list(p, xs, (*packer).text) }
func (p *packer) values(xs *[]value) { list(p, xs, (*packer).value) }
func (p *packer) tokens(xs *[]token) { list(p, xs, (*packer).token) }

// analysis packs the fields in the order of the struct; the order defines the packed form.
func (p *packer) analysis(a *Analysis) {
	s := &a.statement
	p.text(&s.Text)
	p.text(&s.Subject)
	p.text(&s.Predicate)
	p.text(&s.Object)
	p.instant(&s.At)
	p.real(&s.Cosine)
	list(p, &a.clauses, (*packer).clause)
	list(p, &a.claims, (*packer).claim)
	integer(p, &a.main)
	list(p, &a.aligned, (*packer).alignedClause)
	list(p, &a.measurements, (*packer).measurement)
	list(p, &a.channels, (*packer).channel)
	list(p, &a.roles, (*packer).role)
	maybe(p, &a.rare, (*packer).rareFacts)
	p.values(&a.profile.vals)
	list(p, &a.profile.words, func(p *packer, w *profileWord) { p.text(&w.lem); p.flags(&w.name) })
	p.text(&a.triple.subject)
	p.text(&a.triple.predicate)
	p.assertion(&a.triple.object)
	p.values(&a.triple.value)
	p.flags(&a.triple.ok)
	p.text(&a.self)
}

func (p *packer) token(t *token) {
	p.text(&t.raw)
	p.text(&t.low)
	p.text(&t.lem)
	p.flags(&t.upper, &t.first, &t.punctuation, &t.used, &t.verb, &t.finite, &t.strong, &t.past, &t.ing, &t.code)
	integer(p, &t.class)
}

func (p *packer) value(v *value) {
	integer(p, &v.kind)
	p.real(&v.num)
	integer(p, &v.year)
	p.text(&v.unit)
	p.text(&v.text)
	p.flags(&v.vague, &v.partial, &v.recurring, &v.beforeVerb)
	p.text(&v.prep)
	integer(p, &v.index)
}

func (p *packer) clause(c *clause) {
	p.texts(&c.subject)
	p.flags(&c.named, &c.plural, &c.weak, &c.open, &c.progressive, &c.passive, &c.negated, &c.never, &c.ended, &c.hedged)
	p.text(&c.verb)
	list(p, &c.items, (*packer).item)
	p.values(&c.values)
	p.texts(&c.qualifiers)
	p.text(&c.condition)
	integer(p, &c.frequency)
	integer(p, &c.tense)
	integer(p, &c.modality)
	list(p, &c.assertions, (*packer).assertion)
	p.tokens(&c.relative)
}

func (p *packer) item(x *item) {
	p.text(&x.lem)
	p.text(&x.low)
	p.text(&x.prep)
	p.text(&x.det)
	p.text(&x.degree)
	p.flags(&x.last, &x.proper, &x.compared)
}

func (p *packer) assertion(a *assertion) {
	p.texts(&a.subject)
	p.text(&a.predicate)
	p.texts(&a.object)
	p.text(&a.name)
	p.flags(&a.proper, &a.ended, &a.past, &a.nameOnly)
}

func (p *packer) claim(c *claim) {
	p.texts(&c.owner)
	p.tokens(&c.subject)
	p.text(&c.attribute)
	integer(p, &c.kind)
	p.flags(&c.past, &c.weak, &c.copular, &c.proper)
	p.texts(&c.words)
	p.text(&c.name)
	p.texts(&c.rest)
	p.values(&c.vals)
	p.text(&c.text)
	p.texts(&c.context)
}

// alignedClause packs a clause as the cells that are compared position by position.
func (p *packer) alignedClause(f *alignedClause) {
	list(p, &f.cells, func(p *packer, c *cell) {
		p.text(&c.low)
		p.text(&c.lem)
		p.flags(&c.upper, &c.verb)
		maybe(p, &c.val, (*packer).value)
	})
	integer(p, &f.verb)
	p.flags(&f.past, &f.person, &f.definite)
}

// measurement packs the quantity that a clause states, with the words that name it.
func (p *packer) measurement(t *measurement) {
	p.texts(&t.words)
	p.text(&t.owner)
	p.values(&t.vals)
	p.text(&t.per)
	integer(p, &t.end)
	p.flags(&t.hasCommonNoun)
}

// channel packs the language, host or place in which something is made or kept.
func (p *packer) channel(m *channel) {
	p.texts(&m.words)
	integer(p, &m.way)
	p.flags(&m.made, &m.kept)
	p.text(&m.name)
	p.texts(&m.keys)
}

// role packs a post and the person that holds it.
func (p *packer) role(o *role) {
	p.text(&o.post)
	p.texts(&o.of)
	p.text(&o.holder)
	p.text(&o.predecessor)
}

// rareFacts packs the facts that few texts have: denials, belongings, choices, journeys,
// instruments and permits.
func (p *packer) rareFacts(h *rareFacts) {
	list(p, &h.denials, func(p *packer, d *denial) {
		p.texts(&d.who)
		integer(p, &d.act)
		p.text(&d.what)
		p.texts(&d.modifiers)
		p.flags(&d.unable)
	})
	list(p, &h.belongings, func(p *packer, b *belonging) { p.text(&b.who); p.text(&b.what) })
	list(p, &h.choices, func(p *packer, c *choice) {
		p.text(&c.who)
		p.texts(&c.preferred)
		p.texts(&c.rejected)
		p.flags(&c.switched)
	})
	list(p, &h.journeys, func(p *packer, j *journey) { p.text(&j.who); p.texts(&j.to); p.text(&j.mode) })
	list(p, &h.instruments, func(p *packer, m *instrument) {
		p.text(&m.who)
		p.texts(&m.purpose)
		p.text(&m.verb)
		p.texts(&m.name)
		p.text(&m.full)
		p.flags(&m.equated, &m.moved)
		integer(p, &m.way)
	})
	list(p, &h.permits, func(p *packer, x *permit) { p.texts(&x.what); p.flags(&x.allowed) })
}
