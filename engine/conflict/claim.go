package conflict

import (
	"slices"
	"strings"
)

// nature is what an attribute's value is.
type nature byte

const (
	ofName    nature = 'n' // a person, an organisation, a place
	ofNoun    nature = 'o' // an occupation, a subject, a colour
	ofMeasure nature = 'v' // numbers, money, times, dates
	ofCode    nature = 'c' // compared letter by letter
	ofSpot    nature = 'p' // a place in a house: behind the boiler
	ofLabel   nature = 'l' // platform 3, the third floor
	ofBlood   nature = 'b' // A negative
)

// claim is an attribute of somebody or something, and its value.
type claim struct {
	owner     []string // word families, sorted; "@i" where the speaker is unknown
	subject   []token  // the same as written
	attribute string
	kind      nature
	past      bool
	weak      bool     // of an occupation: "is a" says other things too
	words     []string // content of the value, in order
	name      string   // the same as written, in small letters
	rest      []string // what else a measure's clause says: by bus, a month
	proper    bool
	vals      []value
	text      string // of a code
}

// doubt are words with which a sentence does not simply say that something is so, or
// says that there is more than one.
var doubt = words(`not never no none nobody neither nor without would could might may maybe perhaps possibly probably if whether unless until till when whenever
want wants wanted hope hopes hoped wish wishes plan plans planning planned dream dreams dreamed consider considers considering imagine pretend pretends
former formerly previously originally once before used ex also too another either or both second secondary sometimes occasionally other others
than said says heard claims claimed thinks believes guess guesses suppose supposed should last next ago earlier back almost nearly besides additionally
one what which who where why how temporarily weekends weekend during`)

// doubtful reports a sentence that claims nothing. "Before" and "ago" are of use
// behind a value.
func doubtful(t []token) bool {
	for i, x := range t {
		if x.code {
			return true
		}
		if !x.is(doubtWord) {
			continue
		}
		switch x.low {
		case "ago", "back", "second":
			continue
		case "used":
			if at(t, i+1) != "to" {
				continue
			}
			return true
		case "until", "before":
			if i+1 < len(t) && !hasVerb(t[i+1:]) {
				continue
			}
			return true
		case "may":
			if x.upper {
				continue
			}
			return true
		case "last":
			if t[max(0, i-1)].low == "the" || i > 0 && !determiners[at(t, i-1)] && i+1 < len(t) && (t[i+1].raw[0] <= '9' || isNumberWord(t[i+1].low)) {
				continue
			}
			return true
		case "one":
			if at(t, i+1) != "of" {
				continue
			}
			return true
		}
		return true
	}
	return false
}

// claims reads what a text claims of attributes, sentence by sentence.
func (p *parser) claims(t []token) []claim {
	var out []claim
	for from := 0; from < len(t) && len(out) < maxClauses; {
		to := from
		for to < len(t) && !(t[to].mark && (t[to].low == "." || t[to].low == "?")) {
			to++
		}
		if to > from && to-from <= maxClaim && !(to < len(t) && t[to].low == "?") {
			p.trade = slices.ContainsFunc(t[from:to], func(x token) bool {
				return x.low == "trade" || x.low == "profession" || x.low == "professionally" || x.low == "occupation"
			})
			for _, s := range pieces(t[from:to]) {
				if !doubtful(s) {
					out = append(out, p.claimsOf(s)...)
				}
			}
		}
		from = to + 1
	}
	return out
}

// maxClaim is the longest sentence, in tokens, that is read for claims: a longer one
// says more than a value.
const maxClaim = 28

