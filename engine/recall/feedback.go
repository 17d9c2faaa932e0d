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

// What people say of a hit is kept as a note: a memory that was no answer to a question
// goes down where a question like it is asked again. SPEC section 7.

const (
	likeQuestion   = 0.75 // cosine above which two questions are alike
	feedbackWeight = 2.0  // a hit marked irrelevant keeps 1/(1+weight) of its score
	maxExamples    = 4096 // negative examples that a tenant keeps, the newest
)

// FeedbackInput says whether a memory answers a question.
type FeedbackInput struct {
	Query    string // 1 to 8,192 bytes
	ID       graph.ID
	Relevant bool
	User     string // whose searches it is about; empty: the caller's user, or everybody's where there is none
}

// example is what a feedback note holds: the question as a vector, not in its words.
type example struct {
	User   string    `json:"user,omitempty"`
	Model  string    `json:"model"`
	Vector []float32 `json:"vector"` // unit length

	note   graph.ID
	memory graph.ID
}

// Feedback says whether a memory answers a question and answers the memory. Marked
// irrelevant, it goes down in searches of that user with a like question; marked relevant
// it stands as if it had never been marked for one. INVALID_REQUEST names the field,
// MEMORY_NOT_FOUND where the caller sees no such memory, FORBIDDEN for another's user,
// UNAVAILABLE while the embedding model is away.
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
	t, err := svc.open(ctx, c.Scope())
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
		return nil, graph.Errorf(graph.CodeUnavailable, "the embedding model is away: %v", err)
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

// embedPlain is the vector of a question by itself: one weighed by the statistics of the
// store would change with the store.
func (svc *Service) embedPlain(ctx context.Context, text string) ([]float32, error) {
	vectors, err := svc.Embedder.Embed(ctx, []string{text}, models.Query)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// mark takes back what was said before of the memory for like questions, and writes down
// that it is irrelevant where it is. The examples are loaded and locked.
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

// like is the cosine of a question to that of the example, 0 where the two are not alike.
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

// feedbackExamples are the negative examples of a tenant, read once and kept in step: their number
// moves with each that is given, whichever server takes it.
type feedbackExamples struct {
	mu     sync.Mutex
	loaded bool
	list   []example // oldest first; replaced, never changed
	number uint64
	looked time.Time // when the number was last compared
}

const (
	feedbackTurn = "turn.feedback"
	lookAgain    = time.Second // so late an example that another server took counts here
)

// load reads the notes the first time, and again where another server has changed them;
// it looks for that once a second, or now.
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
		for after := graph.ID(""); ; {
			notes, err := r.Notes(graph.NoteFeedback, after, false, graph.MaxPage)
			if err != nil {
				return err
			}
			for _, n := range notes {
				after = n.ID
				if n.Data == nil || len(n.Memories) == 0 {
					continue // the memory was erased
				}
				said := example{note: n.ID, memory: n.Memories[0]}
				if err := json.Unmarshal(n.Data, &said); err != nil {
					return errors.Join(graph.ErrIntegrity, err)
				}
				list = append(list, said)
			}
			if len(notes) < graph.MaxPage {
				return ctx.Err()
			}
		}
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

// forget drops what is held in memory, behind an erasure.
func (x *feedbackExamples) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list, x.loaded = nil, false
}

// irrelevant answers, for each memory that was marked for a question like this one, how
// like the two are. Examples count that were given for everybody, and those of the users
// asked for; where none is named, all.
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

// EraseFeedback deletes the examples whose memory was erased. Where a selection takes
// everything of a user, it deletes the examples of that user too.
func (svc *Service) EraseFeedback(tx graph.Tx, j workspace.Selection) error {
	user := ""
	if len(j.IDs) == 0 && j.Subject == "" && len(j.Namespaces) == 0 {
		user = j.User
	}
	for after := graph.ID(""); ; {
		notes, err := tx.Notes(graph.NoteFeedback, after, false, graph.MaxPage)
		if err != nil {
			return err
		}
		for _, n := range notes {
			after = n.ID
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
		if len(notes) < graph.MaxPage {
			return nil
		}
	}
}
