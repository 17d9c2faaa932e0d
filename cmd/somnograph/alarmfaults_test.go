package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/internal/s3test"
)

// runningServer is a server in the process of the test: its indicators are read when the test says so.
type runningServer struct {
	*process
	t      *testing.T
	url    string
	client *client.Client
	log    *lockedBuffer
}

// serveHere starts a server that began some time ago. It ends with the test.
func serveHere(t *testing.T, dir string, ago time.Duration, args ...string) *runningServer {
	t.Helper()
	s := &runningServer{t: t, log: &lockedBuffer{}}
	env := environment{io.Discard, s.log, append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())}
	cmd := newServe(env)
	if err := cmd.ParseFlags(append([]string{"--addr", "127.0.0.1:0", "--data", dir, "--canary", "off"}, args...)); err != nil {
		t.Fatal(err)
	}
	c, _, err := config.Load(cmd.Flags(), env.environ)
	if err != nil {
		t.Fatal(err)
	}
	s.process = &process{env: env, config: c, log: c.Logger(env.err), began: time.Now().Add(-ago)}
	err = s.open(t.Context())
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log)
	}
	s.url = "http://" + s.server.Addr().String()
	if s.client, err = client.New(s.url, client.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	return s
}

// alarm reads the indicators and returns the active alarm of an indicator; nil: there is none.
func (s *runningServer) alarm(indicator string) *client.Alarm {
	s.t.Helper()
	// Without the store a refresh fails after it has raised the alarm.
	_ = s.instance.Engine.RefreshHealth(s.t.Context())
	all, err := s.client.Alarms(s.t.Context(), true, 50)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, a := range all {
		if a.Indicator == indicator {
			return &a
		}
	}
	return nil
}