// pieces cuts a sentence where another clause begins, and takes off what leads in.
func pieces(t []token) [][]token {
	var out [][]token
	from := 0
	cut := func(to int) {
		s := t[from:to]
		for len(s) > 0 && (s[0].mark || s[0].is(joining) || s[0].is(interjection) || s[0].is(adverb) || s[0].low == "that") {
			s = s[1:]
		}
		// "These days I work …", "For check-ups I go …": up to a subject pronoun
		for i := 1; i < len(s) && i < 6; i++ {
			if (s[i].is(subjectForm) && s[i].low != "it" || s[i].low == "my" || s[i].low == "our") && s[0].low != "to" && !hasVerb(s[:i]) && !slices.ContainsFunc(s[:i], func(x token) bool { return x.low == "and" || x.low == "of" || x.upper }) {
				s = s[i:]
				break
			}
		}
		if len(s) > 2 {
			out = append(out, s)
		}
		from = to
	}
	for i, x := range t {
		switch {
		case x.mark && (x.low == "," || x.low == ":") && !(i+1 < len(t) && len(t[i+1].raw) == 4 && digits(t[i+1].raw)):
			cut(i)
		case (x.low == "and" || x.low == "but" || x.low == "because" || x.low == "while" || x.low == "so" || x.low == "since") && hasVerb(t[from:i]) && hasVerb(t[i+1:]):
			cut(i)
		}
	}
	cut(len(t))
	return out
}

