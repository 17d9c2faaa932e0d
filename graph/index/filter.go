package index

import (
	"math/bits"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// passing is the set of slots that a filter lets through.
type passing struct {
	all     slots.Set
	vectors slots.Set // those of all that the vector channel can search
	count   int
}

// sieve is a filter compiled for one view.
type sieve struct {
	now, recorded, valid        int64 // instants in milliseconds; recorded, valid 0: not set
	statuses, types, consents   uint32
	users                       []uint32
	session, project, subject   uint32
	tags                        []string
	since, until                int64
	hasSince, hasUntil          bool
	minAuthority, minImportance float64
	source                      []posting // the shortest list that holds all that can pass
	listed                      bool
	nothing                     bool // no slot can pass
	fields                      bool // anything but the state and the users is asked for
}

// compile looks up what the filter names. The shortest list of what must hold is
// where the candidates come from; without one every slot is looked at.
func (v *view) compile(f *Filter, now time.Time) *sieve {
	s := &sieve{
		now: millis(now), recorded: millis(f.AsOf.Recorded), valid: millis(f.AsOf.Valid),
		statuses: mask(graph.Statuses, f.Statuses), types: mask(graph.Types, f.Types), consents: mask(graph.Consents, f.Consents),
		tags: f.Tags, since: millis(f.Since), until: millis(f.Until), hasSince: !f.Since.IsZero(), hasUntil: !f.Until.IsZero(),
		minAuthority: f.MinAuthority, minImportance: f.MinImportance,
	}
	switch {
	case len(f.Statuses) > 0:
	case s.valid != 0:
		s.statuses = mask(graph.Statuses, []graph.Status{graph.Active, graph.Superseded})
	default:
		s.statuses = mask(graph.Statuses, []graph.Status{graph.Active})
	}
	if len(f.Types) == 0 {
		s.types = ^uint32(0)
	}
	if len(f.Consents) == 0 {
		s.consents = ^uint32(0)
	}
	s.session = s.require(v, keySession, f.Session)
	s.project = s.require(v, keyProject, f.Project)
	s.subject = s.require(v, keySubject, f.Subject)
	for _, t := range f.Tags {
		s.require(v, keyTag, t)
	}
	s.anyUser(v, f.Users)
	s.fields = len(f.Types)+len(f.Consents)+len(f.Tags) > 0 || f.Session+f.Project+f.Subject != "" ||
		s.hasSince || s.hasUntil || s.minAuthority > 0 || s.minImportance > 0
	return s
}

// require narrows the source to the list of a key that must hold.
func (s *sieve) require(v *view, kind keyKind, key string) uint32 {
	if key == "" {
		return 0
	}
	ordinal, items := v.lists.get(kind, key)
	if len(items) == 0 {
		s.nothing = true
		return 0
	}
	s.narrow(items)
	return ordinal
}

func (s *sieve) narrow(items []posting) {
	if !s.listed || len(items) < len(s.source) {
		s.source, s.listed = items, true
	}
}

// anyUser looks up the users of which one must hold; "" is nobody in particular.
func (s *sieve) anyUser(v *view, users []string) {
	if len(users) == 0 {
		return
	}
	s.users = make([]uint32, 0, len(users))
	open := false
	var union []posting
	for _, u := range users {
		if u == "" {
			s.users = append(s.users, 0)
			open = true
			continue
		}
		if ordinal, items := v.lists.get(keyUser, u); len(items) > 0 && !slices.Contains(s.users, ordinal) {
			s.users = append(s.users, ordinal)
			if union == nil {
				union = items
			} else {
				union = append(union[:len(union):len(union)], items...)
			}
		}
	}
	switch {
	case len(s.users) == 0:
		s.nothing = true
	case !open:
		s.narrow(union)
	}
}

// sift is the set of slots of a view that pass. It is shared: nobody changes it.
func (v *view) sift(f *Filter, now time.Time) passing {
	s := v.compile(f, now)
	if s.present() {
		return v.standing(s)
	}
	out := passing{all: slots.NewSet(v.n), vectors: slots.NewSet(v.n)}
	switch {
	case s.nothing:
	case s.listed:
		for _, it := range s.source {
			if int(it.slot) < v.n && !out.all.Has(it.slot) {
				out.take(s, v.chunks[it.slot>>slots.ChunkBits], it.slot)
			}
		}
	default:
		for c, ch := range v.chunks {
			out.sweep(s, ch, c, min(slots.ChunkSize, v.n-c*slots.ChunkSize))
		}
	}
	return out
}

// present reports whether only what stands at present is asked for, of anybody or of users.
func (s *sieve) present() bool {
	return !s.nothing && !s.fields && !s.listed && s.recorded == 0 && s.valid == 0
}

// take looks at one slot.
func (p *passing) take(s *sieve, ch *chunk, slot uint32) {
	i := slot & slots.ChunkMask
	if !s.passes(ch, i) {
		return
	}
	p.all.Add(slot)
	p.count++
	if ch.col.flags[i]&flagVector != 0 {
		p.vectors.Add(slot)
	}
}

// sweep looks at the first n slots of chunk c.
func (p *passing) sweep(s *sieve, ch *chunk, c, n int) {
	for from := 0; from < n; from += 64 {
		var all, vectors uint64
		for j := range min(64, n-from) {
			i := uint32(from + j)
			if !s.passes(ch, i) {
				continue
			}
			all |= 1 << j
			vectors |= uint64(ch.col.flags[i]>>flagVectorBit&1) << j
		}
		w := (c*slots.ChunkSize + from) / 64
		p.all[w], p.vectors[w] = all, vectors
		p.count += bits.OnesCount64(all)
	}
}

// standsNow is passes for the plainest question: what stands at present.
func (s *sieve) standsNow(c *columns, i uint32) bool {
	i &= slots.ChunkMask
	status := c.status[i]
	if status == ordinalActive && c.expires[i] != 0 && c.expires[i] <= max(s.now, c.since[i]) {
		status = ordinalExpired
	}
	return c.flags[i]&flagLive != 0 && s.statuses>>(status&31)&1 != 0
}

// passes reports whether a slot of the chunk passes.
func (s *sieve) passes(ch *chunk, i uint32) bool {
	return ch.col.flags[i&slots.ChunkMask]&flagLive != 0 && (!s.fields && s.users == nil || s.matches(ch, i)) && s.stands(ch, i)
}

// matches reports whether the fields of a slot are those asked for.
func (s *sieve) matches(ch *chunk, i uint32) bool {
	c := ch.col
	if s.types>>c.kind[i]&1 == 0 || s.consents>>c.consent[i]&1 == 0 {
		return false
	}
	if s.session != 0 && c.session[i] != s.session || s.project != 0 && c.project[i] != s.project || s.subject != 0 && c.subject[i] != s.subject {
		return false
	}
	if s.users != nil && !slices.Contains(s.users, c.user[i]) {
		return false
	}
	if s.hasSince && c.occurred[i] < s.since || s.hasUntil && c.occurred[i] > s.until {
		return false
	}
	if c.authority[i] < s.minAuthority || c.importance[i] < s.minImportance {
		return false
	}
	for _, t := range s.tags {
		if !slices.Contains(ch.docs[i].Load().Tags, t) {
			return false
		}
	}
	return true
}

// stands reports whether the state of a slot at the instant asked for passes. With
// the recorded clock at now the last state counts, even where it was recorded a few
// milliseconds ahead (see graph.Memory.SetState).
func (s *sieve) stands(ch *chunk, i uint32) bool {
	c := ch.col
	i &= slots.ChunkMask
	status, validTo := c.status[i], c.validTo[i]
	t := s.recorded
	if t == 0 {
		t = max(s.now, c.since[i])
	}
	if c.since[i] > t {
		if c.born[i] > t {
			return false
		}
		st, _ := graph.StateAt(ch.docs[i].Load().History, time.Time{}, time.UnixMilli(t))
		status, validTo = ordinal(graph.Statuses, st.Status), millis(st.ValidTo)
	}
	if status == ordinalActive && c.expires[i] != 0 && c.expires[i] <= t {
		status = ordinalExpired
	}
	if s.statuses>>status&1 == 0 {
		return false
	}
	return s.valid == 0 || c.validFrom[i] <= s.valid && (validTo == 0 || s.valid < validTo)
}

var (
	ordinalActive  = ordinal(graph.Statuses, graph.Active)
	ordinalExpired = ordinal(graph.Statuses, graph.Expired)
)
