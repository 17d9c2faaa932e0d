package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Types of messages.
const (
	Stated    = "fact.stated"    // a memory states facts that no earlier version of it stated
	Revised   = "fact.revised"   // a new version states facts
	Corrected = "fact.corrected" // a person corrected, confirmed or withdrew what was read
	Ended     = "fact.ended"     // the memory was superseded or expired, or another memory ended some of its facts
	Forgotten = "fact.forgotten" // the memory was erased
)

// message is the body of a request.
type message struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      data      `json:"data"`
}

type data struct {
	Tenant    string `json:"tenant"`
	Memory    string `json:"memory"`
	Namespace string `json:"namespace"`
	User      string `json:"user,omitempty"`
	Chain     string `json:"chain,omitempty"`
	Version   int    `json:"version,omitempty"`
	// Facts are those of the memory as they are now.
	Facts   []fact `json:"facts"`
	Content string `json:"content,omitempty"`
}

// fact is a claim: its slot, and its object only where the endpoint gets content.
type fact struct {
	ID        string     `json:"id"`
	Subject   string     `json:"subject"`
	Predicate string     `json:"predicate"`
	Object    string     `json:"object,omitempty"`
	Negated   bool       `json:"negated,omitempty"`
	ValidFrom time.Time  `json:"validFrom"`
	ValidTo   *time.Time `json:"validTo,omitempty"`
	Current   bool       `json:"current"`
	RevisedBy string     `json:"revisedBy,omitempty"`
}

// messageOf is the message about a change of a memory, and whether there is one. v is the memory as it is
// now; nil: it is erased or can't be served. Content leaves only with a consent, and never if it is RESTRICTED.
func messageOf(tenant graph.Tenant, ch graph.Change, v *workspace.View, content bool, now time.Time) (m message, there bool) {
	m = message{Timestamp: ch.At.UTC(), Data: data{Tenant: string(tenant), Memory: string(ch.ID), Namespace: ch.Namespace, Facts: []fact{}}}
	switch {
	case ch.Node != graph.NodeMemory:
		return m, false
	case ch.Kind == graph.EventForgotten:
		m.Type = Forgotten
		return m, true
	case v == nil || v.State.Status == graph.Forgotten || v.Unavailable != nil:
		return m, false // its erasure has a change of its own
	}
	content = content && v.Memory.Consent != graph.ConsentNone && v.Memory.Sensitivity != graph.Restricted
	claims := v.Claims(now)
	for _, c := range claims {
		if c.Assertion || c.State.Withdrawn {
			m.Data.Facts = append(m.Data.Facts, factOf(c, content))
		}
	}
	if m.Type = typeOf(ch, v.Memory, claims); m.Type == "" || len(m.Data.Facts) == 0 {
		return m, false
	}
	m.Data.User, m.Data.Chain, m.Data.Version = graph.UserOf(v.Memory.User), string(v.Memory.Chain), v.Memory.Version
	if content {
		m.Data.Content = v.Memory.Content
	}
	return m, true
}

func factOf(c workspace.ClaimView, content bool) fact {
	f := fact{
		ID: c.ID, Subject: c.State.Subject, Predicate: c.Attribute(), Negated: c.State.Negated, ValidFrom: c.ValidFrom.UTC(), Current: c.Current,
		RevisedBy: string(c.State.RevisedBy),
	}
	if !c.ValidTo.IsZero() {
		to := c.ValidTo.UTC()
		f.ValidTo = &to
	}
	if content {
		f.Object = c.State.Object
	}
	return f
}

// justAfter is how long after a change a state of a claim may be recorded that belongs to it, see
// graph.Claim.SetState.
const justAfter = 10 * time.Millisecond

// typeOf is the type of the message about a change; empty: it concerns no fact.
func typeOf(ch graph.Change, m *graph.Memory, claims []workspace.ClaimView) string {
	switch ch.Kind {
	case graph.EventSuperseded, graph.EventExpired:
		return Ended
	case graph.EventCreated:
		if tierAt(m, ch.At) == graph.L0 {
			return "" // a turn states its facts when it leaves the buffer
		}
		return newFacts(m)
	case graph.EventUpdated, graph.EventPromoted:
		if tierBefore(m, ch.At) == graph.L0 {
			return newFacts(m)
		}
	}
	for _, c := range claims {
		for i, s := range c.Claim.History {
			if after := s.From.Sub(ch.At); i == 0 || after < 0 || after > justAfter {
				continue
			}
			if s.RevisedBy != "" && !s.Corrected {
				return Ended
			}
			return Corrected
		}
	}
	return ""
}

func newFacts(m *graph.Memory) string {
	if m.Version > 1 {
		return Revised
	}
	return Stated
}

// tierAt is the tier of a memory at an instant.
func tierAt(m *graph.Memory, at time.Time) graph.Tier {
	tier := m.History[0].Tier
	for _, s := range m.History {
		if !s.From.After(at) {
			tier = s.Tier
		}
	}
	return tier
}

// tierBefore is the tier from which a memory moved at an instant; empty: it did not.
func tierBefore(m *graph.Memory, at time.Time) graph.Tier {
	for i := 1; i < len(m.History); i++ {
		if m.History[i].From.Equal(at) && m.History[i].Tier != m.History[i-1].Tier {
			return m.History[i-1].Tier
		}
	}
	return ""
}

// messageID is the webhook-id of a change for an endpoint: the same at every attempt.
func messageID(endpoint graph.ID, at graph.Cursor) string {
	sum := sha256.Sum256([]byte(string(endpoint) + " " + strconv.FormatUint(uint64(at), 10)))
	return "msg_" + hex.EncodeToString(sum[:12])
}

// Sign is the webhook-signature of a body: Standard Webhooks 1.0.0, symmetric.
func Sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// secretText is the form in which a secret is shown, once.
func secretText(secret []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(secret) }

func encode(m message) ([]byte, error) { return json.Marshal(m) }
