package conflict

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// complete gives a claim its owner and its value; ok is false if either is missing.
func (p *parser) complete(c claim, subject, said []token) (claim, bool) {
	c, ok := p.readValue(c, said)
	if !ok {
		return c, false
	}
	c.owner, c.subject = p.owner(subject), subject
	if n := len(c.owner); n > 1 && (c.attribute == "floor" && c.owner[n-1] != "offic" || c.attribute == "fuel") {
		// the floor of my flat is my floor, the fuel of my car my fuel
		c.owner = slices.DeleteFunc(slices.Clone(c.owner), func(w string) bool { return w == "apartment" || w == "car" || w == "hous" })
	}
	if c.kind == ofSpot {
		c.weak = c.weak && !containsAny(c.owner, physicalThings) // a key is in one place
	}
	if c.attribute == "school" && c.weak {
		// "goes to" states the school of a child
		if c.weak = !containsAny(c.owner, children); c.weak && !schoolNouns[c.words[len(c.words)-1]] {
			return c, false
		}
	}
	return c, len(c.owner) > 0
}

// readValue reads the value of a claim; ok is false if there is none.
func (p *parser) readValue(c claim, said []token) (claim, bool) {
	if c.attribute == "" || len(said) == 0 {
		return c, false
	}
	personal := c.kind == ofName && c.attribute != "where" || c.kind == ofStreet || c.kind == ofNoun && c.attribute != "colour" || c.attribute == "salary" || c.kind == ofSpot || c.kind == ofCode
	if c.past && personal {
		return c, false
	}
	switch c.kind {
	case ofName, ofNoun, ofSpot:
		c, ok := c.readPhrase(said)
		if !ok {
			return c, false
		}
		c.vals = values(p.unmarkedCopy(said), p.at)
		return c, c.kind != ofSpot || !slices.ContainsFunc(c.vals, func(v value) bool { return v.kind <= valueYear })
	case ofMeasure:
		if c.attribute == "opening" && (said[0].low == "until" || said[0].low == "till") {
			return c, false
		}
		own := p.unmarkedCopy(said)
		c.vals = values(own, p.at)
		if len(c.vals) == 0 || c.vals[0].index > 3 || !c.accepts(&c.vals[0]) {
			return c, false
		}
		if prep := c.vals[0].prep; c.attribute == "opening" && (prep == "until" || prep == "till") {
			return c, false // "open until" states the closing time
		}
		for _, x := range own[:c.vals[0].index] {
			// The value must come first.
			if !x.is(stopWord|vagueWord) && x.lem != "port" && x.lem != "size" {
				return c, false
			}
		}
		for i, x := range own[c.vals[0].index:] {
			if i > 0 && x.punctuation {
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
		last := 0
		for i, x := range said {
			last = i
			if c.text == "" && c.attribute == "code" && isNumberWord(x.low) && i+2 == len(said) && !said[i+1].punctuation {
				c.text = x.low + said[i+1].low // seven-otters, split at its hyphen
				break
			}
			if x.punctuation || !strings.ContainsAny(x.raw, "0123456789@") && !(c.text == "" && c.attribute == "code" && (strings.Contains(x.raw, "-") || x.upper)) {
				break
			}
			c.text += withoutCodeSigns.Replace(x.low)
		}
		if c.attribute == "version" || strings.HasPrefix(c.attribute, "version of ") {
			for _, x := range said[last:] {
				if !x.is(stopWord) && !x.punctuation && x.raw[0] > '9' {
					c.rest = append(c.rest, x.lem) // in production
				}
			}
		}
		if c.attribute == "version" || strings.HasPrefix(c.attribute, "version of ") {
			c.text = strings.TrimPrefix(c.text, "v")
			if !strings.Contains(c.text, ".") && !digits(c.text) || c.text == "" || c.text[0] < '0' || c.text[0] > '9' {
				return c, false
			}
		}
		return c, c.text != ""
	case ofStreet:
		return c.readStreet(said)
	case ofLabel:
		for i, x := range said[:min(len(said), 3)] {
			if c.attribute == "floor" && namedFloors[x.low] {
				c.text = x.low
				return c, true
			}
			if !labelNouns[x.lem] && !boardingPlaces[x.lem] || c.attribute == "floor" && x.low != "floor" {
				continue
			}
			if i+1 < len(said) && (strings.ContainsAny(said[i+1].raw, "0123456789") || said[i+1].upper && boardingPlaces[x.lem]) {
				c.text = said[i+1].low
				return c, true
			}
			if n := ordinalLabel(lowAt(said, i-1)); n != "" {
				c.text = n
				return c, true
			}
		}
	case ofBlood:
		low := said[0].low
		sign := lowAt(said, 1)
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

// attributeUnits reports whether a value has a unit or kind that an attribute can have.
var attributeUnits = map[string]func(v value) bool{
	"duration": isTimeSpan, "timeout": isTimeSpan, "retention": isTimeSpan, "interval": isTimeSpan,
	"length": isLength, "height": isLength, "width": isLength, "depth": isLength,
	"weight": func(v value) bool { return v.unit == "gram" },
	"age":    func(v value) bool { return v.kind == valueQuantity && v.unit == "age" && v.num <= 120*12 },
	"price":  isSum, "rent": isSum, "salary": isSum, "budget": isSum, "amount": isSum,
	"when": isDay, "deadline": isDay, "birthday": isDay,
	"opening": clockTime, "closing": clockTime, "wake": clockTime, "departs": clockTime, "arrives": clockTime,
	"capacity": func(v value) bool { return v.kind == valueNumber || v.kind == valueQuantity && persons[v.unit] },
	"retry":    func(v value) bool { return v.kind == valueNumber || v.kind == valueQuantity && v.unit == "time" },
}

// measuredUnits are units of measurement; other units are things that are counted.
var measuredUnits = english.WordSet("second month byte metre gram litre age ago")

var persons = lemmas("person people guest visitor passenger seat adult student child player spectator participant place")

func isTimeSpan(v value) bool { return v.unit == "second" || v.unit == "month" }
func isLength(v value) bool   { return v.unit == "metre" }
func isDay(v value) bool      { return v.kind <= valueYear }
func clockTime(v value) bool {
	return v.kind <= valueYear && (v.kind == valueTime || v.kind == valueWeekday)
}
func isSum(v value) bool {
	return v.kind == valueMoney || v.kind == valueNumber && v.num >= 100
}

// accepts reports whether a value may be one of the attribute, and normalises it for the
// comparison: a bare number to an hour, an age to months.
func (c *claim) accepts(v *value) bool {
	switch c.attribute {
	case "length":
		if isTimeSpan(*v) {
			c.attribute = "duration"
		}
	case "opening", "closing", "wake", "departs", "arrives", "when":
		if v.kind == valueNumber && v.num >= 1 && v.num <= 24 && v.num == math.Trunc(v.num) {
			v.kind, v.partial, v.num = valueTime, v.num <= 12, v.num*60
		}
	case "count":
		if v.kind != valueQuantity || v.unit == "time" || measuredUnits[v.unit] {
			return false
		}
		c.attribute, v.kind, v.unit = "count of "+v.unit, valueNumber, ""
		return true
	case "age":
		if v.kind == valueNumber && v.num >= 1 {
			v.kind, v.unit, v.num = valueQuantity, "age", v.num*12
		} else if v.unit == "month" {
			v.unit = "age"
		}
	case "capacity", "retry":
		if v.kind == valueQuantity {
			if ok := attributeUnits[c.attribute](*v); !ok {
				return false
			}
			v.kind, v.unit = valueNumber, ""
		}
	}
	fits, ok := attributeUnits[c.attribute]
	return !ok || fits(*v)
}

// readStreet reads an address: a number and the name of a street, in either order.
func (c claim) readStreet(t []token) (claim, bool) {
	number, named := false, false
	for _, x := range t {
		if x.punctuation || len(c.words) > 5 {
			break
		}
		if x.is(stopWord) && !x.upper {
			if len(c.words) > 0 {
				break
			}
			continue
		}
		number = number || x.raw[0] >= '0' && x.raw[0] <= '9'
		named = named || streetWords[x.lem]
		c.words = append(c.words, x.low)
	}
	slices.Sort(c.words)
	c.text = strings.Join(c.words, " ")
	return c, number && named && len(c.words) > 1
}

var streetWords = lemmas("street road lane avenue square way drive close court row place terrace hill boulevard st rd ave alley quay gardens crescent walk park plaza strasse platz rue via calle")

// unmarkedCopy returns a copy of tokens without marked values. It is valid until the next call.
func (p *parser) unmarkedCopy(t []token) []token {
	p.scratch.copied = append(p.scratch.copied[:0], t...)
	for i := range p.scratch.copied {
		p.scratch.copied[i].used = false
	}
	return p.scratch.copied
}

var withoutCodeSigns = strings.NewReplacer("-", "", "/", "")

// occupationAbbreviations maps abbreviations to occupations and subjects.
var occupationAbbreviations = map[string]string{"doc": "doctor", "dev": "developer", "prof": "professor", "gp": "doctor", "maths": "mathematics", "math": "mathematics"}

// maxPhrase is the maximum number of words in a value.
const maxPhrase = 5

// readPhrase reads a value of words. It ends before a preposition, a number or a mark.
func (c claim) readPhrase(t []token) (claim, bool) {
	var lems, lows [maxPhrase]string
	n := 0
	add := func(lem, low string) bool {
		if n < maxPhrase {
			lems[n], lows[n] = lem, low
		}
		n++
		return n <= maxPhrase
	}
	for i, x := range t {
		if c.kind == ofSpot && i == 0 {
			if !x.is(preposition) || notPlacePrepositions[x.low] {
				return c, false
			}
			add(x.low, x.low)
			continue
		}
		if x.punctuation || x.low == "'s" || x.is(joining|clauseEndWord) || x.is(preposition) && n > 0 || len(x.raw) > 0 && x.raw[0] >= '0' && x.raw[0] <= '9' && c.kind != ofName && c.kind != ofSpot || isNumberWord(x.low) && !x.upper {
			break
		}
		if x.is(determiner|adverb) || x.low == "today" {
			if n > 0 && c.kind != ofSpot {
				break
			}
			continue
		}
		if x.low == "home" && c.attribute == "residence" || x.ing && c.kind == ofNoun && n == 0 && x.verb {
			return c, false
		}
		if n == 0 && c.kind == ofName && pronoun(x.low) != "" {
			return c, false // a person, but which one is unknown
		}
		w := x.lem
		if full, ok := occupationAbbreviations[x.low]; ok {
			w = lemma(full)
		}
		if c.kind == ofName && !x.upper && !x.first && n > 0 && c.proper {
			break
		}
		c.proper = c.proper || x.upper || x.first && x.raw[0] <= 'Z' || isPlace(x.low) || personAttributes[c.attribute] && relatives[x.lem]
		if !add(w, x.low) {
			return c, false
		}
	}
	if n == 0 || generic[lems[n-1]] || c.kind == ofSpot && n < 2 || c.kind == ofName && !c.proper && c.attribute != "employer" && c.attribute != "where" {
		return c, false
	}
	c.words = slices.Clone(lems[:n])
	if c.kind == ofSpot {
		if c.proper {
			return c, false // at the bank, in Rome
		}
		c.name = strings.Join(lows[1:n], " ")
	} else {
		c.name = strings.Join(lows[:n], " ")
	}
	return c.checkPhrase(t)
}

// notPlacePrepositions are prepositions that are not followed by a place.
var notPlacePrepositions = english.WordSet("of with for to from by until up")

// checkPhrase reports whether a value of words suits its attribute.
func (c claim) checkPhrase(t []token) (claim, bool) {
	n := len(c.words)
	head := c.words[n-1]
	switch c.attribute {
	case "role":
		if c.weak && !mayBeOccupation(head) || prepositions[c.words[0]] {
			return c, false
		}
		c.weak = c.weak && !occupation(head)
	case "school":
		if !c.proper {
			return c, false
		}
	case "doctor":
		if c.weak && c.words[0] != "dr" && c.words[0] != "doctor" {
			return c, false
		}
		c.weak = false
	case "car", "team", "host", "store", "tool":
		if c.attribute == "team" {
			return c, teams[head] && n > 1
		}
		return c, c.proper
	case "fan", "landlord", "hotel":
		return c, c.proper
	case "language":
		return c, c.proper && n == 1
	case "shift":
		return c, n == 1
	case "fuel":
		c.weak = false
		c.words = c.words[n-1:]
		return c, n < 3 && fuels[head]
	case "material":
		c.weak = false
		return c, n < 3 && materials[head] && (n == 1 || t[0].low != "the")
	case "branch":
		return c, n == 1
	case "colour":
		known := n < 3 && (sameKind(head, "red") || head == "red")
		if c.weak && !known {
			return c, false
		}
		if !known && (n > 2 || n == 2 && !shadeWords[c.words[0]] || t[0].is(stopWord)) {
			return c, false
		}
		c.weak = c.weak && !known
		if len(t) > 0 && (t[0].low == "a" || t[0].low == "the") {
			return c, false
		}
		if n > 3 || prepositions[c.words[0]] {
			return c, false
		}
	case "where":
		return c, c.proper || t[0].low == "the" || slices.ContainsFunc(c.words, func(w string) bool { return labelNouns[w] })
	case "employer": // "joined" needs a name
		c.weak = c.weak && !c.proper
		return c, c.proper || !c.weak && t[0].low == "the" && !genericWorkplaces[head]
	}
	return c, c.kind != ofName || c.proper
}

// fuels are energy sources of cars.
var fuels = lemmas("diesel petrol gasoline gas electricity electric electrical hybrid hydrogen")

// materials are what things are made of.
var materials = lemmaSet("materials")

// shadeWords modify a colour.
var shadeWords = lemmas("light dark pale bright deep off")

// genericWorkplaces do not identify an employer.
var genericWorkplaces = lemmas("office home desk headquarters site branch company firm place kitchen garage computer table night front counter moment weekend client warehouse lab backyard time best same lead project")

// occupation reports an occupation: a word of the list, or one with an ending that few other words
// have.
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

// boardingPlaces are places where one boards a vehicle.
var boardingPlaces = lemmas("quay stand dock bay pier stop berth gate platform jetty")

// namedFloors are floors with a name.
var namedFloors = english.WordSet("attic basement cellar mezzanine loft penthouse")

// ordinalLabel returns the number of "third" or "3rd" as a label; empty for other words.
func ordinalLabel(low string) string {
	if n, ok := ordinalWord(low); ok {
		return strconv.Itoa(int(n))
	}
	if n, ok := english.CutOrdinal(low); ok && digits(n) {
		return n
	}
	if low == "ground" || low == "top" {
		return low
	}
	return ""
}

var children = lemmas("child son daughter girl boy toddler")

var teams = lemmas("team crew squad department division unit section branch platoon desk office bureau lab group staff board shift")

// mayBeOccupation reports a word that may be an occupation. It is used when the other statement
// surely names one: "works as a glazier", "is a welder".
func mayBeOccupation(w string) bool {
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

var hobbies = lemmaSet("hobbies")

var ideologies = lemmaSet("ideologies")
