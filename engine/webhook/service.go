package webhook

import (
	"context"
	"crypto/rand"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Request is one message on its way to an endpoint.
type Request struct {
	URL       string
	ID        string    // header webhook-id
	At        time.Time // header webhook-timestamp
	Signature string    // header webhook-signature
	Body      []byte    // JSON
}

// Answer is what an endpoint answered.
type Answer struct {
	Status int
	// RetryAfter is the pause that the endpoint asks for; 0: none.
	RetryAfter time.Duration
}

// Sender sends requests. Its errors hold no part of the URL but the host.
type Sender interface {
	// Check returns an error that says why no request may be sent to the URL.
	Check(ctx context.Context, url string) error
	// Send sends a request once, follows no redirect, and returns the answer.
	Send(ctx context.Context, r Request) (Answer, error)
}

// Options configure the service.
type Options struct {
	// Sender sends; nil: there are no webhooks.
	Sender Sender
	// Pauses are the pauses after failed attempts; a message is given up after one more. Nil: the default.
	Pauses []time.Duration
	// Now is the time of signatures, which receivers compare with their own; nil: time.Now.
	Now func() time.Time
	// Rand is the source of secrets; nil: crypto/rand.
	Rand io.Reader
	// Deletions is the record of deleted endpoints; nil: deletions are in the store alone.
	Deletions Deletions
}

// Deletions is the record of deleted endpoints outside the store, so that an older copy of the store, or a restore of a backup, sends
// nothing to an endpoint that was deleted. *ledger.Ledger implements it.
type Deletions interface {
	// DeleteWebhook records that an endpoint was deleted. It is durable on return. One that is recorded already is skipped.
	DeleteWebhook(id string, at time.Time) error
	// WebhookDeleted reports whether an endpoint is recorded.
	WebhookDeleted(id string) bool
}

// DefaultPauses are the pauses after failed attempts: nine attempts in a little more than a day.
func DefaultPauses() []time.Duration {
	return []time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 16 * time.Hour,
	}
}

const (
	// concurrent is the number of requests at once, over all tenants; see places.
	concurrent = 8
	// sendTimeout limits one request.
	sendTimeout = 10 * time.Second
	// leaseDuration is the time after which another server may send for an endpoint.
	leaseDuration = time.Minute
	// releaseTimeout limits how long a server that stops tries to end its lease.
	releaseTimeout = 2 * time.Second
	// page is the number of changes per read of the feed, and between two records of the position.
	page = 64
)

// Service keeps endpoints and delivers to them.
type Service struct {
	*workspace.Space
	options Options
	tenants *workspace.PerTenant[tenant]
	places  *places
}

// tenant is the state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	changed chan struct{} // wakes the supervisor

	mu      sync.Mutex
	running map[graph.ID]chan struct{} // wakes the delivery to an endpoint
}

// New creates the service and registers its background work.
func New(ws *workspace.Space, o Options) *Service {
	if o.Pauses == nil {
		o.Pauses = DefaultPauses()
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	svc := &Service{Space: ws, options: o, places: newPlaces(concurrent)}
	svc.tenants = workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant {
		return &tenant{Tenant: t, changed: make(chan struct{}, 1), running: map[graph.ID]chan struct{}{}}
	})
	if o.Sender != nil {
		svc.tenants.AddWorkers(svc.supervise)
	}
	return svc
}

// Endpoint is a webhook without its secret.
type Endpoint struct {
	ID         graph.ID
	URL        string
	Namespaces []string // empty: all
	Content    bool
	CreatedAt  time.Time
	Delivered  int       // messages that were accepted
	LastAt     time.Time // of the last accepted one; zero: none
	Attempts   int       // failed attempts of the next message
	NextAt     time.Time // of the next attempt; zero: none is waiting
	Reason     string    // of the last failure since the last accepted message; empty: none
	Stopped    bool      // the endpoint answered 410 Gone; Retry starts it again
	Dead       []DeadLetter
}

func (e *endpoint) view(p progress) *Endpoint {
	return &Endpoint{
		ID: e.ID, URL: e.URL, Namespaces: e.Namespaces, Content: e.Content, CreatedAt: e.CreatedAt, Delivered: p.Delivered, LastAt: p.LastAt,
		Attempts: p.Attempts, NextAt: p.NextAt, Reason: p.Reason, Stopped: p.Stopped, Dead: p.Dead,
	}
}

// CreateInput is a new endpoint.
type CreateInput struct {
	URL        string
	Namespaces []string // empty: all that the caller may see
	Content    bool     // send the text of memories and the objects of facts
}

// authorize returns FORBIDDEN unless the caller administers memories of all users.
func (svc *Service) authorize(c workspace.Caller) error {
	if err := c.Require(access.MemoryAdmin, "", "a webhook"); err != nil {
		return err
	}
	if c.User != "" || c.Sight().LimitsClasses() {
		return graph.Errorf(graph.CodeForbidden, "a webhook concerns all memories of its namespaces, and the credentials grant only a part of them")
	}
	if svc.options.Sender == nil {
		return graph.Errorf(graph.CodeUnavailable, "this server sends no webhooks")
	}
	return nil
}

