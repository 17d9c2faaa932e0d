package engine

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// How much a score depends on what a question says besides its words: a memory that
// does not fit keeps 1/(1+weight) of it. They order hits; nothing is left out.
const (
	windowWeight = 0.5 // a time is named
	askedWeight  = 0.2 // it is about what somebody said
)

// embedQuery is the vector of a question. A model that can be told gets to know how
// rare its words are where the answer is looked for.
func (e *Engine) embedQuery(ctx context.Context, sc graph.Scope, spaces []string, text string) ([]float32, error) {
	if w, ok := e.embedder.(models.Weigher); ok {
		return w.EmbedWeighted(ctx, text, e.index.Rarity(sc, spaces))
	}
	vectors, err := e.embedder.Embed(ctx, []string{text}, models.Query)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// related are the words of a text that others are written for.
func related(text string) []index.Related {
	var out []index.Related
	for _, w := range spoken(text) {
		low := strings.ToLower(w)
		if slices.ContainsFunc(out, func(r index.Related) bool { return r.Word == low }) {
			continue
		}
		if others := lexicon.Related(low); others != nil {
			out = append(out, index.Related{Word: low, Others: others})
		}
	}
	return out
}

// asked says whose words a question is about; zero: nobody's more than another's.
type asked struct {
	agent string           // one who speaks under a name
	kind  graph.SourceKind // FromUser or FromAssistant
}

// whoIsAsked reads it from the question: the one agent of the candidates that is named
// ("What did Ada buy?"), the assistant where it is told what it said ("you suggested"),
// the user who speaks of themself ("my"). People speak mostly of themselves, so that
// what somebody did is mostly found in their own words.
func whoIsAsked(question string, candidates []index.Candidate) asked {
	words := spoken(question)
	if len(words) == 0 {
		return asked{}
	}
	var a asked
	for _, c := range candidates {
		if c.Doc.Agent == "" || c.Doc.Agent == a.agent || !namesAgent(words, c.Doc.Agent) {
			continue
		}
		if a.agent != "" {
			return asked{} // two are named
		}
		a.agent = c.Doc.Agent
	}
	if a.agent != "" {
		return a
	}
	for i, w := range words {
		low := strings.ToLower(w)
		if low == "you" && (i > 0 && strings.EqualFold(words[i-1], "did") || i+1 < len(words) && told[strings.ToLower(words[i+1])]) {
			return asked{kind: graph.FromAssistant}
		}
		if firstPerson[low] {
			a.kind = graph.FromUser
		}
	}
	return a
}

// namesAgent reports whether the first name of an agent stands among the words with a
// capital, where a capital means something.
func namesAgent(words []string, agent string) bool {
	name := spoken(agent)
	if len(name) == 0 || utf8.RuneCountInString(name[0]) < 2 {
		return false
	}
	return slices.ContainsFunc(words[:1], func(w string) bool { return strings.EqualFold(w, name[0]) && !modals[strings.ToLower(w)] }) ||
		slices.ContainsFunc(words[1:], func(w string) bool {
			first, _ := utf8.DecodeRuneInString(w)
			return unicode.IsUpper(first) && strings.EqualFold(w, name[0])
		})
}

// spoken are the words of a text: letters and digits, apart at all else.
func spoken(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

var (
	firstPerson = wordSet("i my mine myself")
	modals      = wordSet("will may can might") // begin a question, and are names too
	told        = wordSet("said told suggested recommended advised explained mentioned proposed wrote gave provided described recommend suggest")
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// fits reports whether a memory may be the words that are asked for. What is known of
// nobody in particular, documents and what sleep made of turns, always fits.
func (a asked) fits(d *index.Doc) bool {
	switch {
	case a.agent != "":
		return d.Agent == "" || d.Agent == a.agent
	case a.kind == graph.FromUser:
		return d.SourceKind != graph.FromAssistant
	case a.kind == graph.FromAssistant:
		return d.SourceKind != graph.FromUser
	}
	return true
}

// steering is what the time that a question names and whom it asks about leave of a
// score, in (0,1]; 1 where it says neither.
func (q *query) steering(k scored) float64 {
	return q.inTime(k) * q.inVoice(k)
}

// happened reports whether a memory is of the time that the question names from end
// to end: then that alone may answer it ("What was there in May?").
func (q *query) happened(d *index.Doc) bool {
	return !q.window.From.IsZero() && !q.window.To.IsZero() && q.window.Contains(d.OccurredAt)
}

func (q *query) inTime(k scored) float64 {
	if !q.window.Bounded() {
		return 1
	}
	return (1 + windowWeight*k.parts.Recency) / (1 + windowWeight)
}

func (q *query) inVoice(k scored) float64 {
	if q.asked.fits(k.Doc) {
		return 1
	}
	return 1 / (1 + askedWeight)
}
