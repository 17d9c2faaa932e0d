package worlds

import (
	"fmt"
	"strconv"
	"strings"
)

// holder is whom or what a statement is about.
type holder struct {
	subject    string // "I", "Anna", "the standup"
	possessive string // "my", "Anna's"
	person     bool
	first      bool // I
	plural     bool // we
}

// with returns the holder with a modifier before its noun.
func (h holder) with(modifier string) holder {
	for _, article := range []string{"the ", "our ", "my "} {
		if noun, ok := strings.CutPrefix(h.subject, article); ok {
			h.subject = article + modifier + " " + noun
			return h
		}
	}
	h.subject = "the " + modifier + " " + strings.TrimPrefix(h.subject, "the ")
	return h
}

// filling is what a template is filled with.
type filling struct {
	holder  holder
	v, x, w string
	u       string // the value before
}

// fill chooses a holder and values for the family.
func (g *generator) fill() filling {
	f := filling{holder: g.newHolder(), w: g.pick(values["weekday"])}
	if len(g.family.values) > 1 {
		f.x = g.value(g.family.values[1])
	}
	f.v, f.u = g.value(g.family.values[0]), g.value(g.family.values[0])
	if g.family.values[0] == "#favourite" {
		f.x = g.pick([]string{"colour", "band", "film", "food", "city"})
		f.v = f.x + " is " + g.pick(values[f.x])
	}
	if g.family.values[0] == "#versus" {
		f.x = g.pick([]string{"drink", "tool", "transport", "theme", "part", "lang", "seat", "contact"})
		f.v = g.versus(f.x)
	}
	return f
}

var versus = map[string][]string{"seat": {"window seats", "aisle seats"}, "contact": {"a call", "an email", "a text"}, "transport": {"trains", "planes", "buses", "bikes"},
	"part": {"mornings", "evenings", "afternoons"}, "theme": {"dark mode", "light mode"}}

// sides are states that exclude each other.
var sides = [][]string{{"open", "closed"}, {"locked", "unlocked"}, {"full", "empty"}, {"clean", "dirty"}, {"hot", "cold"}, {"busy", "free"}, {"public", "private"}, {"enabled", "disabled"},
	{"broken", "fixed"}, {"up", "down"}, {"available", "sold out"}, {"red", "blue", "green"}, {"wet", "dry"}, {"allowed", "forbidden"}, {"mandatory", "optional"}, {"rented", "vacant"}, {"online", "offline"}}

func (g *generator) versus(x string) string {
	if list := versus[x]; list != nil {
		return g.pick(list)
	}
	return g.pick(values[x])
}

// another returns another value for a filling.
func (g *generator) another(f filling) string {
	switch g.family.values[0] {
	case "#favourite":
		return f.x + " is " + g.pick(values[f.x])
	case "#versus":
		return g.versus(f.x)
	}
	return g.value(g.family.values[0])
}

// newHolder chooses a holder from the family's list.
func (g *generator) newHolder() holder {
	switch g.family.holder {
	case "person":
		switch g.rng.IntN(10) {
		case 0, 1, 2, 3, 4, 5:
			return holder{subject: "I", possessive: "my", person: true, first: true}
		case 6:
			return holder{subject: "we", possessive: "our", person: true, plural: true}
		case 7:
			return holder{subject: "the user", possessive: "the user's", person: true}
		case 8:
			name := g.pick(values["person"])
			return holder{subject: name, possessive: name + "'s", person: true}
		}
		kin := "my " + g.pick(values["kin"])
		return holder{subject: kin, possessive: kin + "'s", person: true}
	case "self":
		return holder{subject: "I", possessive: "my", person: true, first: true}
	case "we", "agent":
		return holder{subject: "I", possessive: "my", person: true, first: true}
	case "pet":
		return holder{subject: g.pick([]string{"my", "our", "the"}) + " " + g.pick(values["pet"])}
	}
	thing := g.pick(values[g.family.holder])
	if thing != "" && (thing[0] < 'A' || thing[0] > 'Z') && !strings.ContainsAny(thing, "0123456789") && !strings.HasPrefix(thing, "the ") && !strings.HasPrefix(thing, "our ") && !strings.HasPrefix(thing, "my ") && !strings.HasPrefix(thing, "project ") {
		article := [...]string{"the ", "the ", "our ", "my "}[g.rng.IntN(4)]
		thing = article + thing
	}
	return holder{subject: thing, possessive: thing + "'s"}
}

