package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// sleeper is a fake server: it answers a sleep after looks requests for its status.
func sleeper(t *testing.T, looks int, answer string) (url string, asked *client.Sleep) {
	t.Helper()
	asked = &client.Sleep{}
	looked := make(chan struct{}, looks+100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Query     string
			Variables struct{ Input client.Sleep }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		reply := `{"data":{"sleepStatus":{"phase":"N2","done":1,"total":2}}}`
		if strings.HasPrefix(in.Query, "mutation") {
			*asked = in.Variables.Input
			for range looks {
				<-looked
			}
			reply = answer
		} else {
			looked <- struct{}{}
		}
		if _, err := io.WriteString(w, reply); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

const oneNight = `{"data":{"sleep":{"report":{"id":"0198f0a0-0000-7000-8000-000000000001","kind":"DEEP","trigger":"HAND","startedAt":"2026-03-03T02:00:00.000Z",
"completedAt":"2026-03-03T02:01:30.500Z","complete":false,"reinforced":12,"pruned":3,"promotionRate":0.3,"healthBefore":0.5,"healthAfter":0.75,"tokensSaved":-4,
"skipped":["0198f0a0-0000-7000-8000-00000000000a"],"safetyCriticalEnded":["0198f0a0-0000-7000-8000-00000000000b"],"phases":[{"phase":"N1","items":2000,"seconds":1.5}],
"balance":{"in":20,"kept":14,"merged":3,"archived":2,"left":1,"derived":4}}}}}`

func TestSleepPrintsTheMorningReport(t *testing.T) {
	url, asked := sleeper(t, 1, oneNight)
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"sleep", "--addr", url, "--max-items", "5"}, environment{&out, &errs, nil}); code != exitOK {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	for _, want := range []string{
		"Morning report: a deep sleep, 2026-03-03T02:00:00.000Z, 1m30.5s", "health 0.500 → 0.750", "reinforced 12 strengthened",
		"30.0 % of L1 a day; 5 to 10 % is usual", "20 = 14 kept + 3 merged + 2 archived + 1 left; 4 derived", "phase N1 1.50 s 2000 items",
		"skipped, took too long: 0198f0a0-0000-7000-8000-00000000000a", "tokens saved -4",
		"safety-critical memories whose time to live ended since the previous sleep: 0198f0a0-0000-7000-8000-00000000000b", "The budget is used up",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	if !asked.Deep || asked.DryRun || !asked.Wait || asked.MaxItems == nil || *asked.MaxItems != 5 || asked.MaxSeconds != nil {
		t.Errorf("asked for %+v", *asked)
	}
}

func TestSleepAsJSON(t *testing.T) {
	url, asked := sleeper(t, 0, oneNight)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"sleep", "--addr", url, "--json", "--light", "--dry-run", "--max-seconds", "9"}, environment{&out, &errs, nil})
	var report client.SleepReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || code != exitOK || report.Reinforced != 12 || report.Balance.Merged != 3 || len(report.SafetyEnded) != 1 || *report.HealthAfter != 0.75 {
		t.Errorf("code %d, %v: %s%s", code, err, out.String(), errs.String())
	}
	if asked.Deep || !asked.DryRun || asked.MaxItems != nil || *asked.MaxSeconds != 9 {
		t.Errorf("asked for %+v", *asked)
	}
}

// A dry run prints the planned steps by kind, a few of each.
func TestADryRunPrintsItsPlan(t *testing.T) {
	var steps []string
	for i := range 7 {
		steps = append(steps, fmt.Sprintf(`{"phase":"N2","verb":"ARCHIVE","from":["old%d"],"to":null,"reason":"it faded"}`, i))
	}
	steps = append(steps, `{"phase":"N3","verb":"MERGE","from":["x","y"],"to":"z","reason":"says the same"}`)
	url, _ := sleeper(t, 0, `{"data":{"sleep":{"report":{"id":"1","kind":"DEEP","dryRun":true,"complete":true,"budgetKept":true,"steps":[`+strings.Join(steps, ",")+`]}}}}`)
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"sleep", "--addr", url, "--dry-run"}, environment{&out, &errs, nil}); code != exitOK {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"What a sleep would do", "archive, it faded: old0 old1 old2 old3 old4 and 2 more", "merge, says the same: x y → z"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(text, "old5") {
		t.Error("more than a few of a kind are shown")
	}
}

func TestSleepErrors(t *testing.T) {
	url, _ := sleeper(t, 0, `{"data":{"sleep":null},"errors":[{"message":"a sleep is in progress","extensions":{"code":"SLEEP_RUNNING"}}]}`)
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"sleep", "--addr", url}, environment{&out, &errs, nil}); code != exitFailed || errs.String() != "somnograph: SLEEP_RUNNING: a sleep is in progress\n" {
		t.Errorf("code %d: %s", code, errs.String())
	}
	errs.Reset()
	if code := run(t.Context(), []string{"sleep", "now"}, environment{&out, &errs, nil}); code != exitUsage {
		t.Errorf("code %d: %s", code, errs.String())
	}
}

// Without a terminal each phase prints a line every few seconds at most.
func TestPhasesAreShown(t *testing.T) {
	var b bytes.Buffer
	p := &phases{w: &b}
	p.at(client.SleepProgress{}) // awake: nothing to show
	if p.bar != nil {
		t.Error("something is shown while awake")
	}
	p.at(client.SleepProgress{Phase: "N1", Done: 1, Total: 3})
	first := p.bar
	p.at(client.SleepProgress{Phase: "N1", Done: 2, Total: 3})
	if p.bar != first || first == nil || first.total != 3 {
		t.Error("a phase is shown twice")
	}
	p.at(client.SleepProgress{Phase: "REM", Total: 9})
	if p.bar == first || p.bar.what != "REM, consolidating and dreaming" {
		t.Errorf("REM is shown as %+v", p.bar)
	}
	p.end()
	if p.bar != nil {
		t.Error("the end is not the end")
	}
}

// The command starts a sleep on a running server and prints the report.
func TestAServerSleepsByCommand(t *testing.T) {
	s := start(t, t.TempDir())
	remember(t, s.client(), "The winch sticks again.")
	out, errs, code := output(t, "sleep", "--addr", s.url)
	if code != 0 || !strings.Contains(out, "Morning report: a deep sleep") || !strings.Contains(out, "1 = 1 kept + 0 merged") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
	var report client.SleepReport
	out, errs, code = output(t, "sleep", "--addr", s.url, "--light", "--json")
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || report.Kind != "LIGHT" || report.CompletedAt == "" || !report.Complete {
		t.Errorf("code %d, %v\n%s%s", code, err, out, errs)
	}
	if _, errs, code = output(t, "sleep", "--addr", s.url, "--max-items", "0"); code != exitFailed || !strings.Contains(errs, "INVALID_REQUEST: maxItems") {
		t.Errorf("code %d: %s", code, errs)
	}
	s.stop()
}
