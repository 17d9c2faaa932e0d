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
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/english"
)

// Weights of the properties of the question and the memory that adjust a score. A memory that
// does not fit keeps 1/(1+weight) of its score, or 1−weight for tellWeight. The weights change
// the order of hits and exclude none.
const (
	windowWeight = 0.5 // the question names a time
	askedWeight  = 0.2 // the question is about what a certain speaker said
	tellWeight   = 0.4 // times the share of questions in the memory
	selfWeight   = 0.6 // the question is about the user
	vouchWeight  = 1.0 // authority below vouchesFully; chosen on BEAM
	vouchesFully = 0.8 // authority of users' own statements, so that the assistant's longer texts do not crowd them out
)

// matterShare is the weight of the topics in the semantic part, [0,1].
const matterShare = 0.22

// embedQuery embeds a question. A models.Weigher also gets the rarity of its words in the
// searched namespaces.
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

// queryWait is the timeout for the embedding of a question. After it, the other channels
// answer without the vector.
const queryWait = 5 * time.Second

// related returns the words of a text that have related words in the lexicon.
func related(text string) []index.Related {
	var out []index.Related
	for _, w := range phrase.Parts(text) {
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

// asked is the speaker that a question asks about. The zero value is any speaker.
type asked struct {
	agent string           // name of the speaking agent
	kind  graph.SourceKind // FromUser or FromAssistant
}

// whoIsAsked reads the speaker from the question: the one agent of the candidates that it
// names ("What did Ada buy?"), the assistant if the question refers to the assistant's words
// ("you suggested"), or the user if it contains a first-person word ("my"). The named agent
// counts as the speaker because people talk mostly about themselves.
func whoIsAsked(question string, candidates []index.Candidate) asked {
	words := phrase.Parts(question)
	if len(words) == 0 {
		return asked{}
	}
	var a asked
	for _, c := range candidates {
		if c.Doc.Agent == "" || c.Doc.Agent == a.agent || !namesAgent(words, c.Doc.Agent) {
			continue
		}
		if a.agent != "" {
			return asked{} // names two agents
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

// namesAgent reports whether the words contain the first name of an agent. After the first
// word, the name must be capitalised.
func namesAgent(words []string, agent string) bool {
	name := phrase.Parts(agent)
	if len(name) == 0 || utf8.RuneCountInString(name[0]) < 2 {
		return false
	}
	return slices.ContainsFunc(words[:1], func(w string) bool { return strings.EqualFold(w, name[0]) && !modals[strings.ToLower(w)] }) ||
		slices.ContainsFunc(words[1:], func(w string) bool {
			first, _ := utf8.DecodeRuneInString(w)
			return unicode.IsUpper(first) && strings.EqualFold(w, name[0])
		})
}

// ownWord reports whether a word is a first-person pronoun. "me" is not, because of "tell me
// about …".
func ownWord(low string) bool {
	p, ok := english.PronounOf(low)
	return ok && p.Subject == "i" && p.Case != english.Objective
}

var (
	modals = english.WordSet("will may can might") // can begin a question, and are also names
	told   = english.WordSet("said told suggested recommended advised explained mentioned proposed wrote gave provided described recommend suggest")
)

// fits reports whether a memory may hold the words of the speaker. Memories without a speaker
// always fit: documents and memories that sleep derived.
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

// steering is the factor, in (0,1], from the named time, the speaker, the subject, the share
// of questions, the authority and the feedback.
func (q *query) steering(k scored) float64 {
	return q.inTime(k) * q.inVoice(k) * q.inFirstPerson(k.Doc) * telling(k.Doc) * vouched(k.Doc) * q.unmarked(k.Doc)
}

// unmarked is the factor for a memory marked irrelevant for a similar question.
func (q *query) unmarked(d *index.Doc) float64 {
	if q.marked[d.ID] == 0 {
		return 1
	}
	return 1 / (1 + feedbackWeight)
}

// telling is the factor for the share of questions in a memory. It is 1 for a user's own
// words: a request to an assistant tells what the user is about.
func telling(d *index.Doc) float64 {
	if d.Agent == "" && d.SourceKind == graph.FromUser {
		return 1
	}
	return 1 - tellWeight*float64(d.QuestionShare)
}

// vouched is the factor for the authority of a memory.
func vouched(d *index.Doc) float64 {
	return (1 + vouchWeight*min(1, d.Authority/vouchesFully)) / (1 + vouchWeight)
}

// happened reports whether the question names a time with both bounds and the event lies in
// it. Such a memory may be an answer by its time alone ("What was there in May?").
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

// inFirstPerson is the factor for a memory about others if users ask about themselves: where
// Ada lives does not answer "Where do I live?".
func (q *query) inFirstPerson(d *index.Doc) float64 {
	if q.asked.agent == "" && q.asked.kind == graph.FromUser && !q.aboutUser(d) {
		return 1 / (1 + selfWeight)
	}
	return 1
}

// meaning is the semantic similarity of memory and question: the cosine of the vectors and, if
// the question has a known topic, a share for the same topic.
func (q *query) meaning(x *index.Candidate) float64 {
	if !q.matters {
		return x.Semantic
	}
	return (1-matterShare)*x.Semantic + matterShare*x.Topical
}

// rareness returns the rarity of each entity of the question among the memories that passed
// the filter, relative to the rarest. A question with one entity gives it 1, however often it
// is mentioned.
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
