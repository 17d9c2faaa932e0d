package recall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Feedback is stored as a note: a memory marked irrelevant for a question ranks lower for
// similar questions.

const (
	likeQuestion   = 0.75 // cosine above which two questions are similar
	feedbackWeight = 2.0  // a hit marked irrelevant keeps 1/(1+feedbackWeight) of its score
	maxExamples    = 4096 // negative examples kept per tenant, the newest
)

// FeedbackInput marks a memory as relevant or irrelevant for a query.
type FeedbackInput struct {
	Query    string // 1 to 8,192 bytes
	ID       graph.ID
	Relevant bool
	User     string // user whose searches it applies to; empty: the caller's user, or all users if the caller has none
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

// Feedback marks a memory as relevant or irrelevant for a query and returns the memory. An
// irrelevant memory ranks lower in that user's searches with a similar query. Relevant removes
// earlier marks for similar queries. Errors: INVALID_REQUEST with the field, MEMORY_NOT_FOUND
// if the caller sees no such memory, FORBIDDEN for another user, UNAVAILABLE if the embedding
// model does not answer.
func (svc *Service) Feedback(ctx context.Context, c workspace.Caller, in FeedbackInput) (*workspace.View, error) {
	switch {
	case in.Query == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "query", "is empty")
	case len(in.Query) > maxQuery:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "query", "has %d bytes, more than %d", len(in.Query), maxQuery)
	}
	if _, err := c.AllowedUsers(in.User); err != nil {
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
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
		return nil, graph.Errorf(graph.CodeUnavailable, "the embedding model can't be reached: %v", err)
	}
	t.examples.mu.Lock()
	defer t.examples.mu.Unlock()
	for {
		if err := t.examples.load(ctx, svc, t, true); err != nil {
			return nil, svc.PublicError(err)
		}
		switch err := svc.mark(ctx, t, v.Namespace, said, in.Relevant); {
		case err == nil:
			return v, nil
		case !errors.Is(err, workspace.ErrSequenceMoved):
			return nil, svc.PublicError(err)
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
			gone, kept = append(gone, kept[0].note), kept[1:]
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
	err := t.View(ctx, func(r graph.Reader) error {
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

// EraseFeedback deletes the examples whose memory was erased. If the selection takes
// everything of a user, it also deletes that user's examples.
func (svc *Service) EraseFeedback(tx graph.Tx, j workspace.Selection) error {
	user := ""
	if len(j.IDs) == 0 && j.Subject == "" && len(j.Namespaces) == 0 {
		user = j.User
	}
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
		if n.Data == nil || user != "" && said.User == user {
			if err := tx.DeleteNote(graph.NoteFeedback, n.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
