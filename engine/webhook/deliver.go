package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

var (
	errDeleted   = errors.New("the webhook was deleted")
	errLeaseLost = errors.New("another server sends for this webhook")
)

// wake lets the supervisor look for new endpoints, and the delivery to an endpoint read its progress again.
func (t *tenant) wake(id graph.ID) {
	t.mu.Lock()
	running := t.running[id]
	t.mu.Unlock()
	for _, c := range []chan struct{}{t.changed, running} {
		select {
		case c <- struct{}{}:
		default: // nil, or awake already
		}
	}
}

// supervise runs a delivery for each endpoint of the tenant, until Close. Endpoints that another server made are
// found at the next sweep.
func (svc *Service) supervise(t *tenant) {
	for {
		// A deleted endpoint gets nothing even where it can't be removed.
		if err := svc.removeDeleted(t); err != nil && svc.Ctx.Err() == nil {
			svc.Log.Warn("[WEBHOOK] deleted webhooks that were back can't be removed; will retry", "tenant", t.Scope.Tenant, "error", err)
		}
		if err := svc.startAll(t); err != nil && svc.Ctx.Err() == nil {
			svc.Log.Warn("[WEBHOOK] the webhooks can't be read; will retry", "tenant", t.Scope.Tenant, "error", err)
		}
		if !svc.WaitFor(time.Time{}, t.changed) {
			return
		}
	}
}

func (svc *Service) startAll(t *tenant) error {
	var list []endpoint
	err := t.View(svc.Ctx, func(r graph.Reader) (err error) { list, err = svc.endpoints(r); return err })
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range list {
		if t.running[e.ID] != nil {
			continue
		}
		wake := make(chan struct{}, 1)
		err := svc.Spawn(func() {
			svc.deliverAll(audit.As(svc.Ctx, "deliverWebhooks"), t, e.ID, wake)
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.running, e.ID)
		})
		if err != nil {
			return err
		}
		t.running[e.ID] = wake
	}
	return nil
}

// deliverAll delivers to an endpoint until it is deleted or the engine closes.
func (svc *Service) deliverAll(ctx context.Context, t *tenant, id graph.ID, wake <-chan struct{}) {
	defer svc.release(t, id)
	recent := &told{}
	for ctx.Err() == nil {
		err := svc.deliverPage(ctx, t, id, recent, wake)
		switch {
		case err == nil, errors.Is(err, errLeaseLost), ctx.Err() != nil:
		case errors.Is(err, errDeleted):
			return
		default:
			svc.Log.Warn("[WEBHOOK] delivery is interrupted; will retry", "tenant", t.Scope.Tenant, "webhook", id, "retry", svc.Space.Retry, "error", err)
			if !svc.Pause(svc.Space.Retry) {
				return
			}
		}
	}
}

// told is the memories with an update, at the latest instant, whose message was accepted. A memory may have two updates at one
// instant, such as its new tier and its vector: the message of the second one would say the same.
type told struct {
	at       time.Time
	memories map[graph.ID]bool
}

func (x *told) has(ch graph.Change) bool {
	return updates(ch) && ch.At.Equal(x.at) && x.memories[ch.ID]
}

func updates(ch graph.Change) bool {
	return ch.Kind == graph.EventUpdated || ch.Kind == graph.EventPromoted
}

func (x *told) add(ch graph.Change) {
	if !updates(ch) {
		return
	}
	if !ch.At.Equal(x.at) || x.memories == nil {
		x.at, x.memories = ch.At, map[graph.ID]bool{}
	}
	x.memories[ch.ID] = true
}

// deliverPage delivers the next changes of the feed, or waits for some.
func (svc *Service) deliverPage(ctx context.Context, t *tenant, id graph.ID, recent *told, wake <-chan struct{}) error {
	e, p, err := svc.read(ctx, t, id)
	if err != nil {
		return err
	}
	now := svc.Now()
	switch {
	case p.Stopped:
		svc.WaitFor(time.Time{}, wake)
		return nil
	case svc.heldElsewhere(p, now):
		svc.WaitFor(p.LeaseUntil, wake)
		return nil
	case p.NextAt.After(now):
		svc.WaitFor(p.NextAt, wake)
		return nil
	}
	var changes []graph.Change
	if len(p.Again) > 0 {
		changes = []graph.Change{p.Again[0].change()}
	} else if changes, err = svc.Store.Changes(ctx, t.Scope, p.Cursor, page); err != nil {
		return err
	}
	if len(changes) == 0 {
		return svc.waitForChange(ctx, t, p.Cursor, wake)
	}
	return svc.deliver(ctx, t, e, recent, changes)
}

