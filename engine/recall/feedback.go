package recall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Feedback is stored as a note: a memory marked irrelevant for a question ranks lower for
// similar questions.

const (
	likeQuestion   = 0.75 // cosine above which two questions are similar
	feedbackWeight = 2.0  // a hit marked irrelevant keeps 1/(1+feedbackWeight) of its score
	maxExamples    = 4096 // negative examples kept per tenant, see surplus
)

// FeedbackOutcome is what became of a hit.
type FeedbackOutcome string

// The outcomes.
const (
	OutcomeUsed    FeedbackOutcome = "USED"    // a use; removes earlier marks
	OutcomeIgnored FeedbackOutcome = "IGNORED" // marks the memory irrelevant for similar queries
	OutcomeHelped  FeedbackOutcome = "HELPED"  // a use that led to a good result; removes earlier marks
	OutcomeHarmed  FeedbackOutcome = "HARMED"  // marks the memory irrelevant for similar queries, and lowers its confidence
)

// FeedbackOutcomes lists every FeedbackOutcome in the order of the API.
var FeedbackOutcomes = []FeedbackOutcome{OutcomeUsed, OutcomeIgnored, OutcomeHelped, OutcomeHarmed}

// FeedbackInput says what became of a memory that answered a query.
type FeedbackInput struct {
	Query    string // 1 to 8,192 bytes
	ID       graph.ID
	Relevant bool            // without an outcome: whether it answers the query
	Outcome  FeedbackOutcome // empty: none
	User     string          // user whose searches it applies to; empty: the caller's user, or all users if the caller has none
}

// example is the content of a feedback note. It holds the vector of the question, not its
// text.
type example struct {
	User   string    `json:"user,omitempty"`
	Model  string    `json:"model"`
	Vector []float32 `json:"vector"` // unit length

	note   graph.ID
	memory graph.ID
}

// relevant reports whether the memory answered the query.
func (in FeedbackInput) relevant() bool {
	if in.Outcome == "" {
		return in.Relevant
	}
	return in.used()
}

func (in FeedbackInput) used() bool { return in.Outcome == OutcomeUsed || in.Outcome == OutcomeHelped }

// Feedback records what became of a hit and returns the memory. An irrelevant memory ranks lower in
// that user's searches with a similar query, and so do memories like it. Relevant removes earlier
// marks for similar queries. USED and HELPED count a use. HARMED lowers the confidence of a memory
// that has no more authority than the caller. Each counts once for a caller and UTC day, whatever
// user is named. Of a pattern, USED and HELPED count as a success, IGNORED and HARMED as a failure. Errors: INVALID_REQUEST with the field, MEMORY_NOT_FOUND
// if the caller sees no such memory, FORBIDDEN for another user, UNAVAILABLE if the embedding
// model does not answer.
func (svc *Service) Feedback(ctx context.Context, c workspace.Caller, in FeedbackInput) (*workspace.View, error) {
	switch {
	case in.Query == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "query", "is empty")
	case len(in.Query) > maxQuery:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "query", "has %d bytes, more than %d", len(in.Query), maxQuery)
	case in.Outcome != "" && !slices.Contains(FeedbackOutcomes, in.Outcome):
		return nil, graph.FieldError(graph.CodeInvalidRequest, "outcome", "must be USED, IGNORED, HELPED or HARMED")
	}
	if _, err := c.AllowedUsers(in.User); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	v, err := svc.Memory(ctx, c, in.ID, workspace.Access{})
	if err != nil {
		return nil, err
	}
	if v.State.Status == graph.Forgotten {
		return nil, workspace.NotFound(graph.ErrNotFound)
	}
	said := example{User: cmp.Or(in.User, c.User), Model: svc.Embedder.Name(), memory: in.ID}
	if said.Vector, err = svc.embedPlain(ctx, in.Query); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		svc.Log.WarnContext(ctx, "[WRITE] the question of a feedback can't be embedded", "error", err) // it may name hosts
		return nil, graph.Errorf(graph.CodeUnavailable, "the embedding model can't be reached; retry later")
	}
	if err := svc.markCurrent(ctx, t, v.Namespace, said, in.relevant()); err != nil {
		return nil, svc.PublicError(err)
	}
	a := asking{text: in.Query, at: t.Now()} // without the user: whatever users it names, a caller is one source
	if v.Pattern != nil && in.Outcome != "" {
		if err := svc.countOutcome(ctx, t, c, a, in); err != nil {
			return nil, svc.PublicError(err)
		}
	}
	switch {
	case in.used():
		svc.count(ctx, t, c, a, []recalled{{id: in.ID}})
	case in.Outcome == OutcomeHarmed:
		if err := svc.doubt(ctx, t, c, a, in.ID); err != nil {
			return nil, svc.PublicError(err)
		}
	case v.Pattern == nil || in.Outcome == "":
		return v, nil
	}
	return svc.Memory(ctx, c, in.ID, workspace.Access{})
}

