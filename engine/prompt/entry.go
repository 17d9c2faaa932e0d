package prompt

import "strings"

// entry is an item as it is to be shown.
type entry struct {
	Item
	layer     int
	full      string // what is to be said
	text      string // what stands in the prompt: the whole, or its two ends
	shortForm string // the text of Lines; "": none, or not shorter
	count     int    // items that it stands for, itself included
	cost      int    // tokens of it as it is written, with what divides it from the next
}

func newEntry(layer int, it Item) *entry {
	text := clean(it.Text)
	e := &entry{Item: it, layer: layer, full: text, text: text, count: 1}
	e.Who = cleanName(it.Who)
	if short := clean(strings.Join(it.Lines, "\n")); short != "" && len(short) < len(e.text) {
		e.shortForm = short
	}
	return e
}

// writer writes entries in a style and counts them.
type writer struct {
	style style
	tokenCache
}

// entry is e as it is written.
func (w writer) entry(e *entry) string {
	layout := dayLayout
	if e.layer == conversation {
		layout = minuteLayout
	}
	return w.style.entry(formatTime(e.At, layout), e.Who, e.count, e.text)
}

// measure notes the cost of each entry and answers their sum.
func (w writer) measure(entries ...*entry) int {
	sum := 0
	for _, e := range entries {
		e.cost = w.count(w.entry(e) + w.style.separator())
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
	before, after := w.style.frame(layerNames[layer], written)
	return before + strings.Join(written, w.style.separator()) + after
}

// frameTokens is what a layer costs beside its entries.
func (w writer) frameTokens(layer int, entries []*entry) int {
	written := make([]string, len(entries))
	for i, e := range entries {
		written[i] = w.entry(e)
	}
	before, after := w.style.frame(layerNames[layer], written)
	return w.count(before) + w.count(after)
}

// setText makes text what the entry says.
func (e *entry) setText(text string) { e.full, e.text = text, text }

// maxTokenBytes bounds the bytes of a token that shrink looks at: text of longer ones
// (rows of spaces) may lose more than it must.
const maxTokenBytes = 12

// cutMiddle takes the middle out of e's text so that it costs at most limit. It answers
// false, and leaves e as it was, where nothing worth reading would be left.
func (w writer) cutMiddle(e *entry, limit int) bool {
	before := e.text
	text := elide(e.full, maxTokenBytes*limit, func(text string) bool {
		e.text = text
		return w.measure(e) <= limit
	})
	e.text = text
	if text == "" || w.count(text) < minTextTokens {
		e.text = before
	}
	return w.measure(e) <= limit
}

// minTextTokens is the tokens of a text without its middle that are worth reading.
const minTextTokens = 12