func (svc *Service) read(ctx context.Context, t *tenant, id graph.ID) (e endpoint, p progress, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		list, err := svc.endpoints(r)
		if err != nil {
			return err
		}
		at := indexOf(list, id)
		if at < 0 {
			return errDeleted
		}
		e = list[at]
		p, err = readProgress(r, id)
		return err
	})
	return e, p, err
}

// heldElsewhere reports whether another server sends for an endpoint.
func (svc *Service) heldElsewhere(p progress, now time.Time) bool {
	return !svc.Exclusive() && p.Holder != "" && p.Holder != svc.Holder && p.LeaseUntil.After(now)
}

// waitForChange waits until the feed has a change after the cursor, or until wake.
func (svc *Service) waitForChange(ctx context.Context, t *tenant, after graph.Cursor, wake <-chan struct{}) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		select {
		case <-wake:
		case <-within.Done():
		}
	}()
	err := svc.Store.Wait(within, t.Scope, after)
	if within.Err() != nil {
		return nil // awake, or the engine closes
	}
	return err
}

// deliver sends the messages about some changes, in order, and records the position after them or at the first failure.
func (svc *Service) deliver(ctx context.Context, t *tenant, e endpoint, recent *told, changes []graph.Change) error {
	fence, until, err := svc.takeLease(ctx, t, e.ID)
	if err != nil {
		return err
	}
	record := func(change func(*progress)) error { return svc.update(ctx, t, e.ID, fence, change) }
	delivered, last := 0, time.Time{}
	passed := func(p *progress, next *graph.Change) {
		p.Delivered += delivered
		if delivered > 0 {
			p.LastAt, p.Reason = last, ""
		}
		if next != nil {
			p.pass(pendingOf(*next))
		}
	}
	var done *graph.Change
	for i, ch := range changes {
		if recent.has(ch) || ch.Node != graph.NodeMemory || !e.sends(ch.Namespace) {
			done = &changes[i]
			continue
		}
		a, err := svc.attempt(ctx, t, &e, fence, &until, ch)
		if ctx.Err() != nil {
			// The position is recorded with a context of its own: else a message that arrived is sent again.
			return svc.update(context.WithoutCancel(ctx), t, e.ID, fence, func(p *progress) { passed(p, done) })
		}
		if err != nil {
			return err
		}
		if !a.sent || a.reason == "" {
			if a.sent {
				delivered, last = delivered+1, svc.Now()
				recent.add(ch)
			}
			done = &changes[i]
			continue
		}
		svc.Log.Warn("[WEBHOOK] a message was not accepted", "tenant", t.Scope.Tenant, "webhook", e.ID, "reason", a.reason)
		return record(func(p *progress) {
			passed(p, done)
			p.Stopped = a.Status == http.StatusGone
			if !p.Stopped {
				p.fail(pendingOf(ch), messageID(e.ID, ch.Cursor), svc.Now(), a.reason, a.RetryAfter, svc.options.Pauses)
			} else {
				p.Reason = a.reason
			}
		})
	}
	return record(func(p *progress) { passed(p, done) })
}

// attempt is what came of a change.
type attempt struct {
	Answer
	sent   bool   // there is a message about it
	reason string // why it was not accepted; empty: it was
}

// attempt sends the message about a change, if there is one, when a place is free. The lease, the endpoint and the memory are read
// after that wait, in which another server may have taken over, and both may have been deleted.
func (svc *Service) attempt(ctx context.Context, t *tenant, e *endpoint, fence int, until *time.Time, ch graph.Change) (a attempt, err error) {
	if err := svc.places.take(ctx, t.Scope.Tenant); err != nil {
		return a, err
	}
	defer svc.places.give(t.Scope.Tenant)
	if !svc.Exclusive() && until.Before(svc.Now().Add(2*sendTimeout)) {
		if *until, err = svc.renewLease(ctx, t, e.ID, fence); err != nil {
			return a, err
		}
	}
	// A deletion does not wait for the end of the page. Other errors of this read are found when the position is recorded.
	if _, _, err := svc.read(ctx, t, e.ID); errors.Is(err, errDeleted) {
		return a, err
	}
	var failed error
	a.Answer, a.sent, failed = svc.send(ctx, t, e, ch)
	a.reason = failure(a.Answer, failed)
	return a, nil
}

