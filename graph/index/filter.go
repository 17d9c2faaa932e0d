package index

import (
	"math/bits"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// slotMatches is the set of slots that pass a filter.
type slotMatches struct {
	all     slots.Set
	vectors slots.Set // the slots of all that the vector channel can search
	count   int
}

// compiledFilter is a filter compiled for one view.
type compiledFilter struct {
	now, recorded, valid        int64 // instants in milliseconds; recorded, valid 0: not set
	statuses, types, consents   uint32
	users                       []uint32
	session, project, subject   uint32
	tags                        []string
	since, until                int64
	hasSince, hasUntil          bool
	minAuthority, minImportance float64
	source                      []posting // the shortest list that contains all possible matches
	hasSource                   bool
	matchesNothing              bool // no slot can pass
	hasFields                   bool // the filter has a condition other than status and users
}

// compileFilter looks up the keys of the filter. The shortest list of a required key supplies
// the possible matches. Without such a list every slot is tested.
func (v *view) compileFilter(f *Filter, now time.Time) *compiledFilter {
	s := &compiledFilter{
		now: unixMillis(now), recorded: unixMillis(f.AsOf.Recorded), valid: unixMillis(f.AsOf.Valid),
		statuses: ordinalMask(graph.Statuses, f.Statuses), types: ordinalMask(graph.Types, f.Types), consents: ordinalMask(graph.Consents, f.Consents),
		tags: f.Tags, since: unixMillis(f.Since), until: unixMillis(f.Until), hasSince: !f.Since.IsZero(), hasUntil: !f.Until.IsZero(),
		minAuthority: f.MinAuthority, minImportance: f.MinImportance,
	}
	switch {
	case len(f.Statuses) > 0:
	case s.valid != 0:
		s.statuses = ordinalMask(graph.Statuses, []graph.Status{graph.Active, graph.Superseded})
	default:
		s.statuses = ordinalMask(graph.Statuses, []graph.Status{graph.Active})
	}
	if len(f.Types) == 0 {
		s.types = ^uint32(0)
	}
	if len(f.Consents) == 0 {
		s.consents = ^uint32(0)
	}
	s.session = s.requireList(v, keySession, f.Session)
	s.project = s.requireList(v, keyProject, f.Project)
	s.subject = s.requireList(v, keySubject, f.Subject)
	for _, t := range f.Tags {
		s.requireList(v, keyTag, t)
	}
	s.requireUsers(v, f.Users)
	s.hasFields = len(f.Types)+len(f.Consents)+len(f.Tags) > 0 || f.Session+f.Project+f.Subject != "" ||
		s.hasSince || s.hasUntil || s.minAuthority > 0 || s.minImportance > 0
	return s
}

// requireList narrows the source to the list of a required key and returns the ordinal of the
// list.
func (s *compiledFilter) requireList(v *view, kind keyKind, key string) uint32 {
	if key == "" {
		return 0
	}
	ordinal, items := v.postings.lookup(kind, key)
	if len(items) == 0 {
		s.matchesNothing = true
		return 0
	}
	s.narrowSource(items)
	return ordinal
}

func (s *compiledFilter) narrowSource(items []posting) {
	if !s.hasSource || len(items) < len(s.source) {
		s.source, s.hasSource = items, true
	}
}

// requireUsers looks up the users, any of which must match; "" matches memories without a user.
func (s *compiledFilter) requireUsers(v *view, users []string) {
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
		if ordinal, items := v.postings.lookup(keyUser, u); len(items) > 0 && !slices.Contains(s.users, ordinal) {
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
		s.matchesNothing = true
	case !open:
		s.narrowSource(union)
	}
}

// filter returns the slots of a view that pass. The result may be shared and must not be
// changed.
func (v *view) filter(f *Filter, now time.Time) slotMatches {
	if v.seen != nil {
		return v.filterAll(f, now).only(v.seen)
	}
	return v.filterAll(f, now)
}

// filterAll is filter without regard to what a restricted view shows.
func (v *view) filterAll(f *Filter, now time.Time) slotMatches {
	s := v.compileFilter(f, now)
	if s.isPresentOnly() {
		return v.filterPresent(s)
	}
	out := slotMatches{all: slots.NewSet(v.n), vectors: slots.NewSet(v.n)}
	switch {
	case s.matchesNothing:
	case s.hasSource:
		for _, it := range s.source {
			if int(it.slot) < v.n && !out.all.Has(it.slot) {
				out.addSlot(s, v.chunks[it.slot>>slots.ChunkBits], it.slot)
			}
		}
	default:
		for c, ch := range v.chunks {
			out.addChunk(s, ch, c, min(slots.ChunkSize, v.n-c*slots.ChunkSize))
		}
	}
	return out
}

// isPresentOnly reports whether the filter has no condition other than present status and users.
func (s *compiledFilter) isPresentOnly() bool {
	return !s.matchesNothing && !s.hasFields && !s.hasSource && s.recorded == 0 && s.valid == 0
}

// addSlot adds a slot if it passes.
func (p *slotMatches) addSlot(s *compiledFilter, ch *chunk, slot uint32) {
	i := slot & slots.ChunkMask
	if !s.passes(ch, i) {
		return
	}
	p.all.Add(slot)
	p.count++
	if ch.columns.flags[i]&flagVector != 0 {
		p.vectors.Add(slot)
	}
}

// addChunk adds the passing slots among the first n of chunk c.
func (p *slotMatches) addChunk(s *compiledFilter, ch *chunk, c, n int) {
	for from := 0; from < n; from += 64 {
		var all, vectors uint64
		for j := range min(64, n-from) {
			i := uint32(from + j)
			if !s.passes(ch, i) {
				continue
			}
			all |= 1 << j
			vectors |= uint64(ch.columns.flags[i]>>flagVectorBit&1) << j
		}
		w := (c*slots.ChunkSize + from) / 64
		p.all[w], p.vectors[w] = all, vectors
		p.count += bits.OnesCount64(all)
	}
}

// passesNow is passes for a filter by present status only.
func (s *compiledFilter) passesNow(c *columns, i uint32) bool {
	i &= slots.ChunkMask
	status := c.status[i]
	if status == ordinalActive && c.expiresAt[i] != 0 && c.expiresAt[i] <= max(s.now, c.stateSince[i]) {
		status = ordinalExpired
	}
	return c.flags[i]&flagLive != 0 && s.statuses>>(status&31)&1 != 0
}

// passes reports whether a slot of the chunk passes.
func (s *compiledFilter) passes(ch *chunk, i uint32) bool {
	return ch.columns.flags[i&slots.ChunkMask]&flagLive != 0 && (!s.hasFields && s.users == nil || s.passesFields(ch, i)) && s.passesState(ch, i)
}

// passesFields reports whether the fields of a slot meet the conditions of the filter.
func (s *compiledFilter) passesFields(ch *chunk, i uint32) bool {
	c := ch.columns
	if s.types>>c.memoryType[i]&1 == 0 || s.consents>>c.consent[i]&1 == 0 {
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

// passesState reports whether the state of a slot at the requested instant passes. If no
// recorded instant is set, the last state counts, even if it was recorded a few milliseconds in
// the future (see graph.Memory.SetState).
func (s *compiledFilter) passesState(ch *chunk, i uint32) bool {
	c := ch.columns
	i &= slots.ChunkMask
	status, validTo := c.status[i], c.validTo[i]
	t := s.recorded
	if t == 0 {
		t = max(s.now, c.stateSince[i])
	}
	if c.stateSince[i] > t {
		if c.firstRecorded[i] > t {
			return false
		}
		st, _ := graph.StateAt(ch.docs[i].Load().History, time.Time{}, time.UnixMilli(t))
		status, validTo = ordinal(graph.Statuses, st.Status), unixMillis(st.ValidTo)
	}
	if status == ordinalActive && c.expiresAt[i] != 0 && c.expiresAt[i] <= t {
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