// Create makes an endpoint, which gets what changes from now on, and returns its secret, which is shown this once.
func (svc *Service) Create(ctx context.Context, c workspace.Caller, in CreateInput) (*Endpoint, string, error) {
	if err := svc.authorize(c); err != nil {
		return nil, "", err
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, "", err
	}
	if len(in.URL) > maxURL {
		return nil, "", graph.FieldError(graph.CodeInvalidRequest, "url", "must be at most %d bytes", maxURL)
	}
	if err := svc.options.Sender.Check(ctx, in.URL); err != nil {
		return nil, "", graph.FieldError(graph.CodeInvalidRequest, "url", "%s", err)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, "", err
	}
	now := t.Now()
	e := endpoint{URL: in.URL, Namespaces: slices.Compact(slices.Sorted(slices.Values(spaces))), Content: in.Content, Secret: make([]byte, 32), CreatedAt: now}
	if e.ID, err = svc.NewID(now); err != nil {
		return nil, "", err
	}
	if _, err := io.ReadFull(svc.options.Rand, e.Secret); err != nil {
		return nil, "", err
	}
	var p progress
	if p.Cursor, err = svc.Store.Head(ctx, t.Scope); err != nil {
		return nil, "", svc.PublicError(err)
	}
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		list, err := svc.endpoints(tx)
		if err != nil {
			return err
		}
		if len(list) >= MaxEndpoints {
			return graph.Errorf(graph.CodeLimitExceeded, "there are %d webhooks already", len(list))
		}
		if err := lifecycle.PutSetting(tx, progressSetting(e.ID), p); err != nil {
			return err
		}
		return lifecycle.PutSetting(tx, endpointsSetting, append(list, e))
	})
	if err != nil {
		return nil, "", svc.PublicError(err)
	}
	t.wake(e.ID)
	return e.view(p), secretText(e.Secret), nil
}

// List returns the endpoints whose namespaces the caller sees, oldest first.
func (svc *Service) List(ctx context.Context, c workspace.Caller) (out []*Endpoint, err error) {
	if err := svc.authorize(c); err != nil {
		return nil, err
	}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		out = nil
		list, err := svc.endpoints(r)
		if err != nil {
			return err
		}
		for _, e := range list {
			if !visible(c, &e) {
				continue
			}
			p, err := readProgress(r, e.ID)
			if err != nil {
				return err
			}
			out = append(out, e.view(p))
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// Delete removes an endpoint with its dead letters and returns it as it was.
func (svc *Service) Delete(ctx context.Context, c workspace.Caller, id graph.ID) (*Endpoint, error) {
	// The transaction may run again after a conflict, when the deletion is recorded, and when the delivery has removed what is recorded.
	var seen *Endpoint
	out, err := svc.editFrom(ctx, c, id, storedEndpoints, func(tx graph.Tx, list []endpoint, at int, p *progress) error {
		seen = list[at].view(*p)
		if svc.options.Deletions != nil { // first: if the transaction fails, the endpoint gets nothing all the same
			if err := svc.options.Deletions.DeleteWebhook(string(id), svc.Now()); err != nil {
				return err
			}
		}
		if err := lifecycle.PutSetting(tx, endpointsSetting, slices.Delete(list, at, at+1)); err != nil {
			return err
		}
		return tx.PutSetting(progressSetting(id), nil)
	})
	if graph.CodeOf(err) == graph.CodeInvalidRequest && seen != nil && svc.deleted(id) {
		return seen, nil
	}
	return out, err
}

// Retry delivers the dead letters of an endpoint once more, before newer changes, tries a waiting message at once, and
// starts an endpoint that was stopped.
func (svc *Service) Retry(ctx context.Context, c workspace.Caller, id graph.ID) (*Endpoint, error) {
	return svc.edit(ctx, c, id, func(tx graph.Tx, _ []endpoint, _ int, p *progress) error {
		for _, d := range p.Dead {
			p.Again = append(p.Again, d.Pending)
		}
		p.Dead, p.Attempts, p.NextAt, p.Stopped = nil, 0, time.Time{}, false
		return lifecycle.PutSetting(tx, progressSetting(id), p)
	})
}

// edit changes one endpoint in a transaction.
func (svc *Service) edit(ctx context.Context, c workspace.Caller, id graph.ID, change func(tx graph.Tx, list []endpoint, at int, p *progress) error) (out *Endpoint, err error) {
	return svc.editFrom(ctx, c, id, svc.endpoints, change)
}

// editFrom is edit of an endpoint from those that endpoints returns.
func (svc *Service) editFrom(ctx context.Context, c workspace.Caller, id graph.ID, endpoints func(graph.Reader) ([]endpoint, error), change func(tx graph.Tx, list []endpoint, at int, p *progress) error) (out *Endpoint, err error) {
	if err := svc.authorize(c); err != nil {
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		list, err := endpoints(tx)
		if err != nil {
			return err
		}
		at := indexOf(list, id)
		if at < 0 || !visible(c, &list[at]) {
			return graph.FieldError(graph.CodeInvalidRequest, "id", "names no webhook")
		}
		p, err := readProgress(tx, id)
		if err != nil {
			return err
		}
		e := list[at]
		err = change(tx, list, at, &p)
		out = e.view(p)
		return err
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	t.wake(id)
	return out, nil
}

// visible reports whether the caller sees everything that an endpoint gets.
func visible(c workspace.Caller, e *endpoint) bool {
	if len(c.Namespaces) == 0 {
		return true
	}
	return len(e.Namespaces) > 0 && !slices.ContainsFunc(e.Namespaces, func(n string) bool { return !slices.Contains(c.Namespaces, n) })
}
