package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// alarmsKept is the number of ended alarms that the store keeps for the server and for each tenant.
const alarmsKept = 500

// canarySetting is the name of the setting with the results of the canary.
const canarySetting = "canary"

// load reads the active alarms of a scope, and the results of the canary.
func (svc *Service) load(ctx context.Context, w *watched) error {
	var active []alarm.Alarm
	err := svc.Store.View(ctx, w.scope, func(r graph.Reader) error {
		active = nil
		// An alarm that can't be read is left out: it must not keep a server from starting, and what it is about is
		// measured again.
		for a, err := range alarms(r) {
			switch {
			case errors.Is(err, graph.ErrIntegrity):
				svc.Log.Error("[ALARM] a stored alarm can't be read and is left out", "tenant", w.scope.Tenant, "error", err)
			case err != nil:
				return err
			case a.Active():
				active = append(active, a)
			case a.Indicator == alarm.Consent:
				w.consentEnded = lifecycle.Later(w.consentEnded, a.Until)
			}
		}
		if !w.scope.IsServer() {
			return nil
		}
		_, err := lifecycle.ReadSetting(r, canarySetting, &w.canary)
		return err
	})
	if err != nil {
		return fmt.Errorf("monitor: read the alarms: %w", err)
	}
	if w.scope.IsServer() {
		kept := svc.readKept()
		for _, a := range kept {
			w.unsaved[a.ID] = a
		}
		active = overlay(active, kept)
	}
	slices.SortFunc(active, func(a, b alarm.Alarm) int { return a.Since.Compare(b.Since) })
	w.state = alarm.Restore(active)
	return nil
}

// alarms yields the alarms of a scope, newest first. In the place of one that can't be read it yields ErrIntegrity
// with its id, and goes on with the next; other errors end it.
func alarms(r graph.Reader) iter.Seq2[alarm.Alarm, error] {
	return func(yield func(alarm.Alarm, error) bool) {
		for n, err := range graph.NotesBesideDamaged(r, graph.NoteAlarm, "", true, graph.MaxPage) {
			var a alarm.Alarm
			if err == nil {
				if a, err = alarm.FromNote(n); err != nil {
					err = fmt.Errorf("the alarm %s: %w", n.ID, err)
				}
			}
			if !yield(a, err) || err != nil && !errors.Is(err, graph.ErrIntegrity) {
				return
			}
		}
	}
}

// eachAlarm yields the alarms of a scope that can be read, newest first, until yield returns false.
func eachAlarm(r graph.Reader, yield func(alarm.Alarm) bool) error {
	for a, err := range alarms(r) {
		switch {
		case errors.Is(err, graph.ErrIntegrity):
		case err != nil:
			return err
		case !yield(a):
			return nil
		}
	}
	return nil
}

// sharedAlarms reads the alarms of a scope that all servers on the store share.
func (svc *Service) sharedAlarms(ctx context.Context, w *watched) (all []alarm.Alarm, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	err = svc.Store.View(ctx, w.scope, func(r graph.Reader) error {
		all = nil
		return eachAlarm(r, func(a alarm.Alarm) bool {
			if i, _ := alarm.Find(a.Indicator); i.Shared {
				all = append(all, a)
			}
			return true
		})
	})
	return all, err
}

// endedMeanwhile reports whether the store has a shared alarm as ended, because another server ended it.
func endedMeanwhile(r graph.Reader, a alarm.Alarm) (bool, error) {
	if i, _ := alarm.Find(a.Indicator); !i.Shared || !a.Active() {
		return false, nil
	}
	n, err := r.Note(graph.NoteAlarm, a.ID)
	if known, err := graph.Found(err); !known || err != nil {
		return false, err
	}
	stored, err := alarm.FromNote(n)
	return err == nil && !stored.Active(), nil // what can't be read is written again
}

// note remembers changes of alarms until they are stored. The caller holds the mutex under which they changed, so that a later change is not
// replaced by an earlier one.
func (w *watched) note(events []alarm.Event) {
	for _, e := range events {
		w.unsaved[e.Alarm.ID] = e.Alarm
	}
}

// save stores the changes that the store does not have. What it does not take now is stored at the next refresh.
func (svc *Service) save(ctx context.Context, w *watched) {
	w.saving.Lock()
	defer w.saving.Unlock()
	svc.mu.Lock()
	var all []alarm.Alarm
	for _, a := range w.unsaved {
		all = append(all, a)
	}
	svc.mu.Unlock()
	if len(all) == 0 {
		return
	}
	if err := svc.update(ctx, w.scope, func(tx graph.Tx) error { return putAlarms(tx, all) }); err != nil {
		svc.Log.Warn("[ALARM] an alarm could not be stored; it is stored later", "alarms", len(all), "error", err)
		svc.keep(w)
		return
	}
	svc.mu.Lock()
	for _, a := range all {
		if w.unsaved[a.ID] == a {
			delete(w.unsaved, a.ID)
		}
	}
	svc.mu.Unlock()
	svc.keep(w)
}

func putAlarms(tx graph.Tx, all []alarm.Alarm) error {
	for _, a := range all {
		if ended, err := endedMeanwhile(tx, a); err != nil || ended {
			if err != nil {
				return err
			}
			continue // the next refresh learns of it
		}
		data, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if err := tx.PutNote(graph.Note{Kind: graph.NoteAlarm, ID: a.ID, At: a.Since, Data: data}); err != nil {
			return err
		}
	}
	// Room for the new ones is made by the oldest that have ended.
	n := 0
	var old []graph.ID
	err := eachAlarm(tx, func(a alarm.Alarm) bool {
		if n++; n > alarmsKept && !a.Active() {
			old = append(old, a.ID)
		}
		return true
	})
	for _, id := range old {
		err = errors.Join(err, tx.DeleteNote(graph.NoteAlarm, id))
	}
	return err
}

// update runs a transaction in a scope. A tenant's has a row in its audit.
func (svc *Service) update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	if scope.IsServer() {
		_, err := svc.Store.Update(ctx, scope, fn)
		return err
	}
	_, err := svc.Audit.Update(ctx, svc.Store, scope, fn)
	return err
}