// owner is the key of a subject, or nil where it names nobody, or more than one.
func (p *parser) owner(t []token) []string {
	var out []string
	if len(t) == 0 || len(t) > 8 {
		return nil
	}
	for i, x := range t {
		if x.mark || x.strong && !x.upper || x.low == "and" || x.low == "but" || x.low == "or" {
			return nil
		}
		switch x.low {
		case "a", "an", "some", "every", "each", "any", "many", "most", "several", "few", "it", "they", "he", "she", "this", "that", "these", "those", "there",
			"his", "her", "their", "its", "you", "your", "people", "everyone", "someone", "somebody", "everybody", "one", "all", "who", "which", "him", "them", "us":
			return nil
		case "i", "my", "me", "we", "our", "user", "myself":
			out = append(out, "@i")
			continue
		case "the", "'s", "of", "for", "at", "in":
			continue
		}
		if x.low != "the" && (x.is(stopWord) || x.is(preposition)) {
			return nil
		}
		if i == 0 && dayWord(x) {
			return nil
		}
		out = append(out, x.lem)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nounClaim reads "the rent of the flat is 900" and "the flat has a rent of 900" around
// the verb at i.
func (p *parser) nounClaim(t []token, i int) (claim, bool) {
	if i == 0 || i+1 >= len(t) {
		return claim{}, false
	}
	was := t[i].low == "was" || t[i].low == "were" || t[i].low == "had" || t[i].low == "been"
	np := t[:i]
	for len(np) > 0 && helper(np[len(np)-1]) {
		np = np[:len(np)-1]
	}
	rest := t[i+1:]
	for len(rest) > 0 && (rest[0].is(adverb) || rest[0].low == "been") {
		rest = rest[1:]
	}
	if t[i].lem == "have" {
		// S has the|a A of? V
		if len(rest) < 3 || !rest[0].is(determiner) {
			return claim{}, false
		}
		for j := 1; j < len(rest)-1 && j < 4; j++ {
			a, ok := attributeNouns[rest[j].lem]
			if !ok || a.kind == ofName {
				continue
			}
			from := j + 1
			if rest[from].low == "of" || rest[from].mark {
				from++
			}
			qualified := slices.Concat(np, qualifiers(rest[1:j]))
			return p.fill(p.named(a, rest[:j+1], qualified, was), qualified, rest[from:])
		}
		return claim{}, false
	}
	if len(rest) > 1 && (rest[0].lem == "call" || rest[0].low == "named") {
		rest = rest[1:]
	}
	for len(rest) > 1 && (rest[0].low == "on" || rest[0].low == "at" || rest[0].low == "in" || rest[0].low == "a" || rest[0].low == "an") && !(rest[0].low == "a" && (rest[1].low == "positive" || rest[1].low == "negative")) {
		rest = rest[1:]
	}
	for k := len(np) - 1; k >= 0; k-- {
		a, ok := attributeNouns[np[k].lem]
		if !ok {
			continue
		}
		behind := k+1 < len(np)
		if behind && np[k+1].low != "of" && np[k+1].low != "for" && np[k+1].low != "at" {
			continue
		}
		from := k
		for from > 0 && !np[from-1].is(determiner) && plainQualifiers[np[from-1].lem] {
			from--
		}
		subject := slices.Clone(np[:from])
		if behind {
			subject = slices.Concat(subject, np[k+2:])
		}
		if len(subject) == 1 && subject[0].low == "the" || len(subject) == 0 {
			return claim{}, false
		}
		return p.fill(p.named(a, np[from:k+1], subject, was), subject, rest)
	}
	return claim{}, false
}

func qualifiers(t []token) []token {
	return slices.DeleteFunc(slices.Clone(t), func(x token) bool { return plainQualifiers[x.lem] || x.is(determiner) })
}

// named is a claim of the attribute that a noun names.
func (p *parser) named(a attributeNoun, noun, subject []token, was bool) claim {
	c := claim{attribute: a.attribute, kind: a.kind, past: was}
	last := noun[len(noun)-1].lem
	switch {
	case a.attribute == "role":
		c.weak = true
	case last == "number" && !slices.ContainsFunc(noun, func(x token) bool {
		return x.low == "phone" || x.low == "telephone" || x.low == "mobile" || x.low == "cell" || x.low == "contact"
	}):
		c.attribute = "number"
	case a.kind == ofBlood && !slices.ContainsFunc(noun, func(x token) bool { return x.lem == "blood" }):
		c.attribute = ""
	}
	return c
}

// fill gives a claim its owner and its value; ok is false where either is none.
func (p *parser) fill(c claim, subject, said []token) (claim, bool) {
	c, ok := p.worth(c, said)
	if ok {
		c.owner, c.subject = p.owner(subject), subject
	}
	return c, ok && len(c.owner) > 0
}

// worth reads a claim's value; ok is false where there is none.
func (p *parser) worth(c claim, said []token) (claim, bool) {
	if c.attribute == "" || len(said) == 0 {
		return c, false
	}
	personal := c.kind == ofName && c.attribute != "where" || c.kind == ofNoun && c.attribute != "colour" || c.attribute == "salary" || c.kind == ofSpot || c.kind == ofCode
	if c.past && personal {
		return c, false
	}
	switch c.kind {
	case ofName, ofNoun, ofSpot:
		c.vals = values(p.unmarked(said), p.at)
		return c.phrase(said)
	case ofMeasure:
		own := p.unmarked(said)
		c.vals = values(own, p.at)
		if len(c.vals) > 0 && (c.attribute == "opening" || c.attribute == "closing") && c.vals[0].kind == valueNumber && c.vals[0].num >= 1 && c.vals[0].num <= 24 {
			c.vals[0] = value{kind: valueTime, num: c.vals[0].num * 60, half: c.vals[0].num <= 12, at: c.vals[0].at}
		}
		// The value comes first; what stands before it says of something else.
		if len(c.vals) == 0 || c.vals[0].at > 3 || c.attribute == "duration" && c.vals[0].unit != "second" && c.vals[0].unit != "month" ||
			(c.attribute == "price" || c.attribute == "salary") && c.vals[0].kind != valueMoney ||
			(c.attribute == "when" || c.attribute == "opening" || c.attribute == "closing" || c.attribute == "deadline" || c.attribute == "birthday") && c.vals[0].kind > valueYear {
			return c, false
		}
		for _, x := range own[:c.vals[0].at] {
			if !x.is(stopWord) && !x.is(vaguely) && x.lem != "port" && x.lem != "size" {
				return c, false
			}
		}
		for i, x := range own[c.vals[0].at:] {
			if i > 0 && x.mark {
				break
			}
			if !x.used && !x.is(stopWord) && !slices.ContainsFunc(c.vals, func(v value) bool { return strings.Contains(v.unit, x.lem) }) {
				c.rest = append(c.rest, x.lem)
			}
		}
		for i := range c.vals {
			if c.vals[i].kind == valueQuantity && (c.attribute == "size" || c.attribute == "port") {
				c.vals[i].kind, c.vals[i].unit = valueNumber, ""
			}
		}
		return c, true
	case ofCode:
		for _, x := range said {
			if x.mark || !strings.ContainsAny(x.raw, "0123456789@") && !(c.text == "" && c.attribute == "code" && (strings.Contains(x.raw, "-") || x.upper)) {
				break
			}
			c.text += strings.ToLower(strings.NewReplacer("-", "", ".", ".", "/", "").Replace(x.raw))
		}
		if c.attribute == "version" {
			c.text = strings.TrimPrefix(c.text, "v")
			if !strings.Contains(c.text, ".") && !digits(c.text) || c.text == "" || c.text[0] < '0' || c.text[0] > '9' {
				return c, false
			}
		}
		return c, c.text != ""
	case ofLabel:
		for i, x := range said[:min(len(said), 3)] {
			if !labels[x.lem] && x.low != "quay" && x.low != "stand" && x.low != "dock" && x.low != "bay" && x.low != "pier" || c.attribute == "floor" && x.low != "floor" {
				continue
			}
			if i+1 < len(said) && strings.ContainsAny(said[i+1].raw, "0123456789") {
				c.text = said[i+1].low
				return c, true
			}
			if n := ordinal(at(said, i-1)); n != "" {
				c.text = n
				return c, true
			}
		}
	case ofBlood:
		low := said[0].low
		sign := at(said, 1)
		if n := len(low); n > 1 && (low[n-1] == '+' || low[n-1] == '-') {
			low, sign = low[:n-1], map[byte]string{'+': "positive", '-': "negative"}[low[n-1]]
		}
		if (low == "a" || low == "b" || low == "ab" || low == "o" || low == "0") && (sign == "positive" || sign == "negative") {
			c.text = low + " " + sign
			return c, true
		}
	}
	return c, false
}

// unmarked is a copy of some tokens in which no values are marked yet. It holds until
// the next one is made.
func (p *parser) unmarked(t []token) []token {
	p.desk.marked = append(p.desk.marked[:0], t...)
	for i := range p.desk.marked {
		p.desk.marked[i].used = false
	}
	return p.desk.marked
}

// abbreviated are short forms of occupations and their full words.
var abbreviated = pairs("doc=doctor dev=developer prof=professor gp=doctor maths=mathematics math=mathematics")

// phrase reads a value of words: it ends before a preposition, a number or a mark.
func (c claim) phrase(t []token) (claim, bool) {
	for i, x := range t {
		if c.kind == ofSpot && i == 0 {
			if !x.is(preposition) || x.low == "of" || x.low == "with" || x.low == "for" || x.low == "to" || x.low == "from" || x.low == "by" || x.low == "until" || x.low == "up" {
				return c, false
			}
			c.words = append(c.words, x.low)
			continue
		}
		if x.mark || x.low == "'s" || x.is(joining) || x.is(preposition) && len(c.words) > 0 || x.is(clauseEnd) || len(x.raw) > 0 && x.raw[0] >= '0' && x.raw[0] <= '9' && c.kind != ofName && c.kind != ofSpot || isNumberWord(x.low) && !x.upper {
			break
		}
		if x.is(determiner) || x.is(adverb) || x.low == "today" {
			if len(c.words) > 0 && c.kind != ofSpot {
				break
			}
			continue
		}
		if x.low == "home" && c.attribute == "residence" || x.ing && c.kind == ofNoun && len(c.words) == 0 && x.verb {
			return c, false
		}
		w := x.lem
		if full, ok := abbreviated[x.low]; ok {
			w = lemma(full)
		}
		if c.kind == ofName && !x.upper && !x.first && len(c.words) > 0 && c.proper {
			break
		}
		c.words, c.name = append(c.words, w), strings.TrimSpace(c.name+" "+x.low)
		c.proper = c.proper || x.upper || x.first && x.raw[0] <= 'Z' || isPlace(x.low)
		if len(c.words) > 5 {
			return c, false
		}
	}
	n := len(c.words)
	if n == 0 || generic[c.words[n-1]] || c.kind == ofSpot && n < 2 {
		return c, false
	}
	head := c.words[n-1]
	switch c.attribute {
	case "role":
		if c.weak && !agent(head) {
			return c, false
		}
		c.weak = c.weak && !occupation(head)
	case "team":
		return c, teams[head] && n > 1
	case "school":
		if !c.proper || c.weak && !schools[head] {
			return c, false
		}
	case "doctor":
		if c.weak && c.words[0] != "dr" && c.words[0] != "doctor" {
			return c, false
		}
		c.weak = false
	case "colour":
		if len(t) > 0 && (t[0].low == "a" || t[0].low == "the") {
			return c, false
		}
		if n > 3 || prepositions[c.words[0]] {
			return c, false
		}
	case "where":
		return c, c.proper || t[0].low == "the" || slices.ContainsFunc(c.words, func(w string) bool { return labels[w] })
	case "employer": // "joined" says so of a name alone
		c.weak = c.weak && !c.proper
		return c, c.proper || !c.weak && t[0].low == "the" && !workplaces[head]
	}
	return c, c.kind != ofName || c.proper
}

// workplaces are where one works for anybody.
var workplaces = lemmas("office home desk headquarters site branch company firm place kitchen garage computer table night front counter moment weekend client warehouse lab backyard time best same lead project")

// occupation reports a word for what somebody does for a living: one of the list, or
// one with an ending that few other words have.
func occupation(w string) bool {
	if occupations[w] {
		return true
	}
	for _, end := range []string{"logist", "ician", "smith", "wright", "grapher", "nomist", "monger", "keeper", "zier", "ither", "iatrist", "wife", "penter", "ist", "eer", "binder", "maker", "fitter", "layer", "blower"} {
		if len(w) > len(end)+1 && strings.HasSuffix(w, end) && !ideologies[w] {
			return true
		}
	}
	return false
}

// ordinal is the figure of "third" or "3rd", empty for another word.
func ordinal(low string) string {
	if n, ok := ordinals[low]; ok {
		return itoa(int(n))
	}
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if n, ok := strings.CutSuffix(low, end); ok && digits(n) {
			return n
		}
	}
	if low == "ground" || low == "top" {
		return low
	}
	return ""
}

var teams = lemmas("team crew squad department division unit section branch platoon")

// agent reports a word that may be an occupation where the other statement surely
// names one: "works as a glazier", "is a welder".
func agent(w string) bool {
	if occupation(w) {
		return true
	}
	for _, end := range []string{"er", "or", "man", "woman", "ian"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return !hobbies[w]
		}
	}
	return false
}

