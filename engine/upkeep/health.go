package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/breaker"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/counted"
)

// HealthReport is the state of a tenant's memory.
type HealthReport struct {
	Score            float64 // H: mean of confidence × retention over ACTIVE memories, [0,1]
	Status           string  // HEALTHY, WARNING, CRITICAL
	Memories         int     // ACTIVE
	Engrams          int
	Entities         int
	ChecksumFailures int
	Details          map[string]any
	// Attainable is the score that the same memories would have if none had faded, [0,1]. Confidence
	// grows only by use and evidence, so that a fresh memory can't have a better score.
	Attainable float64
	// Reason says in a sentence why the status is what it is, and Indicator names the indicator of the
	// alarm that decided; empty: none did.
	Reason, Indicator string
}

// Known holds the inputs of a health report from other packages.
type Known struct {
	Away  []string   // other parts of the system that are unavailable
	Stuck []graph.ID // turns that can't leave L0
	// ClockAhead is how far the clock is ahead of the machine's, which stands still until that
	// has caught up.
	ClockAhead time.Duration
}

// maxClockAhead is how far the clock may be ahead without a warning: a machine's clock is set back
// by less than that in ordinary service.
const maxClockAhead = 5 * time.Second

// maxLetters is the number of dead letters per kind of work in a health report.
const maxLetters = 200

// Health reports the state of the memories that the caller may see. An empty memory is
// healthy.
func (svc *Service) Health(ctx context.Context, c workspace.Caller, known Known) (*HealthReport, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil && !errors.Is(err, graph.ErrUnavailable) {
		return nil, err
	}
	r := &HealthReport{Score: 1, Attainable: 1, Status: "HEALTHY", Details: map[string]any{"embedder": svc.Embedder.Name()}}
	waiting := svc.countVisible(t, r)
	svc.addUnproven(t, r)
	if c.Sight().Whole() { // these count what belongs to all
		r.Details["uses"], r.Details["exposures"] = t.UsesAndExposures()
		r.ChecksumFailures = len(svc.Damage.IDs(c.Tenant))
		if s, err := svc.claimsProgress(ctx, svc.tenants.Of(t)); err == nil {
			r.Details["claimsRead"] = map[string]any{"looked": s.Looked, "read": s.Read, "complete": s.Complete}
		}
		svc.addImport(ctx, t, r)
	}
	given, refused, err := addLetters(ctx, t, r)
	storeAway := errors.Is(err, graph.ErrUnavailable) // the index still provides the rest
	if err != nil && !storeAway {
		return nil, svc.PublicError(err)
	}
	away := known.Away
	unready := svc.Store.Ready(ctx)
	if storeAway = storeAway || unready != nil; storeAway {
		away = append(away, string(workspace.PartStore))
	}
	status, reason := verdict(known.ClockAhead, storeAway, r.ChecksumFailures, away, waiting, min(given, waiting), refused)
	if r.Status == "HEALTHY" || status == "CRITICAL" {
		r.Status, r.Reason = status, reason
	}
	var full *graph.Error // says what the store still does, as on a full disk
	if storeAway && errors.As(unready, &full) {
		r.Reason = "The store refuses writes: " + full.Message + "."
	}
	if len(away) > 0 {
		r.Details["away"] = away
	}
	svc.addBreakers(r)
	if known.ClockAhead > maxClockAhead {
		r.Details["clockAheadSeconds"] = int64(known.ClockAhead.Seconds())
	}
	if len(known.Stuck) > 0 {
		r.Details["stuckInBuffer"] = known.Stuck
	}
	return r, nil
}

// importSetting is the name of the setting with the progress of an import, which is there only if an
// import is under way or was cut off. The server's room for exports writes it.
const importSetting = "import"

// addImport adds to a report that the tenant has a part of an export only.
func (svc *Service) addImport(ctx context.Context, t *workspace.Tenant, r *HealthReport) {
	var p struct{ Written int }
	err := t.View(ctx, func(rd graph.Reader) error {
		_, err := lifecycle.ReadSetting(rd, importSetting, &p)
		return err
	})
	if err != nil || p.Written == 0 { // a store that is away is reported without this
		return
	}
	r.Status = "WARNING"
	r.Reason = fmt.Sprintf("An import is under way or was cut off after %s. If none is running, import the same export again: it goes on there.", counted.Of(p.Written, "line"))
}

// addBreakers adds the circuit breakers to a report; one that is not closed is a warning.
func (svc *Service) addBreakers(r *HealthReport) {
	states := map[string]any{}
	for _, s := range svc.Breakers.List() {
		if s.State == breaker.Closed {
			s.Since = time.Time{} // most often the start of the server
		}
		states[s.Name] = s
		if s.State != breaker.Closed && r.Status == "HEALTHY" {
			r.Status, r.Reason = "WARNING", fmt.Sprintf("The circuit breaker %s is open: too many calls failed.", s.Name)
		}
	}
	r.Details["breakers"] = states
	if b := svc.Breakers.Get("EMBEDDER"); b != nil && b.Status().State != breaker.Closed {
		r.Details["fallbackEmbedder"] = "hashed" // compares texts at the time of a search; new memories wait for the embedder
	}
}

