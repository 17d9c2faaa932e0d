package library

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Phase is what an ingest does.
type Phase string

// The phases of an ingest, in order. FAILED takes the place of DONE.
const (
	PhaseReading   Phase = "READING"   // the content is read into chunks
	PhaseEmbedding Phase = "EMBEDDING" // new chunks are analysed and embedded
	PhaseWriting   Phase = "WRITING"   // the difference is written
	PhaseDone      Phase = "DONE"
	PhaseFailed    Phase = "FAILED"
)

// Phases lists every Phase in the order of the API.
var Phases = []Phase{PhaseReading, PhaseEmbedding, PhaseWriting, PhaseDone, PhaseFailed}

// Progress is a step of an ingest.
type Progress struct {
	Document  graph.ID
	Path      string
	Namespace string
	Owner     string // of the document
	Phase     Phase
	Chunks    int // of the document; 0: not known yet
	Done      int // new chunks that were handled in this phase
	Total     int // new chunks
	Result    *IngestResult
	Error     *graph.Error
	At        time.Time
}

// listenerBuffer is the number of steps that wait for a slow listener; the oldest are dropped.
const listenerBuffer = 64

// progress passes the steps of ingests to listeners.
type progress struct {
	mu        sync.Mutex
	listeners []chan Progress
}

func (p *progress) send(x Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.listeners {
		for sent := false; !sent; {
			select {
			case l <- x:
				sent = true
			default:
				select {
				case <-l: // drop the oldest
				default:
				}
			}
		}
	}
}

func (p *progress) listen() chan Progress {
	l := make(chan Progress, listenerBuffer)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = append(p.listeners, l)
	return l
}

func (p *progress) leave(l chan Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = slices.DeleteFunc(p.listeners, func(x chan Progress) bool { return x == l })
}

// Watch streams the steps of the ingests of this server that the caller may see, until ctx ends.
// A listener that is slow misses the oldest steps.
func (svc *Service) Watch(ctx context.Context, c workspace.Caller, namespaces []string) (<-chan Progress, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, err
	}
	in, out := t.progress.listen(), make(chan Progress)
	err = svc.Spawn(func() {
		defer close(out)
		defer t.progress.leave(in)
		for {
			select {
			case x := <-in:
				if len(spaces) > 0 && !slices.Contains(spaces, x.Namespace) || !c.Sees(x.Namespace, x.Owner) || c.Sight().LimitsClasses() {
					continue
				}
				select {
				case out <- x:
				case <-ctx.Done():
					return
				case <-svc.Ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			case <-svc.Ctx.Done():
				return
			}
		}
	})
	if err != nil {
		t.progress.leave(in)
		return nil, err
	}
	return out, nil
}
