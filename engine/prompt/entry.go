package prompt

import "strings"

// entry is an item as it is to be shown.
type entry struct {
	Item
	layer int
	whole string // what is to be said
	text  string // what stands in the prompt: the whole, or its two ends
	short string // the text of Lines; "": none, or not shorter
	count int    // items that it stands for, itself included
	cost  int    // tokens of it as it is written, with what divides it from the next
}

func newEntry(layer int, it Item) *entry {
	text := clean(it.Text)
	e := &entry{Item: it, layer: layer, whole: text, text: text, count: 1}
	e.Who = cleanWho(it.Who)
	if short := clean(strings.Join(it.Lines, "\n")); short != "" && len(short) < len(e.text) {
		e.short = short
	}
	return e
}

// writer writes entries in a style and counts them.
type writer struct {
	style style
	memo
}

// entry is e as it is written.
func (w writer) entry(e *entry) string {
	layout := day
	if e.layer == conversation {
		layout = minute
	}
	return w.style.entry(stamp(e.At, layout), e.Who, e.count, e.text)
}

// price notes the cost of each entry and answers their sum.
func (w writer) price(entries ...*entry) int {
	sum := 0
	for _, e := range entries {
		e.cost = w.count(w.entry(e) + w.style.seam())
		sum += e.cost
	}
	return sum
}

// layer is the text of a layer.
func (w writer) layer(layer int, entries []*entry) string {
	written := make([]string, len(entries))
	for i, e := range entries {
		written[i] = w.entry(e)
	}
	before, after := w.style.frame(names[layer], written)
	return before + strings.Join(written, w.style.seam()) + after
}

// frame is what a layer costs beside its entries.
func (w writer) frame(layer int, entries []*entry) int {
	written := make([]string, len(entries))
	for i, e := range entries {
		written[i] = w.entry(e)
	}
	before, after := w.style.frame(names[layer], written)
	return w.count(before) + w.count(after)
}

// use makes text what the entry says.
func (e *entry) use(text string) { e.whole, e.text = text, text }

// perToken bounds the bytes of a token that shrink looks at: text of longer ones
// (rows of spaces) may lose more than it must.
const perToken = 12

// shrink takes the middle out of e's text so that it costs at most limit. It answers
// false, and leaves e as it was, where nothing worth reading would be left.
func (w writer) shrink(e *entry, limit int) bool {
	before := e.text
	text := elide(e.whole, perToken*limit, func(text string) bool {
		e.text = text
		return w.price(e) <= limit
	})
	e.text = text
	if text == "" || w.count(text) < leastText {
		e.text = before
	}
	return w.price(e) <= limit
}

// leastText is the tokens of a text without its middle that are worth reading.
const leastText = 12
