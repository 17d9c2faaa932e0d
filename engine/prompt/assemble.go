package prompt

import "slices"

// Assemble builds a context. The only error is an unknown format.
func Assemble(in Input) (*Result, error) {
	style, err := styleFor(in.Format)
	if err != nil {
		return nil, err
	}
	if in.Budget <= 0 {
		in.Budget = DefaultBudget
	}
	b := builder{writer: writer{style, tokenCache{}}}
	b.pinned, b.turns, b.tasks = coreEntries(&in), newTurns(in.Turns), newTasks(&in)
	b.all = optionalEntries(&in, b.pinned)

	total := in.Budget - b.count(style.joinLayers([]string{""})) - separators
	b.fitPinned(total)
	room := allocate(total, b.minimumTokens(total))
	b.taskRoom = room[conversation] / taskShare
	// The turns that the layer has room for are in no other layer. Of the others, those that
	// another layer shows are not turns.
	tasks, cost := b.fitTasks(room[conversation] - b.minTurnTokens(b.turns))
	shown := append(tasks, b.fitTurns(b.turns, room[conversation]-cost)...)
	all := preferTopics(without(b.all, shown))
	entries := byLayer(b.pinned, deduplicated(b.pinned, all))
	lent := lend(room, b.wanted(entries))
	if over := b.overflowing(entries, lent); slices.Contains(over[:], true) {
		// Before anything is cut, summaries replace what they cover.
		by := covered(all, over, b.stillFull(all, over, room))
		entries = byLayer(b.pinned, deduplicated(b.pinned, preferSummaries(all, by)))
		lent = lend(room, b.wanted(entries))
	}
	b.fill(entries, lent)

	res := b.write()
	for res.TotalTokens > in.Budget && (b.dropLowest() || b.shortenLongestTurn(res.TotalTokens-in.Budget) || b.dropNeeded()) {
		res = b.write()
	}
	res.Items, res.Truncated = b.placed()
	res.TokensSaved = max(0, b.rawTokens(&in)-res.TotalTokens)
	return res, nil
}

// stillFull reports which of the overflowing layers overflow even if summaries replace all that
// they cover.
func (b *builder) stillFull(all []*entry, over [conversation]bool, room [layers]int) [conversation]bool {
	entries := byLayer(b.pinned, withoutCovered(all, covered(all, over, [conversation]bool{})))
	still := b.overflowing(entries, lend(room, b.wanted(entries)))
	for i := range still {
		still[i] = still[i] && over[i]
	}
	return still
}

// separators is what the line breaks between the layers may cost.
const separators = layers

// fill fits the entries of each layer into its room. What one leaves, the next one gets.
func (b *builder) fill(entries [conversation][]*entry, room [layers]int) {
	spare := 0
	for _, i := range lendingOrder {
		have := room[i] + spare
		if i == conversation {
			others := without(b.turns[:max(0, len(b.turns)-lastTurns)], slices.Concat(b.shown[:conversation]...))
			tasks, cost := b.fitTasks(have - b.minTurnTokens(b.turns))
			b.shown[i] = append(tasks, b.fitTurns(slices.Concat(others, b.turns[len(b.turns)-min(lastTurns, len(b.turns)):]), have-cost)...)
		} else {
			b.shown[i] = b.fit(i, entries[i], have)
		}
		if spare = have; len(b.shown[i]) > 0 {
			spare -= b.frameTokens(i, b.shown[i]) + b.measure(b.shown[i]...)
		}
	}
	for _, i := range lendingOrder[:conversation] {
		b.refill(i, entries[i], &spare)
	}
}

// refill lengthens shortened entries of a layer, and shows dropped ones, as far as they fit into
// what all layers left.
func (b *builder) refill(layer int, entries []*entry, spare *int) {
	shown := map[*entry]bool{}
	for _, e := range b.shown[layer] {
		shown[e] = true
		*spare -= b.lengthen(e, *spare)
	}
	for _, e := range entries {
		need := b.measure(e)
		if len(shown) == 0 {
			need += b.frameTokens(layer, []*entry{e})
		}
		if !shown[e] && need <= *spare {
			shown[e] = true
			*spare -= need
		}
	}
	b.shown[layer] = slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return !shown[e] })
}

