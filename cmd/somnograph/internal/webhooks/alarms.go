package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// alarmsWaiting is the number of messages about alarms that may wait. Later ones are dropped.
const alarmsWaiting = 256

// alarmPauses are the pauses after failed attempts; after one more a message is given up.
var alarmPauses = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// Alarms sends the changes of alarms to one URL, in order.
type Alarms struct {
	sender *Sender
	url    string
	secret []byte
	now    func() time.Time
	log    *slog.Logger
	queue  chan engine.WebhookRequest
	cancel context.CancelFunc
	ended  chan struct{}
	pauses []time.Duration
}

// NewAlarms starts to send to a URL, which the operator has chosen and which may be private. secret is
// empty or signs the messages: text, or base64 after "whsec_".
func NewAlarms(url, secret string, now func() time.Time, log *slog.Logger) (*Alarms, error) {
	sender := New(true, nil) // with private addresses allowed no name is resolved
	if err := sender.Check(context.Background(), url); err != nil {
		return nil, err
	}
	key, err := decodeSecret(secret)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := &Alarms{
		sender: sender, url: url, secret: key, now: now, log: log, queue: make(chan engine.WebhookRequest, alarmsWaiting), cancel: cancel,
		ended: make(chan struct{}), pauses: alarmPauses,
	}
	go a.run(ctx)
	return a, nil
}

// alarmMessage is the body of a message.
type alarmMessage struct {
	Type      string       `json:"type"`             // alarm.began, alarm.changed or alarm.ended
	Timestamp time.Time    `json:"timestamp"`        // when it happened
	Tenant    string       `json:"tenant,omitempty"` // empty: the server
	Data      engine.Alarm `json:"data"`
}

// Notify queues a message. It does not block.
func (a *Alarms) Notify(tenant graph.Tenant, e engine.AlarmChange) {
	at := a.now().UTC()
	body, err := json.Marshal(alarmMessage{Type: "alarm." + strings.ToLower(string(e.Change)), Timestamp: at, Tenant: string(tenant), Data: e.Alarm})
	if err != nil {
		a.log.Error("[ALARM] a message can't be encoded", "error", err)
		return
	}
	r := engine.WebhookRequest{URL: a.url, ID: fmt.Sprintf("msg_%s_%s_%s", e.Alarm.ID, e.Change, e.Alarm.Severity), At: at, Body: body}
	select {
	case a.queue <- r:
	default:
		a.log.Warn("[ALARM] a message is dropped: too many wait", "id", r.ID)
	}
}

func (a *Alarms) run(ctx context.Context) {
	defer close(a.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-a.queue:
			a.send(ctx, r)
		}
	}
}

// send sends a message until it is accepted, or given up.
func (a *Alarms) send(ctx context.Context, r engine.WebhookRequest) {
	for attempt := 0; ; attempt++ {
		r.At = a.now()
		if len(a.secret) > 0 {
			r.Signature = engine.SignWebhook(a.secret, r.ID, r.At, r.Body)
		}
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		answer, err := a.sender.Send(within, r)
		cancel()
		if err == nil && answer.Status/100 == 2 {
			return
		}
		if attempt == len(a.pauses) || ctx.Err() != nil {
			a.log.Warn("[ALARM] a message is given up", "id", r.ID, "attempts", attempt+1, "status", answer.Status, "error", err)
			return
		}
		pause := time.NewTimer(max(a.pauses[attempt], min(answer.RetryAfter, time.Hour)))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// Close stops sending.
func (a *Alarms) Close() {
	a.cancel()
	<-a.ended
}
