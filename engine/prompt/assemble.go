package prompt

import "slices"

// Assemble makes a context. The only error is an unknown format.
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
		// Before anything is cut, what sums up others takes their place.
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

// builder holds one context on its way.
type builder struct {
	writer
	shown     [layers][]*entry
	truncated bool
}

// minimumTokens are the tokens of what can't be cut, by layer.
func (b *builder) minimumTokens(pinned, turns []*entry) [layers]int {
	var need [layers]int
	var by [layers][]*entry
	for _, e := range pinned {
		by[e.layer] = append(by[e.layer], e)
	}
	for i, entries := range by {
		if len(entries) > 0 {
			need[i] = b.frameTokens(i, entries) + b.measure(entries...)
		}
	}
	need[conversation] = b.minTurnTokens(turns)
	return need
}

// byLayer sorts entries into their layers, those that are never cut first.
func byLayer(pinned, rest []*entry) (entries [conversation][]*entry) {
	for _, e := range slices.Concat(pinned, rest) {
		entries[e.layer] = append(entries[e.layer], e)
	}
	return entries
}

// over says which layers need more tokens than they have.
func (b *builder) overflowing(entries [conversation][]*entry, room [layers]int) (over [conversation]bool) {
	for i, es := range entries {
		over[i] = len(es) > 0 && b.frameTokens(i, es)+b.measure(es...) > room[i]
	}
	b.truncated = b.truncated || slices.Contains(over[:], true)
	return over
}

// fit makes the entries of a layer, best first, smaller until they need at most room
// tokens, and answers those that stay.
func (b *builder) fit(layer int, entries []*entry, room int) []*entry {
	total := b.measure(entries...)
	if len(entries) > 0 {
		room -= b.frameTokens(layer, entries)
	}
	if total <= room {
		return entries
	}
	b.truncated = true
	for _, e := range slices.Backward(entries) { // what it says instead of how it went
		if total > room && !e.Core && e.shortForm != "" {
			total -= e.cost
			e.setText(e.shortForm)
			total += b.measure(e)
		}
	}
	kept := slices.Clone(entries)
	for i, e := range slices.Backward(entries) { // none takes more than half of the room
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

// dropLowest leaves out one entry more, the lowest-scored of the first layer that has one
// to give: what tokens at the seams cost is known only when the text stands.
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

// write puts the text together and counts it.
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

// rawTokens is the tokens of the texts of all items, each id once.
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
