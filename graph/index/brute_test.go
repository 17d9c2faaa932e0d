package index

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// brute answers a query by comparing everything, in float64, from the stored memories alone: the
// passing memories, the evidence of each, and the channels that were on.
type brute struct {
	f      *feed
	q      Query
	passed map[graph.ID]*graph.Memory
	cosine map[graph.ID]float64
	bm25   map[graph.ID]float64
	level  map[graph.ID]float64
}

func bruteForce(f *feed, q Query) *brute {
	b := &brute{f: f, q: q, passed: map[graph.ID]*graph.Memory{}}
	for id, m := range f.memories {
		if bruteFilter(m, q) {
			b.passed[id] = m
		}
	}
	b.words()
	b.vectors()
	b.spread()
	return b
}

func bruteFilter(m *graph.Memory, q Query) bool {
	f := q.Filter
	if m.Status() == graph.Forgotten {
		return false
	}
	t := f.AsOf.Recorded
	if t.IsZero() {
		t = q.Now
		if t.Before(m.State().From) {
			t = m.State().From
		}
	}
	state, existed := m.StateAt(t)
	if !existed {
		return false
	}
	statuses := f.Statuses
	if v := f.AsOf.Valid; !v.IsZero() {
		if m.ValidFrom.After(v) || !state.ValidTo.IsZero() && !v.Before(state.ValidTo) {
			return false
		}
		if len(statuses) == 0 {
			statuses = []graph.Status{graph.Active, graph.Superseded}
		}
	}
	if len(statuses) == 0 {
		statuses = []graph.Status{graph.Active}
	}
	for _, tag := range f.Tags {
		if !slices.Contains(m.Tags, tag) {
			return false
		}
	}
	return slices.Contains(statuses, state.Status) && among(f.Namespaces, m.Namespace) && among(f.Users, m.User) &&
		among(f.Types, m.Type) && among(f.Consents, m.Consent) &&
		(f.Project == "" || f.Project == m.Project) && (f.Session == "" || f.Session == m.Session) && (f.Subject == "" || f.Subject == m.Subject) &&
		(f.Since.IsZero() || !m.OccurredAt.Before(f.Since)) && (f.Until.IsZero() || !m.OccurredAt.After(f.Until)) &&
		m.Authority >= f.MinAuthority && m.Importance >= f.MinImportance
}

