package prompt

import "slices"

// lastTurns is the number of turns that always appear, unless the budget is too small for them.
const lastTurns = 3

// newTurns makes entries of the turns that have text, oldest first.
func newTurns(items []Item) []*entry {
	var out []*entry
	for _, it := range items {
		if e := newEntry(conversation, it); e.text != "" {
			out = append(out, e)
		}
	}
	return out
}

// taskShare is the share of the last layer that open tasks may take.
const taskShare = 3 // a third

// newTasks makes entries of the tasks that have text. A task that is among the last turns is only
// there.
func newTasks(in *Input) []*entry {
	var out []*entry
	last := in.Turns[max(0, len(in.Turns)-lastTurns):]
	for _, it := range in.Tasks {
		e := newEntry(conversation, it)
		e.task = true
		if e.text != "" && (e.ID == "" || !slices.ContainsFunc(last, func(t Item) bool { return t.ID == e.ID })) {
			out = append(out, e)
		}
	}
	return out
}

// fitTasks returns the first tasks that need at most room tokens, and no more than their share of
// the layer, and their cost.
func (b *builder) fitTasks(room int) (tasks []*entry, cost int) {
	room = min(room, b.taskRoom)
	for _, e := range b.tasks {
		if cost+b.measure(e) > room {
			break
		}
		tasks, cost = append(tasks, e), cost+e.cost
	}
	return tasks, cost
}

// minTurnTokens is the minimum cost of the last turns.
func (b *builder) minTurnTokens(turns []*entry) int {
	last := turns[max(0, len(turns)-lastTurns):]
	if len(last) == 0 {
		return 0
	}
	n := b.frameTokens(conversation, last)
	for _, e := range last {
		least := *e
		b.shortenTurn(&least, 0)
		n += least.cost
	}
	return n
}

// wantTurns is the cost of all turns.
func (b *builder) wantTurns(turns []*entry) int {
	if len(turns) == 0 {
		return 0
	}
	return b.frameTokens(conversation, turns) + b.measure(turns...)
}

// shortenTurn makes a turn cost at most limit, but keeps at least minTextTokens tokens.
func (b *builder) shortenTurn(e *entry, limit int) {
	if b.measure(e) <= limit || b.cutMiddle(e, limit) {
		return
	}
	if b.count(e.text) <= minTextTokens {
		return
	}
	e.text = elide(e.full, maxTokenBytes*minTextTokens, func(text string) bool { return b.count(text) <= minTextTokens })
	b.measure(e)
}

// shortenLongestTurn cuts the given number of tokens from the longest of the last turns. It
// returns false if all are at their minimum.
func (b *builder) shortenLongestTurn(tokens int) bool {
	var longest *entry
	for _, e := range b.shown[conversation] {
		if b.count(e.text) > minTextTokens && (longest == nil || e.cost > longest.cost) {
			longest = e
		}
	}
	if longest == nil {
		return false
	}
	before := longest.cost
	b.shortenTurn(longest, before-tokens)
	return longest.cost < before
}

// fitTurns returns the newest turns that need at most room tokens, oldest first. The last turns
// are always among them, shortened if necessary.
func (b *builder) fitTurns(turns []*entry, room int) []*entry {
	if len(turns) == 0 {
		return nil
	}
	from := max(0, len(turns)-lastTurns)
	room -= b.frameTokens(conversation, turns)
	for _, e := range turns {
		e.text = e.full
	}
	b.fitLastTurns(turns[from:], room)
	for _, e := range turns[from:] {
		room -= e.cost
	}
	for ; from > 0; from-- {
		if room -= b.measure(turns[from-1]); room < 0 {
			break
		}
	}
	return turns[from:]
}

// fitLastTurns divides room among the last turns. A turn that needs less than an equal share of
// the remaining room gets what it needs; the others get an equal share.
func (b *builder) fitLastTurns(last []*entry, room int) {
	if b.measure(last...) <= room {
		return
	}
	for open := last; ; {
		share := room / len(open)
		var long []*entry
		for _, e := range open {
			if e.cost > share {
				long = append(long, e)
			} else {
				room -= e.cost
			}
		}
		if len(long) < len(open) {
			open = long
			continue
		}
		for _, e := range long {
			b.shortenTurn(e, share)
		}
		return
	}
}
