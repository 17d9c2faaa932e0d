package index

import (
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph/index/text"
)

// wording is the words channel of a recall under way. The partitions are asked in chains, one after the
// other, each by who has time. A nil one has nothing to look for.
type wording struct {
	*recall
	questions []question
	groups    [][]group
	looks     int          // in brief: memories that are looked at for each that is wanted; 0: not in brief
	chains    int          // each has every so manieth partition
	next      atomic.Int64 // chain
	hits      [][]hit      // by partition

	mu  sync.Mutex
	all *top // of the partitions so far

	alone [][]*top // in brief: what scores highest by itself so far, by chain and question
}

// wording reads the texts of the query; nil where they have no words.
func (r *recall) wording(x *Index) *wording {
	if len(r.q.Texts) == 0 {
		return nil
	}
	a := x.analysers.Get().(*text.Analyser)
	defer x.analysers.Put(a)
	w := &wording{recall: r, questions: askWords(a, r.q.Texts), looks: r.looks()}
	w.groups = make([][]group, len(w.questions))
	for i, q := range w.questions {
		if len(r.q.Related) > 0 {
			w.groups[i] = groupsOf(a, q, r.q.Related)
		}
		m := matterOf(q, x.opts.Topics)
		if i == 0 {
			r.matter, r.result.Matter = m, m.known()
		}
		if r.q.Topics {
			w.questions[i] = m.ask(q)
		}
	}
	if len(w.questions) == 0 {
		return nil
	}
	w.hits, w.all = make([][]hit, len(r.parts)), newTop(r.q.Limit, bySlot)
	w.chain()
	return w
}

// chain says which partitions are asked behind one another. What is looked at in brief hangs on those
// before; else nothing does. Among very many there are two chains, for two who have time.
func (w *wording) chain() {
	switch {
	case w.looks == 0:
		w.chains = len(w.parts)
	case w.q.Brief:
		w.chains = 1
	default:
		w.chains = wideChains
	}
	w.alone = make([][]*top, w.chains)
	for i := range w.alone {
		w.alone[i] = tops(len(w.questions), w.looks*w.q.Limit)
	}
}

// looks is how many memories are looked at for each that is wanted; 0: all that may matter.
func (r *recall) looks() int {
	if r.q.Brief {
		return briefLooks
	}
	n := 0
	for _, p := range r.parts {
		n += p.view.n
	}
	if n < wideFrom || r.q.Thorough {
		return 0
	}
	return wideLooks
}

// work asks partitions until there is no chain left to begin.
func (w *wording) work() {
	if w == nil {
		return
	}
	for c := int(w.next.Add(1)) - 1; c < w.chains; c = int(w.next.Add(1)) - 1 {
		for i := c; i < len(w.parts); i += w.chains {
			w.ask(w.parts[i], i)
		}
	}
}

func (w *wording) ask(p *partQuery, i int) {
	alone := w.alone[i%w.chains]
	if w.looks > 0 {
		p.ranks = p.view.askBest(w.questions, w.groups, p.pass.all, w.looks*w.q.Limit, alone, restLong)
	} else {
		p.ranks = p.view.ask(w.questions, w.groups, p.pass.all, restFrom)
	}
	w.mu.Lock()
	bar := w.all.bar()
	w.mu.Unlock()
	var best []hit
	if w.looks > 0 {
		best = p.ranks.brief(w.looks*w.q.Limit, w.q.Limit, bar, alone).hits
	} else {
		best = p.ranks.top(w.q.Limit, bar).hits
	}
	w.hits[i] = best
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range best {
		w.all.offer(h.slot, h.score)
	}
}

// took takes what was found among the candidates, when nobody works any more.
func (w *wording) took() {
	if w == nil {
		return
	}
	all := w.cut(w.collect(w.hits))
	if len(all) > 0 {
		w.best = all[0].score
	}
	w.result.Keyword = len(all)
	for i, f := range all {
		w.candidate(f).Ranks.Keyword = i + 1
	}
}
