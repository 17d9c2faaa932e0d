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

	pinned, turns := coreEntries(&in), newTurns(in.Turns)
	room := allocate(in.Budget-b.count(style.joinLayers([]string{""})), b.minimumTokens(pinned, turns))

	b.shown[conversation] = b.fitTurns(turns, room[conversation])
	seen := map[string]bool{}
	for _, e := range b.shown[conversation] {
		seen[e.ID] = e.ID != ""
	}
	all := optionalEntries(&in, pinned, seen)
	entries := byLayer(pinned, deduplicated(pinned, all))
	if over := b.overflowing(entries, room); slices.Contains(over[:], true) {
		// Before anything is cut, summaries replace what they cover.
		entries = byLayer(pinned, deduplicated(pinned, preferSummaries(all, over)))
	}
	for i := range entries {
		b.shown[i] = b.fit(i, entries[i], room[i])
	}

	res := b.write()
	for res.TotalTokens > in.Budget && (b.dropLowest() || b.shortenLongestTurn(res.TotalTokens-in.Budget)) {
		res = b.write()
	}
	res.Truncated = b.truncated
	res.TokensSaved = max(0, b.rawTokens(&in)-res.TotalTokens)
	return res, nil
}

// builder is the state of Assemble.
type builder struct {
	writer
	shown     [layers][]*entry
	truncated bool
}

// minimumTokens are the tokens of the entries that can't be cut, by layer.
func (b *builder) minimumTokens(pinned, turns []*entry) [layers]int {
	var need [layers]int
	for i, entries := range byLayer(pinned, nil) {
		if len(entries) > 0 {
			need[i] = b.frameTokens(i, entries) + b.measure(entries...)
		}
	}
	need[conversation] = b.minTurnTokens(turns)
	return need
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
	b.truncated = b.truncated || slices.Contains(over[:], true)
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
	b.truncated = true
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
		if layer == conversation && len(entries) > lastTurns {
			at = 0
		}
		if at >= 0 {
			b.shown[layer] = slices.Delete(slices.Clone(entries), at, at+1)
			b.truncated = true
			return true
		}
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
		}
		l.Text = b.layer(i, entries)
		l.Tokens = b.count(l.Text)
		texts = append(texts, l.Text)
	}
	if len(texts) > 0 {
		res.Text = b.style.joinLayers(texts)
		res.TotalTokens = b.count(res.Text)
	}
	return res
}

// rawTokens is the tokens of the texts of all items; each id counts once.
func (b *builder) rawTokens(in *Input) int {
	n, seen := 0, map[string]bool{}
	count := func(items []Item) {
		for _, it := range items {
			if seen[it.ID] {
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
	count(in.Turns)
	return n
}
