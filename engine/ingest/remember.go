package ingest

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Remember writes one memory. It validates and embeds the input, finds and links entities,
// scores the five signals, searches conflicts and then duplicates, stores the memory, and
// promotes it if its score allows. It returns when the write is durable.
func (svc *Service) Remember(ctx context.Context, c workspace.Caller, in RememberInput) (*RememberResult, error) {
	results, err := svc.RememberMany(ctx, c, []RememberInput{in})
	if err != nil {
		return nil, err
	}
	if results[0].Error != nil {
		return nil, results[0].Error
	}
	return &results[0], nil
}

// RememberMany writes up to MaxMany memories. Each item is atomic: a faulty one fails
// alone and has its error in its result. The returned error means that the whole call
// failed.
func (svc *Service) RememberMany(ctx context.Context, c workspace.Caller, in []RememberInput) ([]RememberResult, error) {
	if len(in) > workspace.MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "input", "has %d items, more than %d", len(in), workspace.MaxMany)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if in, err = svc.withDefaultConsents(ctx, t.Tenant, in); err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	if in, err = svc.withKnownSources(ctx, c, in); err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	if in, err = svc.withCited(ctx, c, in); err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	results := make([]RememberResult, len(in))
	batches, stop := make(chan preparedBatch, 1), make(chan struct{})
	defer close(stop)
	if batchSize(in) == len(in) {
		batches <- svc.prepareBatch(ctx, c, in)
	} else {
		go svc.prepareBatches(ctx, c, in, batches, stop)
	}
	// Each batch is queued as soon as the writer accepts it, so that its neighbour search
	// runs during the commit of the previous batch.
	var sent []sentBatch
	for at := 0; at < len(in); {
		b := <-batches
		copy(results[at:], b.results)
		s := sentBatch{preparedBatch: b, at: at}
		if len(b.drafts) > 0 {
			s.write, s.err = svc.submitAsync(ctx, t, b.drafts)
		}
		sent, at = append(sent, s), at+len(b.results)
	}
	var firstErr error
	reportable := false // whether any item has a result other than the failure of the call
	for i := range sent {
		s := &sent[i]
		stored, err := s.await(ctx)
		if firstErr == nil {
			firstErr = err
		}
		reportable = reportable || err == nil || len(s.drafts) < len(s.results)
		for i, place := range s.positions {
			if err != nil {
				results[s.at+place].Error = svc.ItemError(err)
			} else {
				results[s.at+place] = stored[i]
			}
		}
	}
	if firstErr != nil && !reportable {
		return nil, svc.PublicError(firstErr)
	}
	svc.EngraveSuccessors(ctx, t.Tenant, results)
	svc.filterResults(ctx, c, results)
	return results, nil
}

// withKnownSources marks the procedures that name a memory which the caller does not see as one
// that they were learned from.
func (svc *Service) withKnownSources(ctx context.Context, c workspace.Caller, in []RememberInput) ([]RememberInput, error) {
	if !slices.ContainsFunc(in, func(x RememberInput) bool { return len(x.LearnedFrom) > 0 }) {
		return in, nil
	}
	in = slices.Clone(in)
	for i := range in {
		if in[i].LearnedFrom = slices.Clone(in[i].LearnedFrom); len(in[i].LearnedFrom) == 0 || len(in[i].LearnedFrom) > graph.MaxLearned {
			continue
		}
		views, err := svc.MemoriesByID(ctx, c, in[i].LearnedFrom, workspace.Access{IncludeImplicit: true})
		if err != nil {
			return nil, err
		}
		in[i].unknownSource = slices.ContainsFunc(views, func(v *workspace.View) bool { return v == nil || v.State.Status == graph.Forgotten })
	}
	return in, nil
}

// sentBatch is a batch that was queued for the writer.
type sentBatch struct {
	preparedBatch
	at    int    // index of its first input in the call
	write *write // nil: the batch has no drafts, or could not be queued
	err   error  // why the batch could not be queued
}

// await waits for the commit and returns the results of the drafts.
func (s *sentBatch) await(ctx context.Context) ([]RememberResult, error) {
	if s.write == nil {
		return nil, s.err
	}
	if err := s.write.Await(ctx, s.write.done, s.write.storeAlive); err != nil {
		return nil, err
	}
	return s.write.results, s.write.err
}

// preparedBatch is a batch of inputs that is ready for the writer.
type preparedBatch struct {
	results   []RememberResult // one per input, with the validation error if there is one
	drafts    []*Draft         // of the valid inputs
	positions []int            // index of the input of each draft
}

// prepareBatches prepares the inputs batch by batch, each during the commit of the
// previous one. It ends when all batches are sent or stop is closed.
func (svc *Service) prepareBatches(ctx context.Context, c workspace.Caller, in []RememberInput, out chan<- preparedBatch, stop <-chan struct{}) {
	for len(in) > 0 {
		n := batchSize(in)
		select {
		case out <- svc.prepareBatch(ctx, c, in[:n]):
			in = in[n:]
		case <-stop:
			return
		}
	}
}

// batchSize is the number of inputs, at least one, that one transaction takes.
func batchSize(in []RememberInput) int {
	bytes := 0
	for i := range in[:min(len(in), workspace.MaxBatch)] {
		if bytes += len(in[i].Content); i > 0 && bytes > workspace.MaxBatchBytes {
			return i
		}
	}
	return min(len(in), workspace.MaxBatch)
}

// prepareBatch validates, analyses and embeds a batch.
func (svc *Service) prepareBatch(ctx context.Context, c workspace.Caller, in []RememberInput) preparedBatch {
	b := preparedBatch{results: make([]RememberResult, len(in))}
	all := make([]*Draft, len(in))
	workspace.ParallelChunks(len(in), inputsPerWorker, func(from, to int) {
		for i := from; i < to; i++ {
			x := in[i]
			// A credential of one user, or of one agent, writes as that one.
			x.User, x.Agent = cmp.Or(x.User, c.User), cmp.Or(x.Agent, c.Agent)
			all[i], b.results[i].Error = svc.prepare(c, x)
		}
	})
	for i, d := range all {
		if d != nil {
			b.drafts, b.positions = append(b.drafts, d), append(b.positions, i)
		}
	}
	svc.Embed(ctx, b.drafts)
	return b
}

// inputsPerWorker is the number of inputs from which another goroutine pays off.
const inputsPerWorker = 16

// Embed sets the vector of each draft. If the embedder fails, the drafts have no vector:
// they are stored as pending and embedded later. A draft above the ceiling of the embedder is not
// sent to it and stays without a vector.
func (svc *Service) Embed(ctx context.Context, all []*Draft) {
	drafts := slices.DeleteFunc(slices.Clone(all), func(d *Draft) bool { return !svc.Ceilings.Embedder.Allows(d.Memory) })
	if len(drafts) == 0 {
		return
	}
	texts := make([]string, len(drafts))
	for i, d := range drafts {
		texts[i] = d.Memory.Content
	}
	ctx, cancel := workspace.WithHalfDeadline(ctx, 0)
	defer cancel()
	vectors, err := svc.Embedder.Embed(ctx, texts, models.Passage)
	if err != nil {
		svc.Log.WarnContext(ctx, "[WRITE] embedder failed; the memories are embedded later", "items", len(drafts), "error", err)
		return
	}
	for i, d := range drafts {
		d.Vector = vectors[i]
	}
}