// verdict returns the status of a report and its reason.
func verdict(clockAhead time.Duration, storeAway bool, damaged int, away []string, waiting, given, refused int) (status, reason string) {
	switch {
	case storeAway:
		return "CRITICAL", "The store does not answer."
	case damaged > 0:
		return "CRITICAL", fmt.Sprintf("Records with a wrong checksum: %d. They are not served.", damaged)
	case clockAhead > maxClockAhead:
		return "CRITICAL", fmt.Sprintf("The clock of the machine is %s behind what was recorded. Nothing expires or fades until it has caught up.", clockAhead.Round(time.Second))
	case len(away) > 0:
		return "WARNING", strings.Join(away, ", ") + " does not answer."
	case given > 0:
		return "WARNING", fmt.Sprintf("Memories without a vector: %d. The embedder refused %d of them; retryDeadLetter tries again. Search finds them by words only.", waiting, given)
	case waiting > 0:
		return "WARNING", fmt.Sprintf("Memories that wait for a vector: %d. Search finds them by words only.", waiting)
	case refused > 0:
		return "WARNING", fmt.Sprintf("Memories that the recess refused: %d. The next sleep tries again.", refused)
	}
	return "HEALTHY", "Everything that you see is in order."
}

// countVisible adds the counts of the memories that the caller may see to a report, and
// returns how many wait for an embedding.
func (svc *Service) countVisible(t *workspace.Tenant, r *HealthReport) (waiting int) {
	now := svc.Now()
	byType, byStatus, byTier := map[string]int{}, map[string]int{}, map[string]int{}
	byConsent, bySensitivity := map[string]int{}, map[string]int{}
	entities := map[graph.ID]bool{}
	sum, attainable := 0.0, 0.0
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		s, _ := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(now, d.History[len(d.History)-1].From))
		byStatus[string(s.Status)]++
		byTier[string(s.Tier)]++
		if s.Tier == graph.L3 {
			r.Engrams++
		}
		for _, id := range d.Entities {
			entities[id] = true
		}
		if !d.Embedded {
			waiting++
		}
		if s.Status != graph.Active {
			return true
		}
		r.Memories++
		byType[string(d.Type)]++
		byConsent[string(d.Consent)]++
		bySensitivity[string(d.Sensitivity)]++
		sum += importance.Health(d.Confidence, decay.RetentionAt(workspace.DecayOfDoc(d, s), now))
		attainable += importance.Health(d.Confidence, 1)
		return true
	})
	r.Entities = len(entities)
	if r.Memories > 0 {
		r.Score, r.Attainable = sum/float64(r.Memories), attainable/float64(r.Memories)
	}
	for name, counts := range map[string]map[string]int{"byType": byType, "byStatus": byStatus, "byTier": byTier, "byConsent": byConsent, "bySensitivity": bySensitivity} {
		r.Details[name] = counts
	}
	r.Details["pendingEmbeddings"] = waiting
	return waiting
}

// maxUnproven is the number of unproven engrams that a health report lists.
const maxUnproven = 200

// addUnproven adds the engrams that were not used in enough sessions to a report.
func (svc *Service) addUnproven(t *workspace.Tenant, r *HealthReport) {
	var ids []graph.ID
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if isUnproven(d) {
			ids = append(ids, d.ID)
		}
		return true
	})
	if len(ids) == 0 {
		return
	}
	slices.Sort(ids)
	r.Details["unprovenEngrams"] = map[string]any{"count": len(ids), "ids": ids[:min(len(ids), maxUnproven)]}
}

// addLetters adds the dead letters that the caller may see to a report, and returns how
// many engravings the recess refused.
func addLetters(ctx context.Context, t *workspace.Tenant, r *HealthReport) (given, refused int, err error) {
	var embed, engrave []workspace.DeadLetter
	counts := map[workspace.Work]int{}
	err = t.View(ctx, func(r graph.Reader) error {
		embed, engrave = nil, nil
		clear(counts)
		return workspace.EachLetter(ctx, r, "", func(x workspace.DeadLetter, m *graph.Memory) bool {
			if x.Discarded {
				return true
			}
			if counts[x.Work]++; counts[x.Work] > maxLetters {
				return true
			}
			if x.Work == workspace.WorkEmbed {
				embed = append(embed, x)
			} else {
				engrave = append(engrave, x)
			}
			return true
		})
	})
	if len(counts) > 0 {
		r.Details["letters"] = counts
	}
	if len(embed) > 0 {
		r.Details["deadLetters"] = embed
	}
	if len(engrave) > 0 {
		r.Details["unengraved"] = engrave
	}
	return counts[workspace.WorkEmbed], len(engrave), err
}