// lengthen gives a shortened entry at most spare tokens more. It returns how many it took.
func (b *builder) lengthen(e *entry, spare int) int {
	if e.text == e.original {
		return 0
	}
	before, short := b.measure(e), e.text
	e.text = e.original
	if b.measure(e) > before+spare {
		e.text = short
		if short != e.full {
			b.cutMiddle(e, before+spare)
		}
	}
	return b.measure(e) - before
}

// wanted is the cost of all entries and turns, by layer.
func (b *builder) wanted(entries [conversation][]*entry) (want [layers]int) {
	for i, es := range entries {
		if len(es) > 0 {
			want[i] = b.frameTokens(i, es) + b.measure(es...)
		}
	}
	want[conversation] = b.wantTurns(slices.Concat(b.tasks, b.turns))
	return want
}

// builder is the state of Assemble.
type builder struct {
	writer
	pinned, all  []*entry // core entries, and the other ones of the first four layers
	unfit        []*entry // core entries for which the budget is too small
	tasks, turns []*entry // of the last layer
	taskRoom     int      // tokens that the tasks may take
	shown        [layers][]*entry
}

// minimumTokens are the tokens of the entries that can't be cut, by layer. The first standing
// rule is among them if it needs at most a quarter of the total.
func (b *builder) minimumTokens(total int) [layers]int {
	var need [layers]int
	pinned := b.pinned
	if rules := slices.SortedFunc(slices.Values(b.all), byScore); len(rules) > 0 && rules[0].Rule {
		if rule := rules[:1]; b.frameTokens(rule[0].layer, rule)+b.measure(rule...) <= total/4 {
			pinned = slices.Concat(pinned, rule)
		}
	}
	for i, entries := range byLayer(pinned, nil) {
		if len(entries) > 0 {
			need[i] = b.frameTokens(i, entries) + b.measure(entries...)
		}
	}
	need[conversation] = b.minTurnTokens(b.turns)
	return need
}

// fitPinned leaves out the core entries, last ones first, for which the whole budget is too small.
func (b *builder) fitPinned(total int) {
	if b.pinnedTokens(b.pinned) <= total {
		return
	}
	var kept []*entry
	for _, e := range b.pinned {
		if with := append(slices.Clip(kept), e); b.pinnedTokens(with) <= total {
			kept = with
		} else {
			b.unfit = append(b.unfit, e)
		}
	}
	b.pinned = kept
}

// pinnedTokens is the cost of core entries in their layers.
func (b *builder) pinnedTokens(pinned []*entry) (n int) {
	for i, entries := range byLayer(pinned, nil) {
		if len(entries) > 0 {
			n += b.frameTokens(i, entries) + b.measure(entries...)
		}
	}
	return n
}

// byLayer sorts entries into their layers, pinned ones first.
func byLayer(pinned, rest []*entry) (entries [conversation][]*entry) {
	for _, e := range slices.Concat(pinned, rest) {
		entries[e.layer] = append(entries[e.layer], e)
	}
	return entries
}

// overflowing reports which layers need more tokens than they have.
func (b *builder) overflowing(entries [conversation][]*entry, room [layers]int) (over [conversation]bool) {
	for i, es := range entries {
		over[i] = len(es) > 0 && b.frameTokens(i, es)+b.measure(es...) > room[i]
	}
	return over
}

// fit shortens or drops entries of a layer, given best first, until they need at most room
// tokens. It returns those that remain.
func (b *builder) fit(layer int, entries []*entry, room int) []*entry {
	total := b.measure(entries...)
	if len(entries) > 0 {
		room -= b.frameTokens(layer, entries)
	}
	if total <= room {
		return entries
	}
	for _, e := range slices.Backward(entries) { // first use the short forms
		if total > room && !e.Core && e.shortForm != "" {
			total -= e.cost
			e.setText(e.shortForm)
			total += b.measure(e)
		}
	}
	kept := slices.Clone(entries)
	for i, e := range slices.Backward(entries) { // then limit each entry to half of the room
		if total > room && !e.Core && e.cost > room/2 {
			total -= e.cost
			if b.cutMiddle(e, room/2) {
				total += e.cost
			} else {
				kept = slices.Delete(kept, i, i+1)
			}
		}
	}
	for i, e := range slices.Backward(slices.Clone(kept)) {
		if total > room && !e.Core {
			total -= e.cost
			kept = slices.Delete(kept, i, i+1)
		}
	}
	return kept
}