// countOutcome counts the outcome of a pattern as a success or a failure, each once for a source and
// day.
func (svc *Service) countOutcome(ctx context.Context, t *tenant, c workspace.Caller, a asking, in FeedbackInput) error {
	what := "failure\x00"
	if in.used() {
		what = "success\x00"
	}
	if len(t.FirstToday(workspace.Use{Memories: []graph.ID{in.ID}, Source: what + a.source(c), At: a.at})) == 0 {
		return nil
	}
	return t.UpdateOnly(ctx, func(tx graph.Tx) error {
		m, err := tx.Memory(in.ID)
		if err != nil || m.Pattern == nil {
			return err
		}
		m.Pattern = m.Pattern.Clone()
		if in.used() {
			m.Pattern.Successes++
		} else {
			m.Pattern.Failures++
		}
		m.UpdatedAt = a.at
		return tx.PutMemory(m, graph.EventUpdated)
	})
}

// doubt lowers the confidence of a memory that did harm, once for a source and day. The caller needs
// at least the authority of the memory, as for a change of it.
func (svc *Service) doubt(ctx context.Context, t *tenant, c workspace.Caller, a asking, id graph.ID) error {
	if len(t.FirstToday(workspace.Use{Memories: []graph.ID{id}, Source: "harmed\x00" + a.source(c), At: a.at})) == 0 {
		return nil
	}
	return t.UpdateOnly(ctx, func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil || m.Status() == graph.Forgotten || c.Grant < m.Authority {
			return err
		}
		m.Confidence, m.UpdatedAt = plasticity.Doubt(m.Confidence), a.at
		return tx.PutMemory(m, graph.EventUpdated)
	})
}

// markCurrent marks over the current examples.
func (svc *Service) markCurrent(ctx context.Context, t *tenant, namespace string, said example, relevant bool) error {
	t.examples.mu.Lock()
	defer t.examples.mu.Unlock()
	for {
		if err := t.examples.load(ctx, svc, t, true); err != nil {
			return err
		}
		if err := svc.mark(ctx, t, namespace, said, relevant); !errors.Is(err, workspace.ErrSequenceMoved) {
			return err
		}
	}
}