// mustAlarm fails the test unless an alarm is active, written as severity/subject/action.
func (s *runningServer) mustAlarm(indicator, want string) *client.Alarm {
	s.t.Helper()
	a := s.alarm(indicator)
	if a == nil {
		s.t.Fatalf("no alarm of %s, want %s:\n%s", indicator, want, s.log)
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	if got := a.Severity + "/" + text(a.Subject) + "/" + text(a.Action); got != want {
		s.t.Fatalf("the alarm of %s is %s, want %s", indicator, got, want)
	}
	return a
}

// ends waits until the alarm has ended by itself.
func (s *runningServer) ends(a *client.Alarm) {
	s.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(testTimeout); s.alarm(a.Indicator) != nil; <-tick.C { // connections come back after a pause
		if time.Now().After(deadline) {
			s.t.Fatalf("the alarm of %s does not end:\n%s", a.Indicator, s.log)
		}
	}
	all, err := s.client.Alarms(s.t.Context(), false, 50)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, x := range all {
		if x.ID == a.ID && x.Until != nil && x.EndedBy == nil {
			return
		}
	}
	s.t.Errorf("%s has not ended by itself: %+v", a.ID, all)
}

// refuses fails the test unless a write fails with UNAVAILABLE.
func (s *runningServer) refuses() {
	s.t.Helper()
	var e *client.Error
	err := s.client.Do(s.t.Context(), `mutation{remember(input:{content:"Nobody takes this.",consent:EXPLICIT}){memory{id}}}`, nil, &struct{}{})
	if !errors.As(err, &e) || e.Code != "UNAVAILABLE" {
		s.t.Errorf("a write answers %v", err)
	}
}

// alarmReceiver is a receiver of the messages about alarms, as type and indicator.
func alarmReceiver(t *testing.T) (url string, messages <-chan string) {
	t.Helper()
	ch := make(chan string, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Type string
			Data engine.Alarm
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.Header.Get("webhook-id") == "" {
			t.Errorf("a message: %v, %v", r.Header, err)
		}
		ch <- m.Type + " " + m.Data.Indicator + " " + string(m.Data.Action)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(s.Close)
	return s.URL, ch
}

// next waits for a message.
func next(t *testing.T, messages <-chan string) string {
	t.Helper()
	select {
	case m := <-messages:
		return m
	case <-time.After(testTimeout):
		t.Fatal("no message arrived")
		return ""
	}
}

// subscribeAlarms subscribes to alarms over a WebSocket and returns the events, as change and indicator.
func (s *runningServer) subscribeAlarms() <-chan string {
	s.t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := d.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = resp.Body.Close() // the handshake has no body
	ended := make(chan struct{})
	s.t.Cleanup(func() { _ = conn.Close(); <-ended }) // the server may have closed it
	for _, m := range []string{`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":{"query":"subscription{alarms{change alarm{indicator action}}}"}}`} {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(m)); err != nil {
			s.t.Fatal(err)
		}
	}
	events := make(chan string, 16)
	go func() {
		defer close(ended)
		for {
			var m struct {
				Type    string
				Payload struct {
					Data struct {
						Alarms struct {
							Change string
							Alarm  struct{ Indicator, Action string }
						}
					}
				}
			}
			if conn.ReadJSON(&m) != nil {
				return
			}
			if a := m.Payload.Data.Alarms; m.Type == "next" {
				events <- a.Change + " " + a.Alarm.Indicator + " " + a.Alarm.Action
			}
		}
	}()
	return events
}

// The directory of the backup of a running server is a file for ten minutes. Writes halt, and the
// webhook and the subscription are told. A backup alone ends nothing; a person ends the alarm, both are
// told, and writes go on.
func TestStoppedBackupOfARunningServer(t *testing.T) {
	to := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	url, messages := alarmReceiver(t)
	s := serveHere(t, t.TempDir(), 11*time.Minute, "--backup-to", to, "--backup-every", "1s", "--alarm-webhook", url)
	events := s.subscribeAlarms()
	a := s.mustAlarm(engine.IndicatorBackupAge, "CRITICAL//HALT_WRITES")
	if got := next(t, messages); got != "alarm.began backup_age HALT_WRITES" {
		t.Errorf("the webhook is told %q", got)
	}
	if got := next(t, events); got != "BEGAN backup_age HALT_WRITES" {
		t.Errorf("the subscription is told %q", got)
	}
	s.refuses()
	if halted, err := s.client.WritesHalted(t.Context()); err != nil || !halted {
		t.Errorf("/healthz: halted is %v, %v", halted, err)
	}
	if _, err := s.client.Search(t.Context(), client.Search{Query: "lighthouse", TopK: 1}); err != nil {
		t.Errorf("a read while writes are halted: %v", err)
	}
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(testTimeout); ; <-tick.C {
		if b, _ := s.BackupStatus(); !b.Last.IsZero() && b.Err == "" {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("no backup: %+v", b)
		}
	}
	s.mustAlarm(engine.IndicatorBackupAge, "CRITICAL//HALT_WRITES")
	s.refuses()
	if ended, err := s.client.ResetAlarm(t.Context(), a.ID); err != nil || ended.EndedBy == nil {
		t.Fatalf("%+v, %v", ended, err)
	}
	if got := next(t, messages); got != "alarm.ended backup_age HALT_WRITES" {
		t.Errorf("the webhook is told %q", got)
	}
	if got := next(t, events); got != "ENDED backup_age HALT_WRITES" {
		t.Errorf("the subscription is told %q", got)
	}
	if again := s.alarm(engine.IndicatorBackupAge); again != nil {
		t.Errorf("after the end: %+v", again)
	}
	remember(t, s.client, "The lighthouse is white.")
	if halted, err := s.client.WritesHalted(t.Context()); err != nil || halted {
		t.Errorf("/healthz: halted is %v, %v", halted, err)
	}
}

// The Dgraph of a running server is killed: the store is away, writes are refused. With the Dgraph back
// the alarm ends by itself.
func TestKilledDgraphRaisesAnAlarm(t *testing.T) {
	cluster := startDgraph(t)
	s := serveHere(t, t.TempDir(), 0, "--store", "dgraph", "--dgraph", cluster.Addr)
	remember(t, s.client, "The lighthouse is white.")
	if a := s.alarm("parts_away"); a != nil {
		t.Fatalf("before: %+v", a)
	}
	if err := cluster.KillAlpha(); err != nil {
		t.Fatal(err)
	}
	a := s.mustAlarm("parts_away", "CRITICAL/STORE/")
	s.refuses()
	if err := cluster.StartAlpha(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.ends(a)
	remember(t, s.client, "The lighthouse is white again.")
}

// The bucket of the recess of a running server stops and comes back: the alarm names the recess, and
// memories are written meanwhile.
func TestStoppedBucketOfTheRecessRaisesAnAlarm(t *testing.T) {
	bucket := s3test.Start(t)
	t.Setenv("SOMNOGRAPH_RECESS_SECRET_KEY", s3test.SecretKey)
	s := serveHere(t, t.TempDir(), 0, "--recess-endpoint", bucket.Addr, "--recess-bucket", s3test.Bucket, "--recess-region", "us-east-1",
		"--recess-access-key", s3test.AccessKey, "--recess-insecure=true")
	if a := s.alarm("parts_away"); a != nil {
		t.Fatalf("before: %+v", a)
	}
	bucket.Stop()
	a := s.mustAlarm("parts_away", "WARNING/RECESS/")
	if !strings.HasPrefix(a.Message, "RECESS does not answer.") {
		t.Errorf("%q", a.Message)
	}
	remember(t, s.client, "The lighthouse is white.")
	bucket.Restart()
	s.ends(a)
}

// Of two servers on one Dgraph one makes the backup, whose target is away: both tell the same alarm, both
// refuse writes, and either ends it for both.
func TestStoppedBackupIsKnownToEveryServer(t *testing.T) {
	cluster := startDgraph(t)
	to := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr}
	other := serveHere(t, t.TempDir(), 0, over...)
	remember(t, other.client, "The lighthouse is white.")
	maker := serveHere(t, t.TempDir(), 11*time.Minute, append(over, "--backup-to", to, "--backup-every", "1s")...)
	var a *client.Alarm
	for deadline := time.Now().Add(testTimeout); a == nil; a = other.alarm(engine.IndicatorBackupAge) { // until the first round has failed
		if time.Now().After(deadline) {
			t.Fatalf("the other server raises no alarm:\n%s", maker.log)
		}
	}
	b := maker.alarm(engine.IndicatorBackupAge)
	if b == nil || b.ID != a.ID || a.Severity != "CRITICAL" || b.Severity != "CRITICAL" || a.Subject == nil || b.Subject == nil || *a.Subject != *b.Subject {
		t.Fatalf("two verdicts: %+v, %+v", a, b)
	}
	maker.refuses()
	other.refuses()
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(testTimeout); ; <-tick.C {
		if s, _ := maker.BackupStatus(); !s.Last.IsZero() && s.Err == "" {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("no backup: %+v", s)
		}
	}
	if ended, err := other.client.ResetAlarm(t.Context(), a.ID); err != nil || ended.EndedBy == nil {
		t.Fatalf("%+v, %v", ended, err)
	}
	for _, s := range []*runningServer{maker, other} {
		if left := s.alarm(engine.IndicatorBackupAge); left != nil {
			t.Errorf("after the end: %+v", left)
		}
		remember(t, s.client, "The lighthouse is white again.")
	}
}