var hobbies = lemmas(`mother father sister brother daughter member lover owner user runner swimmer player smoker drinker eater reader vegetarian christian leader
speaker winner believer beginner learner teenager foreigner neighbor singer dancer gardener climber hiker biker gamer supporter listener newcomer loner partner stranger
customer passenger grandmother grandfather stepmother stepfather survivor donor neighbour follower helper volunteer collector commuter earner homeowner renter
riser sleeper thinker traveler traveller walker cancer prisoner junior senior minor woman man human veteran godfather godmother boxer wrestler rower sailor camper skier surfer
knitter juggler mentor ambassador bachelor`)

var ideologies = lemmas("optimist pessimist feminist racist capitalist socialist communist atheist perfectionist minimalist tourist idealist realist activist cyclist housewife volunteer pioneer peer career beer finalist nationalist guitarist pianist violinist specialist")

// compareClaims compares what two statements say of attributes: conflict is their
// score, agree that one attribute of one owner has the same value in both.
func compareClaims(a, b *Analysis) (r Result, agree bool) {
	for i := range a.claims {
		for j := range b.claims {
			x, y := &a.claims[i], &b.claims[j]
			if x.attribute != y.attribute || x.past != y.past || x.weak && y.weak || !sameOwner(x.owner, y.owner, a.self, b.self) {
				continue
			}
			switch equal, known := x.compare(y); {
			case known && equal:
				agree = true
			case known && r.Score == 0:
				kind := KindObject
				if x.kind == ofMeasure {
					kind = KindNumber
				}
				r = Result{scoreObject, kind, "another " + x.attribute}
			}
		}
	}
	if agree {
		return Result{}, true
	}
	return r, agree
}

