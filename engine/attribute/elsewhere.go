package attribute

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/graph"
)

// StatesElse reports whether a question asks for an attribute of somebody, and the claims of a memory state it of another person, or not as what is so: in a
// novel, on a condition, in words of others, or in a claim that was withdrawn. user is who asks.
func StatesElse(m *graph.Memory, question, user string) bool {
	if m == nil {
		return false
	}
	asked := Question(question)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(x Asked) bool { return !statesElse(m, x, user) })
}

// statesElse reports whether the claims of a memory state an attribute, and none of them as what is asked for. Only of who is asked about by name
// another person is surely another: "my sister" may be Mona.
func statesElse(m *graph.Memory, asked Asked, user string) (elsewhere bool) {
	subject := extract.Canonical(asked.Subject)
	if reader.FirstPerson(subject) {
		subject = reader.User
	}
	for _, mine := range []string{"my ", "our "} {
		if thing, ok := strings.CutPrefix(subject, mine); ok && user != "" {
			subject = extract.Canonical(user + "'s " + thing)
		}
	}
	ofSomebody := func(name string) bool { return strings.Contains(strings.ReplaceAll(name, "’", "'"), "'s ") } // "Amy's sister"
	named := subject != reader.User && !ofSomebody(asked.Subject) && !strings.HasPrefix(strings.ToLower(asked.Subject), "my ") && !strings.HasPrefix(strings.ToLower(asked.Subject), "our ")
	elsewhere = len(m.Claims) > 0
	for i := range m.Claims {
		elsewhere = elsewhere && unreal[m.Claims[i].Modality]
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		s := c.State()
		single := named && !ofSomebody(s.Subject) // "Amy Berg" may be Amy
		for _, x := range Of(m, c, s) {
			if !slices.Contains(asked.Attributes, x.Attribute) {
				continue
			}
			if !s.Withdrawn && !unreal[c.Modality] && slices.ContainsFunc(x.Names, func(name string) bool { return name == subject || single && wordInCommon(name, subject) }) {
				return false
			}
			if named && !s.Withdrawn && c.Modality == reader.Fiction.String() && slices.ContainsFunc(x.Names, func(name string) bool { return wordInCommon(name, subject) }) {
				return false // who asks by name for somebody in a novel means the novel
			}
			elsewhere = elsewhere || named || s.Withdrawn || unreal[c.Modality] || subject == reader.User && ofRelative(strings.ToLower(s.Subject))
		}
	}
	return elsewhere
}

// ofRelative reports a subject in lower case that is a relative of somebody: "ana's cousin mia", "my cousin". It is another person than the user.
func ofRelative(name string) bool {
	words := strings.Fields(strings.ReplaceAll(name, "’", "'"))
	return len(words) > 1 && (strings.HasSuffix(words[0], "'s") || words[0] == "my" || words[0] == "our") && !strings.HasSuffix(words[len(words)-1], "'s") &&
		slices.ContainsFunc(words[1:], func(w string) bool { return lexicon.Relatives[w] || lexicon.Couples[w] })
}

// unreal are the modalities of claims that say nothing about what is so.
var unreal = map[string]bool{
	reader.Fiction.String(): true, reader.Quoted.String(): true, reader.Conditional.String(): true, reader.Question.String(): true, reader.Wish.String(): true,
}

// wordInCommon reports whether two names have a word in common.
func wordInCommon(a, b string) bool {
	return slices.ContainsFunc(strings.Fields(a), func(w string) bool { return slices.Contains(strings.Fields(b), w) })
}
