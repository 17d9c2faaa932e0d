package recall

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/english"
)

// How much a score depends on what a question says besides its words, and on what is
// known of a memory: one that does not fit keeps 1/(1+weight) of it, or 1−weight where it
// asks. They order hits; nothing is left out.
const (
	windowWeight = 0.5 // a time is named
	askedWeight  = 0.2 // it is about what somebody said
	tellWeight   = 0.4 // of what asks: a question answers none
	selfWeight   = 0.6 // who asks asks about themself
	vouchWeight  = 0.4 // what its source may vouch for, up to vouchesFully
	vouchesFully = 0.8 // authority of what users say themselves: the few words of a user are not hidden by the many of an assistant
)

// matterShare is what is about the same matter of the semantic part, [0,1].
const matterShare = 0.15

// embedQuery is the vector of a question. A model that can be told gets to know how
// rare its words are where the answer is looked for.
func (svc *Service) embedQuery(ctx context.Context, sc graph.Scope, spaces []string, text string) ([]float32, error) {
	if w, ok := svc.Embedder.(models.Weigher); ok {
		return w.EmbedWeighted(ctx, text, svc.Index.Rarity(sc, spaces))
	}
	ctx, cancel := workspace.WithHalfDeadline(ctx, queryWait)
	defer cancel()
	vectors, err := svc.Embedder.Embed(ctx, []string{text}, models.Query)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// queryWait is how long a search waits for the vector of its question: behind it the other
// channels answer.
const queryWait = 5 * time.Second

// related are the words of a text that others are written for.
func related(text string) []index.Related {
	var out []index.Related
	for _, w := range queryWords(text) {
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
	words := queryWords(question)
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
		if ownWord(low) {
			a.kind = graph.FromUser
		}
	}
	return a
}

// namesAgent reports whether the first name of an agent stands among the words with a
// capital, where a capital means something.
func namesAgent(words []string, agent string) bool {
	name := queryWords(agent)
	if len(name) == 0 || utf8.RuneCountInString(name[0]) < 2 {
		return false
	}
	return slices.ContainsFunc(words[:1], func(w string) bool { return strings.EqualFold(w, name[0]) && !modals[strings.ToLower(w)] }) ||
		slices.ContainsFunc(words[1:], func(w string) bool {
			first, _ := utf8.DecodeRuneInString(w)
			return unicode.IsUpper(first) && strings.EqualFold(w, name[0])
		})
}

// queryWords returns the words of a text: runs of letters and digits.
func queryWords(text string) []string {
	var words []string
	for t := range english.Tokens(text, english.Parts) {
		if t.IsWord() {
			words = append(words, t.Text)
		}
	}
	return words
}

// ownWord reports a word by which users refer to themselves. "me" is none: "tell me about …".
func ownWord(low string) bool {
	p, ok := english.PronounOf(low)
	return ok && p.Subject == "i" && p.Case != english.Objective
}

var (
	modals = english.WordSet("will may can might") // begin a question, and are names too
	told   = english.WordSet("said told suggested recommended advised explained mentioned proposed wrote gave provided described recommend suggest")
)

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
// score, with what the memory tells and who stands for it, in (0,1].
func (q *query) steering(k scored) float64 {
	return q.inTime(k) * q.inVoice(k) * q.inFirstPerson(k.Doc) * telling(k.Doc) * vouched(k.Doc) * q.unmarked(k.Doc)
}

// unmarked is what being marked irrelevant for a like question leaves of a score.
func (q *query) unmarked(d *index.Doc) float64 {
	if q.marked[d.ID] == 0 {
		return 1
	}
	return 1 / (1 + feedbackWeight)
}

// telling is less for a memory that asks more than it tells. Who asks an assistant says
// what they are about: a user's own request tells it.
func telling(d *index.Doc) float64 {
	if d.Agent == "" && d.SourceKind == graph.FromUser {
		return 1
	}
	return 1 - tellWeight*float64(d.QuestionShare)
}

// vouched is what the authority of a memory leaves of its score.
func vouched(d *index.Doc) float64 {
	return (1 + vouchWeight*min(1, d.Authority/vouchesFully)) / (1 + vouchWeight)
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

// inFirstPerson is less for a memory of others where somebody asks about themself: "Where do
// I live?" is not answered by where Ada does.
func (q *query) inFirstPerson(d *index.Doc) float64 {
	if q.asked.agent == "" && q.asked.kind == graph.FromUser && !d.AboutUser {
		return 1 / (1 + selfWeight)
	}
	return 1
}

// meaning is how much a memory means what the question means: by its vector, and where the
// question is about something that is known, by what the memory is about.
func (q *query) meaning(x *index.Candidate) float64 {
	if !q.matters {
		return x.Semantic
	}
	return (1-matterShare)*x.Semantic + matterShare*x.Topical
}

// rareness is how much each entity of the question tells among the memories that passed
// the filter, against the one that tells most: one name alone counts fully, however often
// it is said.
func (svc *Service) rareness(q *query, memories int) map[graph.ID]float64 {
	rare := make(map[graph.ID]float64, len(q.ask.Entities))
	most := 0.0
	for _, id := range q.ask.Entities {
		n, _, _ := svc.Index.Mentions(q.t.Scope, id)
		rare[id] = rank.EntityRarity(n, memories)
		most = max(most, rare[id])
	}
	if most > 0 {
		for id := range rare {
			rare[id] /= most
		}
	}
	return rare
}