// failure is why a message was not accepted; empty: it was.
func failure(a Answer, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case a.Status >= 200 && a.Status < 300:
		return ""
	}
	return fmt.Sprintf("the endpoint answered with status %d", a.Status)
}

// send sends the message about a change; sent is false if there is none.
func (svc *Service) send(ctx context.Context, t *tenant, e *endpoint, ch graph.Change) (answer Answer, sent bool, err error) {
	var v *workspace.View
	if ch.Kind != graph.EventForgotten {
		c := workspace.Caller{Tenant: t.Scope.Tenant, Admin: true}
		views, err := svc.MemoriesByID(ctx, c, []graph.ID{ch.ID}, workspace.Access{})
		if err != nil {
			return answer, true, errors.New("the memory can't be read now")
		}
		v = views[0]
	}
	m, there := messageOf(t.Scope.Tenant, ch, v, e.Content, svc.Now())
	if !there {
		return answer, false, nil
	}
	body, err := encode(m)
	if err != nil {
		return answer, true, err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	id, at := messageID(e.ID, ch.Cursor), svc.options.Now()
	answer, err = svc.options.Sender.Send(ctx, Request{URL: e.URL, ID: id, At: at, Signature: Sign(e.Secret, id, at, body), Body: body})
	return answer, true, err
}

// takeLease makes this server the sender of an endpoint and returns the number and the end of the lease. Without other
// servers the number still tells whether the endpoint was deleted meanwhile.
func (svc *Service) takeLease(ctx context.Context, t *tenant, id graph.ID) (fence int, until time.Time, err error) {
	now := svc.Now()
	if svc.Exclusive() {
		_, p, err := svc.read(ctx, t, id)
		return p.Fence, now.Add(leaseDuration), err
	}
	err = t.Update(ctx, func(tx graph.Tx) error {
		list, err := svc.endpoints(tx)
		if err != nil {
			return err
		}
		if indexOf(list, id) < 0 {
			return errDeleted
		}
		p, err := readProgress(tx, id)
		if err != nil {
			return err
		}
		if svc.heldElsewhere(p, now) {
			return errLeaseLost
		}
		p.Holder, p.LeaseUntil, p.Fence = svc.Holder, now.Add(leaseDuration), p.Fence+1
		fence, until = p.Fence, p.LeaseUntil
		return lifecycle.PutSetting(tx, progressSetting(id), p)
	})
	return fence, until, err
}

// release ends the lease of this server on an endpoint, if it has one, so that another server need not wait for its end.
func (svc *Service) release(t *tenant, id graph.ID) {
	if svc.Exclusive() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	err := t.Update(ctx, func(tx graph.Tx) error {
		p, err := readProgress(tx, id)
		if err != nil || p.Holder != svc.Holder {
			return err
		}
		p.Holder, p.LeaseUntil = "", time.Time{}
		return lifecycle.PutSetting(tx, progressSetting(id), p)
	})
	if err != nil {
		svc.Log.Warn("[WEBHOOK] the lease could not be given back; it ends by itself", "tenant", t.Scope.Tenant, "webhook", id, "error", err)
	}
}

func (svc *Service) renewLease(ctx context.Context, t *tenant, id graph.ID, fence int) (time.Time, error) {
	until := svc.Now().Add(leaseDuration)
	return until, svc.update(ctx, t, id, fence, func(p *progress) { p.LeaseUntil = until })
}

// update changes the progress of an endpoint if this server is still its sender.
func (svc *Service) update(ctx context.Context, t *tenant, id graph.ID, fence int, change func(*progress)) error {
	return t.Update(ctx, func(tx graph.Tx) error {
		list, err := svc.endpoints(tx)
		if err != nil {
			return err
		}
		if indexOf(list, id) < 0 {
			return errDeleted
		}
		p, err := readProgress(tx, id)
		if err != nil {
			return err
		}
		if p.Fence != fence {
			return errLeaseLost
		}
		change(&p)
		return lifecycle.PutSetting(tx, progressSetting(id), p)
	})
}