func among[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// bag counts the weighted terms of a memory.
func bag(m *graph.Memory, topics Topics) (map[string]float64, float64) {
	counts, length := map[string]float64{}, 0.0
	a := text.New()
	add := func(text string, weight float64) {
		a.EachTerm(text, func(term string) {
			counts[term] += weight
			length += weight
			eachTopic(topics, term, func(topic string, share float64) { counts[topic] += weight * share })
		})
	}
	add(m.Content, weightContent)
	add(m.Summary, weightSummary)
	add(m.Subject, weightSubject)
	for _, t := range m.Tags {
		add(t, weightTag)
	}
	return counts, length
}

// eachTopic calls do for each topic of a term, with the topic's share.
func eachTopic(topics Topics, term string, do func(topic string, share float64)) {
	if topics == nil {
		return
	}
	of, _ := splitGroups(topics.Of(term))
	for _, t := range of {
		do(topicPrefix+string([]byte{byte(t)}), 1/float64(len(of)))
	}
}

// topical returns how much a memory shares the topics and groups of the first text.
func (b *brute) topical(id graph.ID) float64 {
	if len(b.q.Texts) == 0 || b.f.topics == nil {
		return 0
	}
	return (2*b.topicOverlap(id) + b.groupOverlap(id)) / 3
}

// groupOverlap returns the share of the words of the first text that have a group of the memory.
func (b *brute) groupOverlap(id graph.ID) float64 {
	counts, _ := bag(b.passed[id], nil)
	has := map[uint16]bool{}
	for term := range counts {
		for _, g := range b.f.topics.Of(term) {
			has[g] = g >= MaxTopics
		}
	}
	sum, all := 0.0, 0.0
	text.New().EachTerm(b.q.Texts[0], func(term string) {
		_, groups := splitGroups(b.f.topics.Of(term))
		if len(groups) == 0 {
			return
		}
		all += 1 / float64(len(groups))
		if slices.ContainsFunc(groups, func(g uint16) bool { return has[g] }) {
			sum += 1 / float64(len(groups))
		}
	})
	if all == 0 {
		return 0
	}
	return sum / all
}

// topicOverlap returns how much a memory shares the topics of the first text.
func (b *brute) topicOverlap(id graph.ID) float64 {
	asked, most := map[string]float64{}, 0.0
	text.New().EachTerm(b.q.Texts[0], func(term string) {
		eachTopic(b.f.topics, term, func(topic string, share float64) {
			asked[topic] += share
			most = max(most, asked[topic])
		})
	})
	if most == 0 {
		return 0
	}
	counts, _ := bag(b.passed[id], b.f.topics)
	sum := 0.0
	for topic, weight := range asked {
		if counts[topic] > 0 {
			sum += weight
		}
	}
	return min(1, sum/most)
}

func (b *brute) words() {
	b.bm25 = map[graph.ID]float64{}
	type stats struct {
		n, length float64
		df        map[string]float64
	}
	spaces := map[string]*stats{}
	bags, lengths := map[graph.ID]map[string]float64{}, map[graph.ID]float64{}
	for id, m := range b.f.memories {
		if m.Status() == graph.Forgotten {
			continue
		}
		s := spaces[m.Namespace]
		if s == nil {
			s = &stats{df: map[string]float64{}}
			spaces[m.Namespace] = s
		}
		bags[id], lengths[id] = bag(m, b.f.topics)
		s.n++
		s.length += lengths[id]
		for term := range bags[id] {
			s.df[term]++
		}
	}
	for _, variant := range b.q.Texts {
		own := map[graph.ID]float64{}
		ask := func(term string, weight float64) {
			for id, m := range b.passed {
				tf := bags[id][term]
				if tf == 0 {
					continue
				}
				s := spaces[m.Namespace]
				idf := math.Log(1 + (s.n-s.df[term]+0.5)/(s.df[term]+0.5))
				own[id] += weight * idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[id]/(s.length/s.n)))
			}
		}
		text.New().EachTerm(variant, func(term string) {
			ask(term, 1)
			if b.q.Topics {
				eachTopic(b.f.topics, term, func(topic string, share float64) { ask(topic, share/2) })
			}
		})
		total := maps.Clone(own)
		for id, score := range own {
			m := b.passed[id]
			if m.Session == "" {
				continue
			}
			var row []*graph.Memory
			for _, o := range b.passed {
				if o.Namespace == m.Namespace && o.Session == m.Session {
					row = append(row, o)
				}
			}
			slices.SortFunc(row, func(x, y *graph.Memory) int {
				return cmp.Or(x.OccurredAt.Compare(y.OccurredAt), cmp.Compare(x.ID, y.ID))
			})
			at := slices.IndexFunc(row, func(o *graph.Memory) bool { return o.ID == id })
			for i, o := range row {
				if steps := max(at-i, i-at); steps == 1 || steps == 2 {
					total[o.ID] += score * math.Pow(0.6, float64(steps)) * 100 / (100 + lengths[o.ID])
				}
			}
		}
		for id, score := range total {
			b.bm25[id] = max(b.bm25[id], score)
		}
	}
}

func (b *brute) vectors() {
	b.cosine = map[graph.ID]float64{}
	for id := range b.passed {
		v := b.f.vectors[id]
		if len(b.q.Vector) == 0 || len(v) != len(b.q.Vector) {
			continue
		}
		sum := 0.0
		for i := range v {
			sum += float64(v[i]) * float64(b.q.Vector[i])
		}
		b.cosine[id] = sum
	}
}