// otherThan returns another holder.
func (g *generator) otherThan(h holder) holder {
	if g.family.holder == "self" || g.family.holder == "we" || g.family.holder == "agent" {
		return h
	}
	for range 9 {
		o := g.newHolder()
		if o.subject == h.subject || o.person && o.subject != "I" == (h.subject != "I") && g.chance(50) || ours(o) && ours(h) {
			continue
		}
		_, a, _ := strings.Cut(o.subject, " ")
		_, b, _ := strings.Cut(h.subject, " ")
		if a == b && a != "" {
			continue
		}
		return o
	}
	return h
}

// ours reports a holder that may be the speaker.
func ours(h holder) bool { return h.first || h.plural || h.subject == "the user" }

// value returns a value of a list, or of a kind that begins with "#".
func (g *generator) value(list string) string {
	n := g.rng.IntN
	switch list {
	case "#clock":
		return [...]string{strconv.Itoa(1+n(12)) + " o'clock", fmt.Sprintf("%d:%02d", 6+n(14), 15*n(4)), strconv.Itoa(1+n(11)) + " pm", strconv.Itoa(6+n(14)) + ":30",
			"half past " + number(1+n(11)), number(6 + n(6)), "noon", strconv.Itoa(5+n(6)) + " am", fmt.Sprintf("%d:%02d pm", 1+n(11), 5*n(12))}[n(9)]
	case "#date":
		month := [...]string{"January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December"}[n(11)]
		return [...]string{strconv.Itoa(1+n(28)) + " " + month, month + " " + strconv.Itoa(1+n(28)), "the " + strconv.Itoa(4+n(16)) + "th of " + month, fmt.Sprintf("2026-%02d-%02d", 1+n(12), 1+n(28)),
			g.pick(values["weekday"]), "the end of " + month, "mid " + month}[n(7)]
	case "#phone":
		return [...]string{fmt.Sprintf("07700 9%05d", n(100000)), fmt.Sprintf("555-%04d", n(10000)), fmt.Sprintf("+44 20 7946 %04d", n(10000)), strconv.Itoa(100 + n(900))}[n(4)]
	case "#email":
		return strings.ToLower(g.pick(values["person"])) + g.pick([]string{"", ".work", "77", "-mail", "x"}) + "@" + g.pick([]string{"post.net", "mail.org", "brightwater.com", "home.io"})
	case "#code":
		return [...]string{strconv.Itoa(1000 + n(9000)), g.pick(values["petname"]) + strconv.Itoa(n(100)), fmt.Sprintf("%c%d-%d", 'A'+n(26), 10+n(90), 100+n(900))}[n(3)]
	case "#num":
		return [...]string{strconv.Itoa(1 + n(20)), strconv.Itoa(10 * (1 + n(50))), strconv.Itoa(100 * (1 + n(90))), strconv.Itoa(1+n(90)) + " seconds", strconv.Itoa(1+n(64)) + " GB", number(2 + n(9)),
			strconv.Itoa(5*(1+n(12))) + " minutes", strconv.Itoa(8000 + n(1000))}[n(8)]
	case "#money":
		return [...]string{strconv.Itoa(5*(1+n(400))) + " euros", "$" + strconv.Itoa(1+n(900)), "€" + strconv.Itoa(10*(1+n(90))), strconv.Itoa(10 * (1 + n(200))), strconv.Itoa(20+n(80)) + "k",
			fmt.Sprintf("%d.%02d", 1+n(40), 10*n(10)), fmt.Sprintf("%d,%03d", 1+n(80), 100*n(10)), number(2+n(10)) + " pounds"}[n(8)]
	case "#percent":
		return strconv.Itoa(1+n(60)) + [...]string{"%", " percent", " per cent"}[n(3)]
	case "#version":
		return [...]string{fmt.Sprintf("%d.%d", 1+n(9), n(20)), fmt.Sprintf("%d.%d.%d", 1+n(9), n(20), n(10)), strconv.Itoa(8 + n(20)), fmt.Sprintf("v%d", 1+n(9))}[n(4)]
	case "#count":
		return number(1+n(6)) + " " + [...]string{"children", "cats", "dogs", "bikes", "sisters", "horses", "monitors", "cars", "employees", "tenants"}[g.stable(10)]
	case "#age":
		return strconv.Itoa(18 + n(60))
	case "#weight":
		return strconv.Itoa(48+n(60)) + " kg"
	case "#dose":
		return strconv.Itoa(5*(1+n(20))) + " mg"
	case "#distance":
		return strconv.Itoa(2+n(30)) + " km"
	case "#score":
		return strconv.Itoa(n(6)) + "-" + strconv.Itoa(n(6))
	case "#adjunct":
		noun := [...]string{"milk", "sugar", "ice", "lemon", "pepper"}[g.stable(5)]
		return [...]string{"with ", "without "}[n(2)] + noun
	case "#kindof":
		noun := [...]string{"meetings", "answers", "films", "feedback", "seats", "trips", "walls", "reports"}[g.stable(8)]
		return [...]string{"long", "short", "written", "spoken", "early", "late", "public", "private", "small", "big"}[n(10)] + " " + noun
	case "#sides":
		side := sides[g.stable(len(sides))]
		return side[n(len(side))]
	case "#reviews":
		return number(1+n(5)) + " " + [...]string{"reviews", "approvals", "signatures"}[g.stable(3)]
	}
	return g.pick(values[list])
}