// embedPlain embeds a question without word weights, so that the vector does not change with
// the store's statistics.
func (svc *Service) embedPlain(ctx context.Context, text string) ([]float32, error) {
	vectors, err := svc.Embedder.Embed(ctx, []string{text}, models.Query)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// mark deletes earlier examples of the memory and user for similar questions and, unless
// relevant, stores the new example. The caller has loaded and locked the examples.
func (svc *Service) mark(ctx context.Context, t *tenant, namespace string, said example, relevant bool) error {
	var gone []graph.ID
	kept := slices.Clone(t.examples.list)
	kept = slices.DeleteFunc(kept, func(x example) bool {
		same := x.memory == said.memory && x.User == said.User && x.like(said.Model, said.Vector) > 0
		if same {
			gone = append(gone, x.note)
		}
		return same
	})
	if relevant && len(gone) == 0 {
		return nil
	}
	if !relevant {
		for len(kept) >= maxExamples {
			i := surplus(kept)
			gone, kept = append(gone, kept[i].note), slices.Delete(kept, i, i+1)
		}
	}
	at := t.Now()
	number := t.examples.number
	err := t.UpdateOnly(ctx, func(tx graph.Tx) (err error) {
		if err := (&workspace.Sequence{Setting: feedbackTurn, Number: number}).Advance(tx); err != nil {
			return err
		}
		for _, id := range gone {
			if err := tx.DeleteNote(graph.NoteFeedback, id); err != nil {
				return err
			}
		}
		if relevant {
			return nil
		}
		if said.note, err = svc.NewID(at); err != nil {
			return err
		}
		data, err := json.Marshal(said)
		if err != nil {
			return err
		}
		return tx.PutNote(graph.Note{Kind: graph.NoteFeedback, ID: said.note, Namespace: namespace, Memories: []graph.ID{said.memory}, At: at, Data: data})
	})
	if err != nil {
		return err
	}
	if !relevant {
		kept = append(kept, said)
	}
	t.examples.list, t.examples.number = kept, number+1
	return nil
}

// surplus returns the place of the oldest example of the user who has most, so that a user who marks very much ends only marks of its
// own.
func surplus(list []example) int {
	of, most := map[string]int{}, 0
	for _, x := range list {
		of[x.User]++
		most = max(most, of[x.User])
	}
	return slices.IndexFunc(list, func(x example) bool { return of[x.User] == most })
}

// CheckNote returns what is wrong with the note of an example that comes from elsewhere, or nil.
func CheckNote(n *graph.Note) error {
	var x example
	switch {
	case len(n.Memories) != 1 || !graph.ValidNamespace(n.Namespace):
		return errors.New("in Memories: feedback names one memory, and its namespace")
	case n.Data == nil:
		return nil // the memory was erased
	case json.Unmarshal(n.Data, &x) != nil:
		return errors.New("in Data: it is no feedback")
	case len(x.User) > graph.MaxName || x.Model == "" || len(x.Model) > graph.MaxName:
		return fmt.Errorf("in Data: model must have 1 to %d bytes, user at most as many", graph.MaxName)
	case graph.ValidateEmbedding(x.Vector) != nil:
		return fmt.Errorf("in Data: vector must have 1 to %d numbers", graph.MaxVector)
	}
	length := 0.0
	for _, v := range x.Vector {
		length += float64(v) * float64(v)
	}
	if length > 1.01 {
		return errors.New("in Data: vector must have unit length")
	}
	return nil
}

// like returns the cosine of a question and the example's question, or 0 if they are not
// similar.
func (x example) like(model string, vector []float32) float64 {
	if x.Model != model || len(x.Vector) != len(vector) {
		return 0
	}
	dot := 0.0
	for i, v := range x.Vector {
		dot += float64(v) * float64(vector[i])
	}
	if dot <= likeQuestion {
		return 0
	}
	return min(1, dot)
}

// feedbackExamples caches the negative examples of a tenant. Every change by any server
// advances the sequence number, which shows whether the cache is current.
type feedbackExamples struct {
	mu     sync.Mutex
	loaded bool
	list   []example // oldest first; copied on write
	number uint64
	looked time.Time // time of the last comparison of the number
}

const (
	feedbackTurn = "turn.feedback"
	lookAgain    = time.Second // maximum delay until examples from another server are read
)

// load reads the notes on the first call and after another server changed them. It checks for
// changes at most once per lookAgain, or immediately if now is set.
func (x *feedbackExamples) load(ctx context.Context, svc *Service, t *tenant, now bool) error {
	since := svc.Now().Sub(x.looked)
	if x.loaded && (svc.Exclusive() || !now && since >= 0 && since < lookAgain) {
		return nil
	}
	var list []example
	var number uint64
	same := false
	err := t.Whole().View(ctx, func(r graph.Reader) error { // all callers share the examples
		if _, err := lifecycle.ReadSetting(r, feedbackTurn, &number); err != nil {
			return err
		}
		if same = x.loaded && number == x.number; same {
			return nil
		}
		for n, err := range graph.AllNotes(r, graph.NoteFeedback, "", false) {
			if err != nil {
				return err
			}
			if n.Data == nil || len(n.Memories) == 0 {
				continue // the memory was erased
			}
			said := example{note: n.ID, memory: n.Memories[0]}
			if err := json.Unmarshal(n.Data, &said); err != nil {
				return errors.Join(graph.ErrIntegrity, err)
			}
			list = append(list, said)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	x.looked = svc.Now()
	if !same {
		x.list, x.number, x.loaded = list, number, true
	}
	return nil
}

// memories returns the memories that the cached examples mark.
func (x *feedbackExamples) memories() map[graph.ID]bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	marked := map[graph.ID]bool{}
	for _, said := range x.list {
		marked[said.memory] = true
	}
	return marked
}

// forget drops the cache after an erasure.
func (x *feedbackExamples) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list, x.loaded = nil, false
}

// irrelevant returns each memory that was marked irrelevant for a similar question, with the
// highest cosine of the questions. It uses examples for all users and for the given users.
// Without users it uses all examples.
func (svc *Service) irrelevant(ctx context.Context, q *query, users []string) (map[graph.ID]float64, error) {
	x := &q.t.examples
	x.mu.Lock()
	err := x.load(ctx, svc, q.t, false)
	list := x.list
	x.mu.Unlock()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	vector := q.ask.Vector
	if _, weighed := svc.Embedder.(models.Weigher); weighed {
		if vector, err = svc.embedPlain(ctx, q.in.Query); err != nil {
			return nil, err
		}
	}
	out := map[graph.ID]float64{}
	for _, said := range list {
		if said.User != "" && len(users) > 0 && !slices.Contains(users, said.User) {
			continue
		}
		if like := said.like(svc.Embedder.Name(), vector); like > 0 {
			out[said.memory] = max(out[said.memory], like)
		}
	}
	return out, nil
}

// EraseFeedback deletes the examples whose memory was erased. If the selection takes what belongs to owners,
// it also deletes their examples.
func (svc *Service) EraseFeedback(tx graph.Tx, j workspace.Selection) error {
	byOwner := len(j.IDs) == 0 && j.Subject == "" && len(j.Entities) == 0
	for n, err := range graph.AllNotes(tx, graph.NoteFeedback, "", false) {
		if err != nil {
			return err
		}
		var said example
		if n.Data != nil {
			if err := json.Unmarshal(n.Data, &said); err != nil {
				return errors.Join(graph.ErrIntegrity, err)
			}
		}
		if n.Data == nil || byOwner && said.User != "" && j.TakesOwner(n.Namespace, said.User) {
			if err := tx.DeleteNote(graph.NoteFeedback, n.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