// sameOwner compares owners; sx and sy are who says "I", empty where it is not known.
func sameOwner(x, y []string, sx, sy string) bool {
	if sx != "" && sy != "" || slices.Contains(x, "@i") != slices.Contains(y, "@i") && !slices.Equal(unowned(x), unowned(y)) {
		x, y = spoken(x, sx), spoken(y, sy)
	}
	if slices.Equal(x, y) {
		return true
	}
	u, v := unowned(x), unowned(y)
	return len(u) > 0 && slices.Equal(u, v)
}

// spoken puts the speaker's name in the place of "I".
func spoken(owner []string, self string) []string {
	if self == "" || !slices.Contains(owner, "@i") {
		return owner
	}
	out := slices.Clone(owner)
	out[slices.Index(out, "@i")] = self
	slices.Sort(out)
	return slices.Compact(out)
}

// compare reports whether two values are the same; known is false where they may be
// or may not be.
func (c *claim) compare(o *claim) (equal, known bool) {
	switch c.kind {
	case ofCode, ofLabel, ofBlood:
		if c.attribute == "version" && (strings.HasPrefix(c.text, o.text+".") || strings.HasPrefix(o.text, c.text+".")) {
			return true, true
		}
		return c.text == o.text, true
	case ofMeasure:
		if !slices.Equal(c.rest, o.rest) && !monthly(c.rest, o.rest) && !monthly(o.rest, c.rest) {
			return false, false
		}
		for _, v := range c.vals {
			for _, w := range o.vals {
				if v.kind != w.kind || v.unit != w.unit {
					continue
				}
				if v.habit != w.habit || v.habit && c.attribute != "when" {
					return false, false
				}
				if !v.same(w) {
					return false, !(v.kind == valueTime && (c.attribute == "opening" || c.attribute == "closing") && datesDiffer(c.vals, o.vals))
				}
				equal, known = true, true
			}
		}
		return equal, known
	}
	if slices.Equal(c.words, o.words) {
		return true, true
	}
	if datesDiffer(c.vals, o.vals) {
		return false, false
	}
	x, y := c.name, o.name
	if region(x) != region(y) && !(isPlace(x) && isPlace(y)) {
		return false, false // Uppsala may lie in Sweden
	}
	if subset(c.words, o.words) || subset(o.words, c.words) || place(x) == place(y) {
		return true, c.kind != ofSpot
	}
	if samePlace(x, y) || acronym(x, y) || acronym(y, x) || c.proper != o.proper && c.kind == ofName {
		return false, false
	}
	hx, hy := c.words[len(c.words)-1], o.words[len(o.words)-1]
	if c.kind == ofNoun && (hx == hy && c.attribute == "role" || isA(hx, hy) || isA(hy, hx)) {
		return false, false
	}
	if c.kind == ofSpot && hx == hy {
		return false, false
	}
	return false, true
}

