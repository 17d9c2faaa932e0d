package webhooks

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
)

// A change of an alarm is sent signed, and again after a failure.
func TestAlarmsAreSentAndRetried(t *testing.T) {
	type request struct {
		header http.Header
		body   []byte
	}
	got := make(chan request, 4)
	failures := 1
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if failures > 0 {
			failures--
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		got <- request{r.Header, body}
	}))
	defer target.Close()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	a, err := NewAlarms(target.URL, "a secret", func() time.Time { return at }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Notify("", engine.AlarmChange{Change: "BEGAN", Alarm: engine.Alarm{ID: "x", Indicator: "disk_free", Severity: engine.AlarmCritical, Message: "Short.", Since: at}})
	first, second := <-got, <-got
	if id := first.header.Get("webhook-id"); id != "msg_x_BEGAN_CRITICAL" || id != second.header.Get("webhook-id") {
		t.Errorf("ids %q and %q", id, second.header.Get("webhook-id"))
	}
	if want := engine.SignWebhook([]byte("a secret"), "msg_x_BEGAN_CRITICAL", at, second.body); second.header.Get("webhook-signature") != want {
		t.Errorf("signature %q, want %q", second.header.Get("webhook-signature"), want)
	}
	var m alarmMessage
	if err := json.Unmarshal(second.body, &m); err != nil || m.Type != "alarm.began" || m.Data.Message != "Short." {
		t.Errorf("%s, %v", second.body, err)
	}
	if _, err := NewAlarms(target.URL, "whsec_?", time.Now, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a secret that is no base64 is accepted")
	}
}
