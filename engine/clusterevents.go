package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// rollbackPoll is how often a stream of cluster events looks for rollbacks.
const rollbackPoll = time.Second

// ClusterEvents streams the changes of clusters that the caller sees, of every sleep that ends and of every
// rollback on any server, until ctx ends: from now on, or, unless after is zero, those after a change that was
// received. Those of a sleep come together, in the reverse order of ClusterEvolution. If changes can't be read,
// the stream ends.
func (e *Engine) ClusterEvents(ctx context.Context, c Caller, namespaces []string, after ClusterEventPlace) (_ <-chan ClusterEvent, err error) {
	begun, end := e.ws.Begin(ctx, c, "clusterEvents")
	defer end(&err)
	if _, err := c.AllowedNamespaces(namespaces); err != nil {
		return nil, err
	}
	sleeps, err := e.sleep.SleepsEnded(begun, c, after.Note.Time()) // the id of a note has the instant of its sleep
	if err != nil {
		return nil, err
	}
	s := &clusterStream{e: e, caller: c, namespaces: namespaces, after: after, since: after.Note.Time(), sent: map[graph.ID]bool{}, out: make(chan ClusterEvent)}
	if after.Note == "" {
		s.since = e.ws.Now()
		if err := s.rollbacks(begun, time.Time{}, s.skip); err != nil {
			return nil, err
		}
	}
	go func() {
		defer close(s.out)
		tick := time.NewTicker(rollbackPoll)
		defer tick.Stop()
		for err := error(nil); err == nil; {
			select {
			case <-ctx.Done():
				return
			case x, more := <-sleeps:
				if !more {
					return
				}
				if err = s.rollbacks(ctx, x.StartedAt, s.send); err == nil {
					err = s.all(ctx, ClusterEventFilter{Sleep: x.Sleep, Since: x.StartedAt, Until: x.StartedAt}, s.send)
				}
			case <-tick.C:
				err = s.changed(ctx)
			}
		}
	}()
	return s.out, nil
}

// clusterStream is a stream of changes of clusters.
type clusterStream struct {
	e          *Engine
	caller     Caller
	namespaces []string
	after      ClusterEventPlace // the last change that the client has; zero: none
	since      time.Time         // rollbacks from here on
	version    string            // of the clusters, when rollbacks were looked for
	sent       map[graph.ID]bool // notes of which changes were sent
	told       map[graph.ID]bool // notes of rollbacks that are done with
	out        chan ClusterEvent
}

// changed sends the changes of rollbacks, if any clusters have changed since the last call.
func (s *clusterStream) changed(ctx context.Context) error {
	now, err := s.e.groups.Scene(ctx, s.caller, nil)
	if err != nil || now.Version == s.version {
		return err
	}
	s.version = now.Version
	return s.rollbacks(ctx, time.Time{}, s.send)
}

// rollbacks hands on the changes of rollbacks before an instant, or all, that were not handed on yet. The client has to know the
// changes that a rollback takes back.
func (s *clusterStream) rollbacks(ctx context.Context, before time.Time, to func(context.Context, ClusterEvent) error) error {
	told := map[graph.ID]bool{}
	err := s.all(ctx, ClusterEventFilter{Rollbacks: true, Since: s.since, Until: before}, func(ctx context.Context, x ClusterEvent) error {
		told[x.ID] = true
		if s.told[x.ID] || s.after.Note != "" && x.Undone > s.after.Note && !s.sent[x.Undone] {
			return nil
		}
		return to(ctx, x)
	})
	for id := range s.told {
		told[id] = true
	}
	s.told = told
	return err
}

// all reads the changes that pass, and hands them on, the oldest first.
func (s *clusterStream) all(ctx context.Context, f ClusterEventFilter, to func(context.Context, ClusterEvent) error) error {
	var all []ClusterEvent
	f.Namespaces = s.namespaces
	for place, more := (ClusterEventPlace{}), true; more; {
		var page []ClusterEvent
		var err error
		if page, more, err = s.e.groups.Events(ctx, s.caller, f, place, graph.MaxPage); err != nil {
			return err
		}
		all = append(all, page...)
		if len(page) > 0 {
			last := page[len(page)-1]
			place = ClusterEventPlace{Note: last.ID, Number: last.Number}
		}
	}
	for _, x := range slices.Backward(all) {
		if s.after.Note != "" && !x.Follows(s.after) {
			continue
		}
		if err := to(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

func (s *clusterStream) send(ctx context.Context, x ClusterEvent) error {
	select {
	case s.out <- x:
		s.sent[x.ID] = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *clusterStream) skip(context.Context, ClusterEvent) error { return nil }
