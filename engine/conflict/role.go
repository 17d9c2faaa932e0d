package conflict

import (
	"slices"
	"strings"
)

// role is a post that one person holds at a time, with its holder: "Greta leads the design team",
// "Hans took over as CEO from Anna".
type role struct {
	post        string   // chief, treasurer, lead …
	of          []string // lemmas of the group that it is a post of, sorted; empty if not named
	holder      string   // in lower case; empty if only the predecessor is named
	predecessor string   // the former holder, in lower case
}

// posts are the posts of one holder, with their key. The words for the leader of a group share one
// key.
var posts = func() map[string]string {
	m := map[string]string{}
	for _, line := range wordLists.Lines("posts") {
		words := strings.Fields(line)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}()

// roleVerbs are the verbs of holding a post.
var roleVerbs = map[string]string{"lead": "lead", "head": "lead", "manage": "lead", "supervise": "lead", "direct": "lead", "captain": "captain", "chair": "chair", "coach": "coach", "edit": "editor"}

// appointVerbs are the verbs of giving a post to somebody.
var appointVerbs = lemmas("elect appoint name make promote hire choose select vote pick")

// rolesOf reads which persons hold which posts.
func rolesOf(t []token) (out []role) {
	for len(t) > 0 && t[len(t)-1].punctuation {
		t = t[:len(t)-1]
	}
	if len(t) < 3 || len(t) > 16 {
		return nil
	}
	who, n := personAt(t, 0)
	if n > 0 && n < len(t) {
		out = rolesAfterName(who, t[n:])
	} else {
		out = rolesAfterPost(t)
	}
	return slices.DeleteFunc(out, func(o role) bool { return o.post == "" && len(o.of) == 0 || o.holder == "" && o.predecessor == "" })
}

// personAt reads a person's name that begins at i, and returns the number of its words.
func personAt(t []token, i int) (string, int) {
	n, name := 0, ""
	for i+n < len(t) && n < 3 {
		x := t[i+n]
		big := x.upper || x.first && x.raw[0] >= 'A' && x.raw[0] <= 'Z' && !x.is(stopWord|determiner|adverb|interjection) && pronoun(x.low) == "" && !conditionals[x.low]
		if !big || posts[x.low] != "" {
			break
		}
		if name != "" {
			name += " "
		}
		name += x.low
		n++
	}
	return name, n
}

// rolesAfterName reads the tokens after the name of a person.
func rolesAfterName(who string, t []token) []role {
	i := 0
	for i < len(t) && (t[i].is(adverb) || t[i].is(formOfHave) || t[i].low == "been") {
		i++
	}
	if i >= len(t) {
		return nil
	}
	v := t[i]
	rest := t[i+1:]
	for len(rest) > 0 && rest[0].is(adverb) {
		rest = rest[1:]
	}
	was := v.low == "was" || v.low == "were"
	switch {
	case v.is(formOfBe) && len(rest) > 0 && appointVerbs[rest[0].lem] && rest[0].past:
		p, of, _ := postAt(rest[1:])
		return []role{{post: p, of: of, holder: who}}
	case v.is(formOfBe) && !was, v.lem == becomeKey:
		p, of, sure := postAt(rest)
		if !sure {
			return nil
		}
		return []role{{post: p, of: of, holder: who}}
	case roleVerbs[v.lem] != "" && !v.past:
		if of := groupAt(rest); len(of) > 0 {
			return []role{{post: roleVerbs[v.lem], of: of, holder: who}}
		}
	case v.lem == takeKey && len(rest) > 0 && rest[0].low == "over", v.lem == "succeed", v.lem == replaceKey:
		if v.lem == takeKey {
			rest = rest[1:]
		}
		o := role{holder: who}
		if prior, n := personAt(rest, 0); n > 0 && v.lem != takeKey {
			o.predecessor, rest = prior, rest[n:]
		}
		for k := range rest {
			if rest[k].low == "from" {
				if prior, n := personAt(rest, k+1); n > 0 {
					o.predecessor, rest = prior, rest[:k]
				}
				break
			}
		}
		if len(rest) > 0 && rest[0].low == "as" {
			o.post, o.of, _ = postAt(rest[1:])
		} else if o.of = groupAt(rest); len(o.of) > 0 {
			o.post = "lead"
		}
		if o.post == "" {
			return nil
		}
		return []role{o}
	case v.lem == "step" && len(rest) > 1 && rest[0].low == "down", v.lem == "resign", v.lem == retireKey:
		for k := range rest {
			if rest[k].low == "as" || rest[k].low == "from" {
				p, of, _ := postAt(rest[k+1:])
				if p != "" {
					return []role{{post: p, of: of, predecessor: who}}
				}
			}
		}
	}
	return nil
}

// rolesAfterPost reads a sentence that begins with the post: "our CEO is Anna Weber", "we replaced
// Mia with Jon as our accountant", "the design team is led by Hans".
func rolesAfterPost(t []token) []role {
	be := slices.IndexFunc(t, func(x token) bool { return x.is(formOfBe) && x.low != "was" && x.low != "been" && x.low != "'s" })
	if be > 0 && be+1 < len(t) {
		i := be + 1
		for i < len(t) && t[i].is(adverb) {
			i++
		}
		if i+1 < len(t) && roleVerbs[t[i].lem] != "" && t[i].past && t[i+1].low == "by" {
			if who, n := personAt(t, i+2); n > 0 && i+2+n == len(t) {
				return []role{{post: roleVerbs[t[i].lem], of: groupAt(t[:be]), holder: who}}
			}
		}
		if who, n := personAt(t, i); n > 0 && i+n == len(t) {
			p, of, sure := postAt(t[:be])
			if sure {
				return []role{{post: p, of: of, holder: who}}
			}
		}
	}
	if t[0].low == "we" && len(t) > 4 && t[1].lem == replaceKey {
		if old, n := personAt(t, 2); n > 0 && 2+n < len(t) && (t[2+n].low == "with" || t[2+n].low == "by") {
			if who, k := personAt(t, 3+n); k > 0 && 3+n+k < len(t) && t[3+n+k].low == "as" {
				p, of, _ := postAt(t[4+n+k:])
				return []role{{post: p, of: of, holder: who, predecessor: old}}
			}
		}
	}
	return nil
}

// postAt reads "the new head of the design team". sure is false for "a manager".
func postAt(t []token) (post string, of []string, sure bool) {
	sure = true
	i := 0
	for ; i < len(t); i++ {
		x := t[i]
		if x.low == "a" || x.low == "an" || x.low == "one" {
			sure = false
		}
		if x.is(determiner) || pronoun(x.low) != "" || currentWords[x.lem] || x.is(adverb) {
			continue
		}
		break
	}
	from := i
	for i < len(t) && !t[i].punctuation && t[i].low != "of" && t[i].low != "for" && t[i].low != "at" && t[i].low != "'s" {
		i++
	}
	if i < len(t) && t[i].low == "'s" { // the design team's lead
		of = phraseLemmas(t[from:i])
		from = i + 1
		for i = from; i < len(t) && !t[i].punctuation && !t[i].is(preposition); i++ {
		}
	}
	if i == from {
		return "", nil, false
	}
	post = posts[t[i-1].low]
	if post == "" {
		return "", nil, false
	}
	of = append(of, phraseLemmas(t[from:i-1])...)
	if i < len(t) && (t[i].low == "of" || t[i].low == "for" || t[i].low == "at") {
		of = append(of, phraseLemmas(t[i+1:])...)
	} else if i < len(t) {
		return "", nil, false
	}
	slices.Sort(of)
	return post, slices.Compact(of), sure
}

// groupAt reads the group that somebody leads: "the design team".
func groupAt(t []token) []string {
	if len(t) == 0 || !t[0].is(determiner) || t[0].low == "a" || t[0].low == "an" {
		return nil
	}
	of := phraseLemmas(t)
	slices.Sort(of)
	return slices.Compact(of)
}

// phraseLemmas returns the lemmas of a phrase.
func phraseLemmas(t []token) (out []string) {
	for _, x := range t {
		if x.punctuation || x.is(joining) {
			break
		}
		if !x.is(stopWord|adverb) && x.low != "'s" && !currentWords[x.lem] && !x.used {
			out = append(out, x.lem)
		}
	}
	return out
}

// compareRoles compares two posts.
func compareRoles(x, y *role) Result {
	switch {
	case x.post != y.post, len(x.of) > 0 && len(y.of) > 0 && !slices.Equal(x.of, y.of):
	case x.post == "lead" && len(x.of) != len(y.of): // a manager of one thing, and the boss
	case x.holder != "" && y.holder != "" && isOtherPerson(x.holder, y.holder):
		return Result{scoreObject, KindObject}
	case x.precedes(y) || y.precedes(x):
		return Result{scoreChange, KindChange}
	}
	return Result{}
}

// precedes reports that o says that the holder of x has left the post.
func (x *role) precedes(o *role) bool {
	return x.holder != "" && x.predecessor == "" && o.predecessor != "" && !isOtherPerson(x.holder, o.predecessor)
}

// coupleClaims reads "Ada and I are married" as two claims about the spouse.
func (p *parser) coupleClaims(t []token) (out []claim) {
	if len(t) < 5 || t[1].low != "and" || !(t[0].upper || t[0].first && looksLikeName(t, 0)) || !t[2].upper && t[2].low != "i" || pronoun(t[0].low) != "" {
		return nil
	}
	i := 3
	for i < len(t) && (t[i].is(formOfBe|formOfHave) || t[i].is(adverb)) {
		if t[i].low == "was" || t[i].low == "were" || t[i].low == "had" || t[i].is(doubtWord) {
			return nil
		}
		i++
	}
	if i == 3 || i >= len(t) || isDoubtful(t[i:]) {
		return nil
	}
	if t[i].low == "a" {
		i++
	}
	switch lowAt(t, i) {
	case "couple", "married", "engaged", "dating", "partners":
	default:
		return nil
	}
	for _, k := range []int{0, 2} {
		if who := p.owner(t[k : k+1]); len(who) > 0 && pronoun(t[2-k].low) == "" {
			with := t[2-k]
			out = append(out, claim{attribute: "spouse", kind: ofName, owner: who, subject: t[k : k+1], words: []string{with.lem}, name: with.low, proper: true})
		}
	}
	return out
}

// isOtherPerson reports that two names have no word in common.
func isOtherPerson(x, y string) bool {
	for _, w := range strings.Fields(x) {
		if slices.Contains(strings.Fields(y), w) {
			return false
		}
	}
	return true
}