// stable returns a number below n that is the same for both values of a pair.
func (g *generator) stable(n int) int {
	if g.chosen == 0 {
		g.chosen = 1 + g.rng.IntN(1<<20)
	}
	return g.chosen % n
}

func number(n int) string {
	words := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// text fills a template.
func (f filling) text(template string) string {
	template = f.lists(template)
	h := f.holder
	third := !h.first && !h.plural
	be, have, do := "is", "has", "does"
	if !third {
		be, have, do = "am", "have", "do"
		if h.plural {
			be = "are"
		}
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(h.subject, "the "), "our "), "my ")
	text := strings.NewReplacer("{S}", h.subject, "{P}", h.possessive, "{T}", h.subject, "{t}", bare, "{v}", f.v, "{x}", f.x, "{w}", f.w, "{u}", f.u,
		"{am}", be, "{have}", have, "{do}", do).Replace(template)
	if !h.person {
		// things: the speaker is the subject of {S} and {P}
		text = strings.NewReplacer("{S}", "I", "{P}", "my", "{T}", h.subject, "{t}", bare, "{v}", f.v, "{x}", f.x, "{w}", f.w, "{u}", f.u,
			"{am}", "am", "{have}", "have", "{do}", "do").Replace(template)
		third = false
	}
	return agree(text, third)
}

// agree resolves "live~": "live", or "lives" in the third person.
func agree(text string, third bool) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		verb, ok := strings.CutSuffix(w, "~")
		if !ok {
			continue
		}
		switch {
		case !third:
		case strings.HasSuffix(verb, "y") && !strings.HasSuffix(verb, "ay") && !strings.HasSuffix(verb, "oy"):
			verb = verb[:len(verb)-1] + "ies"
		case strings.HasSuffix(verb, "o") || strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ch"):
			verb += "es"
		default:
			verb += "s"
		}
		words[i] = verb
	}
	return strings.Join(words, " ")
}

// contract writes "I am" as "I'm" and the like, if it should.
func contract(text string, short bool) string {
	text = strings.ReplaceAll(text, "don't does", "doesn't")
	if !short {
		return text
	}
	return contractions.Replace(text)
}

var contractions = strings.NewReplacer("I am ", "I'm ", "we are ", "we're ", "I have been ", "I've been ", "I have moved", "I've moved", "does not ", "doesn't ", "do not ", "don't ", "it is ", "it's ", "is not ", "isn't ")

// lists replaces names of lists in braces, as {city}, by a value that is not {v}. Which one
// depends on the filling alone.
func (f filling) lists(template string) string {
	from := strings.IndexByte(template, '{')
	for from >= 0 {
		to := from + strings.IndexByte(template[from:], '}')
		name := strings.TrimRight(template[from+1:to], "2")
		list := values[name]
		if name == "num" {
			list = []string{"3", "40", "12", "200", "7"}
		}
		if len(name) > 1 && len(list) > 0 {
			v := list[(len(f.v)*7+len(f.holder.subject)*3+len(f.w))%len(list)]
			if v == f.v {
				v = list[(len(f.v)*7+len(f.holder.subject)*3+len(f.w)+1)%len(list)]
			}
			template = template[:from] + v + template[to+1:]
			to = from + len(v) - 1
		}
		next := strings.IndexByte(template[to+1:], '{')
		if next < 0 {
			break
		}
		from = to + 1 + next
	}
	return template
}