// dropLowest drops one more entry: the one with the lowest score in the first donor layer that
// has one. It is needed because the exact token count is known only for the complete text.
func (b *builder) dropLowest() bool {
	for _, layer := range donorLayers {
		entries := b.shown[layer]
		at := -1
		for i, e := range entries {
			if layer != conversation && !e.Core {
				at = i
			}
		}
		if layer == conversation {
			tasks := slices.IndexFunc(entries, func(e *entry) bool { return !e.task })
			if tasks < 0 {
				tasks = len(entries)
			}
			switch {
			case len(entries)-tasks > lastTurns:
				at = tasks // the oldest turn
			default:
				at = tasks - 1
			}
		}
		if at >= 0 {
			b.shown[layer] = slices.Delete(slices.Clone(entries), at, at+1)
			return true
		}
	}
	return false
}

// dropNeeded drops one entry of those that have room in every budget but the smallest: the oldest
// turn, or the last core entry if no turn is left.
func (b *builder) dropNeeded() bool {
	for _, layer := range [layers]int{conversation, documents, memories, procedural, project} {
		entries := b.shown[layer]
		switch {
		case len(entries) == 0:
			continue
		case layer == conversation:
			b.shown[layer] = entries[1:]
		default:
			b.shown[layer] = entries[:len(entries)-1]
		}
		return true
	}
	return false
}

// write joins the text and counts it.
func (b *builder) write() *Result {
	res := &Result{Layers: make([]Layer, layers)}
	var texts []string
	for i, entries := range b.shown {
		l := &res.Layers[i]
		l.Name, l.MemoryIDs = layerNames[i], []string{}
		if len(entries) == 0 {
			continue
		}
		for _, e := range entries {
			if e.ID != "" {
				l.MemoryIDs = append(l.MemoryIDs, e.ID)
			}
			l.MemoryIDs = append(l.MemoryIDs, e.Quotes...)
		}
		l.Text = b.layer(i, entries)
		l.Tokens = b.count(l.Text)
		texts = append(texts, l.Text)
	}
	res.Text = b.style.empty()
	if len(texts) > 0 {
		res.Text = b.style.joinLayers(texts)
	}
	res.TotalTokens = b.count(res.Text)
	return res
}

// placed says what became of each entry, and whether any was dropped or shortened for the
// budget.
func (b *builder) placed() (items []Placed, truncated bool) {
	shown := map[string]bool{}
	for i, entries := range b.shown {
		for _, e := range entries {
			reason := e.Why
			if e.text != e.original {
				reason, truncated = e.Why+"; shortened for the budget", true
			}
			if shown[e.ID] = e.ID != ""; e.ID != "" {
				items = append(items, Placed{e.ID, layerNames[i], true, reason})
			}
		}
	}
	in := map[*entry]bool{}
	for _, entries := range b.shown {
		for _, e := range entries {
			in[e] = true
		}
	}
	for _, e := range slices.Concat(b.unfit, b.pinned, b.all, b.tasks, b.turns) {
		if in[e] || e.ID != "" && shown[e.ID] {
			continue
		}
		if e.left == "" {
			e.left, truncated = "the budget was spent", true
		}
		if e.ID != "" {
			shown[e.ID] = true
			items = append(items, Placed{e.ID, layerNames[e.layer], false, e.left})
		}
	}
	return items, truncated
}

// rawTokens is the tokens of the texts of all items but topics; each id counts once.
func (b *builder) rawTokens(in *Input) int {
	n, seen := 0, map[string]bool{}
	count := func(items []Item) {
		for _, it := range items {
			if seen[it.ID] || it.Topic {
				continue
			}
			seen[it.ID] = it.ID != ""
			if it.Tokens > 0 {
				n += it.Tokens
			} else {
				n += b.count(it.Text)
			}
		}
	}
	for _, items := range in.stored() {
		count(items)
	}
	count(in.Tasks)
	count(in.Turns)
	return n
}