func (b *brute) spread() {
	b.level = map[graph.ID]float64{}
	recorded := b.q.Now
	if !b.q.Filter.AsOf.Recorded.IsZero() {
		recorded = b.q.Filter.AsOf.Recorded
	}
	valid := recorded
	if !b.q.Filter.AsOf.Valid.IsZero() {
		valid = b.q.Filter.AsOf.Valid
	}
	knows := func(id graph.ID) bool {
		e := b.f.entities[id]
		return e != nil && among(b.q.Filter.Namespaces, e.Namespace) && among(b.q.Filter.Users, e.User) && !e.FirstSeen.After(recorded)
	}
	level := map[graph.ID]float64{}
	for _, s := range b.q.Entities {
		if knows(s) {
			level[s] = 1
		}
	}
	frontier := maps.Clone(level)
	missing := map[graph.ID]float64{} // 1 − activation
	hops := b.q.Hops
	if hops == 0 {
		hops = 2
	}
	for hop := range hops {
		next := map[graph.ID]float64{}
		give := func(id graph.ID, a float64) {
			if _, entered := level[id]; !entered && knows(id) {
				next[id] = max(next[id], a)
			}
		}
		for id, a := range frontier {
			e := b.f.entities[id]
			var mentions []*graph.Memory
			for _, m := range b.f.memories {
				if m.Namespace == e.Namespace && slices.Contains(m.Entities, id) {
					mentions = append(mentions, m)
				}
			}
			var all, holding []*graph.Relation
			for _, r := range b.f.relations {
				if r.Source == id || r.Target == id {
					all = append(all, r)
					if !r.RecordedAt.After(recorded) && !r.ValidFrom.After(valid) && (r.ValidTo.IsZero() || valid.Before(r.ValidTo)) {
						holding = append(holding, r)
					}
				}
			}
			emit := a / (1 + math.Log(math.Max(1, float64(len(mentions)+len(all)))))
			for _, m := range mentions {
				if b.passed[m.ID] == nil {
					continue
				}
				if _, met := missing[m.ID]; !met {
					missing[m.ID] = 1
				}
				missing[m.ID] *= 1 - emit
				for _, o := range m.Entities {
					give(o, emit*0.5/(1+math.Log(math.Max(1, float64(len(m.Entities))))))
				}
			}
			now := func(r *graph.Relation) float64 {
				return r.Strength * math.Exp2(-math.Max(0, recorded.Sub(r.StrengthAt).Hours()/24)/90)
			}
			strongest := 0.0
			for _, r := range holding {
				strongest = math.Max(strongest, now(r))
			}
			for _, r := range holding {
				other := r.Target
				if other == id {
					other = r.Source
				}
				if strongest > 0 {
					give(other, emit*0.5*now(r)/strongest)
				}
			}
		}
		if hop+1 < hops {
			maps.Copy(level, next)
		}
		frontier = next
	}
	for id, x := range missing {
		b.level[id] = 1 - x
	}
}

// ranked returns the values of a channel, highest first, at most the query's limit.
func (b *brute) ranked(channel map[graph.ID]float64) []float64 {
	all := slices.Collect(maps.Values(channel))
	slices.SortFunc(all, func(x, y float64) int { return cmp.Compare(y, x) })
	limit := b.q.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	return all[:min(len(all), limit)]
}

// mentionsOf counts as Index.Mentions does.
func (f *feed) mentionsOf(entity graph.ID) (n int, first, last time.Time) {
	for _, m := range f.memories {
		if m.Namespace != f.entities[entity].Namespace || !slices.Contains(m.Entities, entity) {
			continue
		}
		n++
		if first.IsZero() || m.OccurredAt.Before(first) {
			first = m.OccurredAt
		}
		if m.OccurredAt.After(last) {
			last = m.OccurredAt
		}
	}
	return n, first, last
}
