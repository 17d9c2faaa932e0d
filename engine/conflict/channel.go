package conflict

import "slices"

// channel is a sentence that says in, on or through what something is made, kept or sent,
// or where it takes place: "the app is written in Java", "logs now go to Loki". It is the
// topic whose value is a name.
type channel struct {
	words []string // word families of what it is about, sorted
	way   byte     // 'a' in, on, at or to something; 'v' by or with it
	made  bool     // written in, translated to: no place
	kept  bool     // stored at, runs on: a place
	name  string   // as written, in small letters
	keys  []string // word families of the name
}

// channelVerbs are verbs that say by themselves in or through what a thing is: written in, stored
// on, sent via. What is brought about so stays so.
var channelVerbs = lemmas(`write rewrite port migrate move deploy host run store keep send build translate implement code switch base locate situate relocate
print publish back save archive upload build rebuild compile record hold print teach film shoot house park serve install live sit stay be go come`)

// agentVerbs among them are done by somebody: "we rewrote it in Kotlin" speaks of the app.
var agentVerbs = lemmas("write rewrite port migrate move deploy host store keep send build rebuild translate implement back save archive upload publish print relocate install")

// channelPrepositions are the prepositions of a medium.
var channelPrepositions = map[string]byte{"in": 'a', "on": 'a', "at": 'a', "to": 'a', "into": 'a', "onto": 'a', "via": 'v', "with": 'v', "through": 'v', "using": 'v', "over": 'v'}

// writingVerbs are the verbs among them that say of what a thing is made, and housing where it is.
var (
	writingVerbs = lemmas("write rewrite translate implement print publish record code compile")
	housingVerbs = lemmas("deploy host run store keep save back archive base locate situate relocate house park live sit stay upload")
)

// nounVerbs bring a noun of doing to its verb: our deployments, deploy.
var nounVerbs = func() map[string]string {
	m := map[string]string{}
	for k, v := range pairs("deployment=deploy translation=translate recording=record publication=publish storage=store hosting=host migration=migrate rewrite=write rewritten=write rebuild=build") {
		m[lemma(k)] = lemma(v)
	}
	return m
}()

// channelOf reads in or through what a sentence says a thing is.
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
	if doing == sendKey && m.way == 'a' {
		return channel{}, false // to somebody
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

// compareChannels holds in what two statements say a thing is against each other.
func compareChannels(a, b *Analysis) Result {
	for i := range a.channels {
		for j := range b.channels {
			x, y := &a.channels[i], &b.channels[j]
			if x.way != y.way || x.made && y.kept || x.kept && y.made || !slices.Equal(x.words, y.words) || isSubset(x.keys, y.keys) || isSubset(y.keys, x.keys) {
				continue
			}
			if samePlace(x.name, y.name) || isRegion(x.name) != isRegion(y.name) || isAcronym(x.name, y.name) || isAcronym(y.name, x.name) {
				continue
			}
			return Result{scoreSlot, KindObject, "another medium or place of the same"}
		}
	}
	return Result{}
}
