package conflict

import "slices"

// channel is a sentence about the medium or the place in which something is made, kept or sent:
// "the app is written in Java", "logs now go to Loki". It is a measurement whose value is a name.
type channel struct {
	words []string // lemmas of what it is about, sorted
	way   byte     // 'a' for in, on, at, to; 'v' for by, with
	made  bool     // written in, translated to: not a place
	kept  bool     // stored at, runs on: a place
	name  string   // as written, in lower case
	keys  []string // lemmas of the name
}

// channelVerbs are verbs of making, keeping and sending: written in, stored on, sent via. Their
// result lasts.
var channelVerbs = lemmaSet("channelVerbs")

// agentVerbs are those with a person as the subject: "we rewrote it in Kotlin" is about the app.
var agentVerbs = lemmas("write rewrite port migrate move deploy host store keep send build rebuild translate implement back save archive upload publish print relocate install")

// channelPrepositions are the prepositions before a channel, with channel.way.
var channelPrepositions = map[string]byte{"in": 'a', "on": 'a', "at": 'a', "to": 'a', "into": 'a', "onto": 'a', "via": 'v', "with": 'v', "through": 'v', "using": 'v', "over": 'v'}

// writingVerbs are the channelVerbs of making, housingVerbs those of keeping.
var (
	writingVerbs = lemmas("write rewrite translate implement print publish record code compile")
	housingVerbs = lemmas("deploy host run store keep save back archive base locate situate relocate house park live sit stay upload")
)

// nounVerbs maps nouns of action to their verbs: deployment, deploy.
var nounVerbs = keysOfWords("nounVerbs")

// channelOf reads the channel of a sentence. t are its tokens with values marked.
func channelOf(t []token, vals []value) (channel, bool) {
	for len(t) > 0 && t[len(t)-1].punctuation {
		t = t[:len(t)-1]
	}
	v := findVerb(t, false)
	if v < 1 || len(t) > 16 || t[v].is(modal) {
		return channel{}, false
	}
	var m channel
	at, end, doing := -1, len(t), t[v].lem
	for i := v + 1; i < len(t); i++ {
		x := t[i]
		switch {
		case x.punctuation:
			return channel{}, false
		case i > v && (x.verb || channelVerbs[x.lem]) && !x.upper && (x.past || x.ing) && t[i-1].is(formOfBe|formOfHave|adverb):
			doing = x.lem
		}
		if w, ok := channelPrepositions[x.low]; ok && i+1 < len(t) && t[i+1].upper {
			if at >= 0 {
				return channel{}, false
			}
			at, m.way = i, w
			end = i + 1
			for end < len(t) && t[end].upper {
				end++
			}
		}
	}
	if at < 0 || !channelVerbs[doing] {
		return channel{}, false
	}
	for i := end; i < len(t); i++ {
		if t[i].low == "from" { // to Azure from AWS
			break
		}
		if !t[i].is(stopWord|adverb) && !t[i].used {
			return channel{}, false
		}
	}
	if slices.ContainsFunc(vals, func(o value) bool { return isTimeKind(o.kind) }) {
		return channel{}, false
	}
	for _, x := range t[at+1 : end] {
		if m.name != "" {
			m.name += " "
		}
		m.name += x.low
		m.keys = append(m.keys, x.lem)
	}
	if doing == "send" && m.way == 'a' {
		return channel{}, false // the recipient
	}
	m.made, m.kept = writingVerbs[doing], housingVerbs[doing]
	agent := t[0].is(subjectForm) || t[0].low == "i"
	if agent && !agentVerbs[doing] {
		return channel{}, false
	}
	verbs := 0
	for i := 0; i < at; i++ {
		x := t[i]
		switch {
		case x.low == "from":
			for i+1 < at && t[i+1].upper {
				i++
			}
			continue
		case x.low == "a" || x.low == "an":
			return channel{}, false
		case x.punctuation, x.low == "'s", x.is(stopWord) || x.is(adverb), x.used, currentWords[x.lem], x.low == "everything":
			continue
		case i == v || i > v && x.lem == doing:
			verbs++
			continue
		case x.upper || x.first && looksLikeName(t, i) && !isPlural(x.low, x.lem):
			return channel{}, false // a person, or another name
		}
		w := x.lem
		if s, ok := nounVerbs[w]; ok {
			w = s
		}
		m.words = append(m.words, w)
	}
	if len(m.words) == 0 && verbs > 0 {
		if s, ok := nounVerbs[doing]; ok {
			doing = s
		}
		if agentVerbs[doing] && doing != moveKey && doing != migrateKey {
			m.words = []string{doing}
		}
	}
	slices.Sort(m.words)
	m.words = slices.Compact(m.words)
	return m, len(m.words) > 0 && len(m.words) <= 4
}

// compareChannels compares two channels.
func compareChannels(x, y *channel) Result {
	switch {
	case x.way != y.way, x.made && y.kept, x.kept && y.made, !slices.Equal(x.words, y.words), isSubset(x.keys, y.keys), isSubset(y.keys, x.keys),
		samePlace(x.name, y.name), isRegion(x.name) != isRegion(y.name), isAcronym(x.name, y.name), isAcronym(y.name, x.name):
		return Result{}
	}
	return Result{scoreSlot, KindObject}
}
