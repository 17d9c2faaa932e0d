package cluster

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/internal/english"
)

// AddTags counts the tags of a memory whose text was added. A tag is a word under which somebody filed the memory.
func (t *Terms) AddTags(tags []string) {
	seen := map[string]bool{}
	for _, tag := range tags {
		key, low := tagged(tag)
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		t.index(key)
		c := t.tags[key]
		if c == nil {
			c = &termCount{forms: map[string]*form{}}
			t.tags[key] = c
		}
		c.texts++
		f := c.forms[low]
		if f == nil {
			f = &form{written: map[string]int{}}
			c.forms[low] = f
		}
		f.all++
		f.nominal++
	}
}

// tagged returns the key of a tag, and the tag as words in lower case: "tide-table" is "tide table". Both are empty if it is no
// word or phrase with content.
func tagged(tag string) (key, low string) {
	var words []contentWord
	for part := range strings.FieldsFuncSeq(tag, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		for t := range english.Tokens(part, english.Names) {
			w, ok := readWord(t)
			if !ok || when(w.low) {
				return "", ""
			}
			words = append(words, w)
		}
	}
	if len(words) == 0 || len(words) > maxPhrase {
		return "", ""
	}
	key, low, _ = joined(words)
	return key, low
}

// filed returns the parts of a label with the tag that half of the members and few others have, if no part says so much: a
// tag is what people call a matter that their sentences do not name. A place or a thing alone keeps its name beside it.
func (l *labelling) filed(parts []candidate) []candidate {
	enough := func(p candidate) bool { return l.share(l.texts(p)) >= dominated && !l.isPerson(p) }
	if slices.ContainsFunc(parts, enough) && (len(parts) > 1 || len(parts[0].words) > 1 || !l.named(parts[0])) {
		return parts
	}
	for _, tag := range l.typicalTags() {
		with := []candidate{tag}
		at := slices.IndexFunc(parts, func(p candidate) bool { return l.share(l.texts(p)) >= covering && !l.isPerson(p) })
		if at >= 0 {
			switch p := parts[at]; {
			case !repeatsWord(p, tag) && l.sameThing(p, tag):
				continue
			case l.in.Members.having != nil && !enough(p) && l.cover(tag, p)-l.cover(tag) < covering-rounding:
				// few members that lack the tag have it
			case !repeatsWord(p, tag) && len(p.words)+len(tag.words) <= maxWords:
				with = []candidate{p, tag}
			case enough(p):
				continue // it says nothing more
			}
		}
		if !l.in.Taken[l.joined(with)] {
			return with
		}
	}
	return parts
}

// typicalTags returns the tags that half of the members and few others have, those first that tell most.
func (l *labelling) typicalTags() (tags []candidate) {
	for key, c := range l.in.Members.tags {
		everywhere := c.texts
		if a := l.in.All.tags[key]; a != nil {
			everywhere = max(a.texts, c.texts)
		}
		x := candidate{key: key, words: strings.Fields(key), count: c}
		x.weight = float64(c.texts) * math.Log(float64(l.in.All.texts)/float64(everywhere))
		if c.texts >= l.least && l.share(c.texts) >= dominated && l.lifts(c.texts, everywhere) && !l.isPerson(x) && !l.isUnit(x) {
			tags = append(tags, x)
		}
	}
	slices.SortFunc(tags, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key)) })
	return tags
}

// repeatsWord reports a tag that has a word of a part, but for an ending or a hyphen.
func repeatsWord(part, tag candidate) bool {
	plain := func(c candidate) string { return strings.ReplaceAll(strings.ReplaceAll(c.key, "-", ""), " ", "") }
	return overlaps(part, tag) || sameStem(plain(part), plain(tag))
}
