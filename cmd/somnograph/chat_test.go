package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// The gate asks the configured language model where the rules are in doubt, and decides without
// it if it fails.
func TestConfiguredLanguageModel(t *testing.T) {
	var calls, broken atomic.Int32
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer hush" {
			t.Errorf("%s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		if broken.Load() > 0 {
			_, _ = io.WriteString(w, "the kiln is a lie") // the client hangs up at worst
			return
		}
		answer, err := json.Marshal(map[string]any{"choices": []any{map[string]any{
			"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": `{"relation":"contradicts","confidence":1}`},
		}}})
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(answer)
	}))
	defer model.Close()
	t.Setenv("SOMNOGRAPH_CHAT_TOKEN", "hush")
	s := start(t, t.TempDir(), "--chat-url", model.URL, "--chat-model", "small")
	adjudicate := func(fact string) (decision string, score float64, degraded []string) {
		t.Helper()
		var out struct {
			Adjudicate struct {
				Decision string
				Judge    *struct {
					Model              string
					Rules, Said, Score float64
				}
				Degraded []string
			}
		}
		err := s.client().Do(t.Context(), `mutation($i:AdjudicateInput!){adjudicate(input:$i){decision judge{model rules said score} degraded}}`, map[string]any{"i": map[string]any{
			"fact": fact, "subject": "pottery kiln", "consent": "EXPLICIT", "evidence": []any{map[string]any{"source": "a", "weight": 0.4, "confidence": 0.5}},
		}}, &out)
		if err != nil {
			t.Fatal(err)
		}
		a := out.Adjudicate
		if a.Judge != nil {
			if score = a.Judge.Score; a.Judge.Model != "chat:small" || a.Judge.Rules != 0 || a.Judge.Said != 1 {
				t.Errorf("%+v", *a.Judge)
			}
		}
		return a.Decision, score, a.Degraded
	}
	if decision, _, degraded := adjudicate("The kiln of the pottery runs at 1240 degrees."); decision != "STORED" || calls.Load() != 0 || len(degraded) != 0 {
		t.Fatalf("%s after %d calls, degraded %v", decision, calls.Load(), degraded)
	}
	const doubt = "Nobody may heat the pottery kiln beyond 1180 degrees, so that is how hot it gets."
	if decision, score, degraded := adjudicate(doubt); decision != "REJECTED" || score != 0.4 || len(degraded) != 0 || calls.Load() == 0 {
		t.Errorf("%s at %v after %d calls, degraded %v", decision, score, calls.Load(), degraded)
	}
	broken.Add(1)
	if decision, score, degraded := adjudicate(strings.Replace(doubt, "1180", "1175", 1)); decision != "STORED" || score != 0 || len(degraded) != 1 || degraded[0] != "CHAT" {
		t.Errorf("%s at %v, degraded %v", decision, score, degraded)
	}
	s.stop()
	if log := s.log.String(); strings.Contains(log, "hush") || strings.Contains(log, "kiln") {
		t.Errorf("content or the secret is in the log:\n%s", log)
	}
}
