package webhook

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// Limits.
const (
	MaxEndpoints   = 16  // endpoints of a tenant
	MaxDeadLetters = 100 // dead letters that an endpoint keeps, the newest
	maxURL         = 2048
)

// endpointsSetting is the name of the setting with the endpoints of a tenant.
const endpointsSetting = "webhooks"

// progressSetting is the name of the setting with the progress of an endpoint.
func progressSetting(id graph.ID) string { return "webhook." + string(id) }

// endpoint is what was configured.
type endpoint struct {
	ID         graph.ID  `json:"id"`
	URL        string    `json:"url"`
	Namespaces []string  `json:"namespaces,omitempty"` // empty: all
	Content    bool      `json:"content,omitempty"`
	Secret     []byte    `json:"secret"`
	CreatedAt  time.Time `json:"createdAt"`
}

// sends reports whether the endpoint gets changes of a namespace.
func (e *endpoint) sends(namespace string) bool {
	return len(e.Namespaces) == 0 || slices.Contains(e.Namespaces, namespace)
}

// progress is how far the delivery to an endpoint has come.
type progress struct {
	Cursor     graph.Cursor `json:"cursor"` // everything up to here was delivered, is a dead letter, or concerns no fact
	Holder     string       `json:"holder,omitempty"`
	LeaseUntil time.Time    `json:"leaseUntil,omitzero"`
	Fence      int          `json:"fence,omitempty"`
	Attempts   int          `json:"attempts,omitempty"` // failed ones of the next change
	NextAt     time.Time    `json:"nextAt,omitzero"`    // not before
	Reason     string       `json:"reason,omitempty"`   // of the last failure since the last success
	Delivered  int          `json:"delivered,omitempty"`
	LastAt     time.Time    `json:"lastAt,omitzero"` // of the last success
	Stopped    bool         `json:"stopped,omitempty"`
	Dead       []DeadLetter `json:"dead,omitempty"`  // oldest first
	Again      []Pending    `json:"again,omitempty"` // dead letters to deliver once more, before the feed
}

// Pending is a change of the feed that an endpoint has not got. It has no content.
type Pending struct {
	Cursor    graph.Cursor    `json:"cursor"`
	At        time.Time       `json:"at"`
	Kind      graph.EventKind `json:"kind"`
	ID        graph.ID        `json:"id"`
	Namespace string          `json:"namespace"`
}

func pendingOf(ch graph.Change) Pending {
	return Pending{Cursor: ch.Cursor, At: ch.At, Kind: ch.Kind, ID: ch.ID, Namespace: ch.Namespace}
}

func (p Pending) change() graph.Change {
	return graph.Change{Cursor: p.Cursor, At: p.At, Node: graph.NodeMemory, Kind: p.Kind, ID: p.ID, Namespace: p.Namespace}
}

// DeadLetter is a change that was given up.
type DeadLetter struct {
	Pending
	Message  string    `json:"message"` // its webhook-id
	Attempts int       `json:"attempts"`
	LastAt   time.Time `json:"lastAt"`
	Reason   string    `json:"reason"`
}

// endpoints are those of a tenant. One that was deleted, and that an older copy of the store has, is none.
func (svc *Service) endpoints(r graph.Reader) ([]endpoint, error) {
	list, err := storedEndpoints(r)
	return slices.DeleteFunc(list, func(e endpoint) bool { return svc.deleted(e.ID) }), err
}

func (svc *Service) deleted(id graph.ID) bool {
	return svc.options.Deletions != nil && svc.options.Deletions.WebhookDeleted(string(id))
}

func storedEndpoints(r graph.Reader) (list []endpoint, err error) {
	_, err = lifecycle.ReadSetting(r, endpointsSetting, &list)
	return list, err
}

// removeDeleted removes from the store what an older copy has of deleted endpoints.
func (svc *Service) removeDeleted(t *tenant) error {
	var back []graph.ID
	find := func(r graph.Reader) error {
		back = nil
		list, err := storedEndpoints(r)
		for _, e := range list {
			if svc.deleted(e.ID) {
				back = append(back, e.ID)
			}
		}
		return err
	}
	if err := t.View(svc.Ctx, find); err != nil || len(back) == 0 { // a store that has none is not written
		return err
	}
	err := t.Update(audit.As(svc.Ctx, "deleteWebhook"), func(tx graph.Tx) error {
		if err := find(tx); err != nil {
			return err
		}
		list, err := svc.endpoints(tx)
		if err != nil {
			return err
		}
		for _, id := range back {
			if err := tx.PutSetting(progressSetting(id), nil); err != nil {
				return err
			}
		}
		return lifecycle.PutSetting(tx, endpointsSetting, list)
	})
	if err == nil {
		svc.Log.Warn("[WEBHOOK] deleted webhooks were back, from an older copy or a backup; they are deleted again", "tenant", t.Scope.Tenant, "count", len(back))
	}
	return err
}

func readProgress(r graph.Reader, id graph.ID) (p progress, err error) {
	_, err = lifecycle.ReadSetting(r, progressSetting(id), &p)
	return p, err
}

func indexOf(list []endpoint, id graph.ID) int {
	return slices.IndexFunc(list, func(e endpoint) bool { return e.ID == id })
}

// fail records a failed attempt at the next change. wait is the pause that the endpoint asks for.
func (p *progress) fail(next Pending, message string, now time.Time, reason string, wait time.Duration, pauses []time.Duration) {
	p.Attempts++
	p.Reason = reason
	if p.Attempts <= len(pauses) {
		p.NextAt = now.Add(max(pauses[p.Attempts-1], min(wait, maxAsked)))
		return
	}
	p.Dead = append(p.Dead, DeadLetter{Pending: next, Message: message, Attempts: p.Attempts, LastAt: now, Reason: reason})
	if over := len(p.Dead) - MaxDeadLetters; over > 0 {
		p.Dead = slices.Clone(p.Dead[over:])
	}
	p.pass(next)
}

// pass moves past a change.
func (p *progress) pass(next Pending) {
	if len(p.Again) > 0 && p.Again[0].Cursor == next.Cursor {
		p.Again = slices.Clone(p.Again[1:])
	} else {
		p.Cursor = max(p.Cursor, next.Cursor)
	}
	p.Attempts, p.NextAt = 0, time.Time{}
}

// maxAsked is the longest pause that an endpoint may ask for.
const maxAsked = time.Hour
