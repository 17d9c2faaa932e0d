package prompt

import "strings"

// entry is an item as it will be written.
type entry struct {
	Item
	layer     int
	original  string // text as given
	full      string // text before it is cut
	text      string // text to write: full, or its two ends
	shortForm string // text of Lines; "" if there is none or it is not shorter
	count     int    // number of items that it represents, including itself
	cost      int    // tokens of the written entry with the separator
	left      string // why it was left out; "" while it is not
	task      bool   // it is an open task
}

func newEntry(layer int, it Item) *entry {
	text := clean(it.Text)
	e := &entry{Item: it, layer: layer, original: text, full: text, text: text, count: 1}
	e.Role, e.Who, e.Mark = cleanName(it.Role), cleanName(it.Who), cleanMark(it.Mark)
	if short := clean(strings.Join(it.Lines, "\n")); short != "" && len(short) < len(e.text) {
		e.shortForm = short
	}
	return e
}

// writer writes and measures entries in a style.
type writer struct {
	style style
	tokenCache
}

// entry returns e in the style.
func (w writer) entry(e *entry) string {
	layout := dayLayout
	if e.layer == conversation {
		layout = minuteLayout
	}
	return w.style.entry(line{formatTime(e.At, layout), e.Role, e.Who, e.Mark, e.count, e.text})
}

// measure sets the cost of each entry and returns their sum.
func (w writer) measure(entries ...*entry) int {
	sum := 0
	for _, e := range entries {
		e.cost = w.count(w.entry(e) + w.style.separator())
		sum += e.cost
	}
	return sum
}

// layer returns the text of a layer.
func (w writer) layer(layer int, entries []*entry) string {
	written := make([]string, len(entries))
	for i, e := range entries {
		written[i] = w.entry(e)
	}
	before, after := w.style.frame(layerNames[layer], written)
	return before + strings.Join(written, w.style.separator()) + after
}

// frameTokens is the cost of a layer without its entries.
func (w writer) frameTokens(layer int, entries []*entry) int {
	written := make([]string, len(entries))
	for i, e := range entries {
		written[i] = w.entry(e)
	}
	before, after := w.style.frame(layerNames[layer], written)
	return w.count(before) + w.count(after)
}

// setText replaces the text of an entry.
func (e *entry) setText(text string) { e.full, e.text = text, text }

// maxTokenBytes is the assumed maximum length of a token in cutMiddle. Text with longer tokens
// (runs of spaces) may be cut more than necessary.
const maxTokenBytes = 12

// cutMiddle removes the middle of e's text so that it costs at most limit. If too little would
// remain, it leaves e unchanged and returns false.
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

// minTextTokens is the minimum length of a text without its middle.
const minTextTokens = 12