// monthly reports that only y says for which time a price is.
func monthly(x, y []string) bool {
	return len(x) == 0 && len(y) == 1 && (y[0] == "month" || y[0] == "monthly" || y[0] == "daily")
}

func datesDiffer(x, y []value) bool {
	for _, v := range x {
		for _, w := range y {
			if v.kind == w.kind && v.kind >= valueWeekday && v.kind <= valueYear && !v.same(w) {
				return true
			}
		}
	}
	return false
}

// Attribute is what a statement says first of somebody or something that has it once:
// whose it is, as written and without its article, and its name. Where it is the
// speaker's own, subject is empty; of what belongs to the speaker own is set.
func (a Analysis) Attribute() (subject, attribute string, own, ok bool) {
	if len(a.claims) == 0 {
		return "", "", false, false
	}
	c := a.claims[0]
	var b strings.Builder
	for i, x := range c.subject {
		switch {
		case selfWords[x.low] || x.low == "we" || x.low == "our":
			own = true
			continue
		case x.is(determiner) && x.low != "'s":
			continue
		case b.Len() > 0 && x.low != "'s":
			b.WriteByte(' ')
		}
		if x.low == "'s" && i+1 == len(c.subject) {
			continue // Ana's
		}
		b.WriteString(x.raw)
	}
	return b.String(), c.attribute, own, own || b.Len() > 0
}
