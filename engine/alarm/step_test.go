package alarm

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// ids makes ids that count up.
func ids() func() graph.ID {
	n := 0
	return func() graph.ID { n++; return graph.ID(fmt.Sprint("alarm-", n)) }
}

// run feeds values of one indicator, a minute apart, and returns the events as text.
func run(s *State, indicator string, from time.Time, id func() graph.ID, values ...float64) string {
	var out []string
	for i, v := range values {
		for _, e := range s.Step([]Reading{{Indicator: indicator, Value: v}}, from.Add(time.Duration(i)*time.Minute), id) {
			out = append(out, fmt.Sprintf("%d:%s/%s", i, e.Change, e.Alarm.Severity))
		}
	}
	return strings.Join(out, " ")
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		name, indicator string
		values          []float64
		want            string
	}{
		{"healthy", Recall14, []float64{0.95, 0.90, 0.9}, ""},
		{"at once, worse, and the end", Recall14, []float64{0.95, 0.89, 0.84, 0.91}, "1:BEGAN/WARNING 2:CHANGED/CRITICAL 3:ENDED/CRITICAL"},
		{"a better band does not lower the severity", Recall14, []float64{0.84, 0.89, 0.88, 0.9}, "0:BEGAN/CRITICAL 3:ENDED/CRITICAL"},
		{"three bad ones, three good ones", ReadP95, []float64{150, 150, 90, 150, 150, 150, 90, 90, 150, 90, 90, 90}, "5:BEGAN/WARNING 11:ENDED/WARNING"},
		{"on the limit is healthy", ReadP95, []float64{120, 120, 120, 120}, ""},
		{"five minutes", EmbedLatency, []float64{50, 50, 50, 50, 50, 50, 30, 30, 30}, "5:BEGAN/WARNING 8:ENDED/WARNING"},
		{"a short spell is none", EmbedLatency, []float64{50, 50, 50, 50, 30, 50, 50, 50, 50, 50}, ""},
		{"a latched one stays", Consent, []float64{1, 0, 0, 0}, "0:BEGAN/CRITICAL"},
		{"a latched one without its action ends", BackupAge, []float64{400, 10}, "0:BEGAN/WARNING 1:ENDED/WARNING"},
		{"a latched one with its action stays", BackupAge, []float64{400, 700, 10}, "0:BEGAN/WARNING 1:CHANGED/CRITICAL"},
		{"one about the present eases", DiskFree, []float64{1.9, 0.4, 1.9, 1.8, 0.4, 2.1}, "0:BEGAN/WARNING 1:CHANGED/CRITICAL 2:CHANGED/WARNING 4:CHANGED/CRITICAL 5:ENDED/CRITICAL"},
		{"a higher count is told", Checksum, []float64{1, 1, 2, 0}, "0:BEGAN/CRITICAL 2:CHANGED/CRITICAL 3:ENDED/CRITICAL"},
		{"unknown", "mood", []float64{7}, ""},
	} {
		var s State
		if got := run(&s, c.indicator, start, ids(), c.values...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestActionIsTakenFromItsSeverityOn(t *testing.T) {
	var s State
	id := ids()
	run(&s, Drift, start, id, 0.97)
	if a := s.Active[0]; a.Severity != Warning || a.Action != None {
		t.Errorf("%+v", a)
	}
	run(&s, Drift, start, id, 0.94)
	if a := s.Active[0]; a.Severity != Critical || a.Action != RaiseQuorum || a.Value != 0.94 {
		t.Errorf("%+v", a)
	}
}

// The message of an alarm says what the server does meanwhile, as soon as it does it.
func TestMessageSaysWhatTheServerDoes(t *testing.T) {
	var s State
	run(&s, DiskFree, start, ids(), 1.5)
	if a := s.Active[0]; a.Action != None || strings.Contains(a.Message, "refused") {
		t.Errorf("a warning: %+v", a)
	}
	run(&s, DiskFree, start, ids(), 0.5)
	if a := s.Active[0]; a.Action != RefuseWrites || a.Message != "Free disk space compared with min-free-space is 0.5, below the limit of 1. Writes and erasures are refused while less than min-free-space is free; reads continue." {
		t.Errorf("critical: %+v", a)
	}
	run(&s, DiskFree, start, ids(), 1.9)
	if a := s.Active[0]; a.Severity != Warning || a.Action != None || a.Value != 1.9 || a.Message != "Free disk space compared with min-free-space is 1.9, below the limit of 2." {
		t.Errorf("eased: %+v", a)
	}
	s = State{}
	run(&s, ClockAhead, start, ids(), 90000)
	if got, want := s.Active[0].Message, "The clock's lead over the machine's is 25h0m0s, above the limit of 1h0m0s. Nothing expires or fades until the machine's clock has caught up."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, i := range Catalogue {
		if (i.Action == None) != (i.Action.Text() == "") {
			t.Errorf("%s: %q has the text %q", i.Name, i.Action, i.Action.Text())
		}
	}
}

// An alarm of an indicator without an action that latches ends only by hand, also after a restart.
func TestLatchedWithoutAnAction(t *testing.T) {
	var s State
	id := ids()
	run(&s, OlderData, start, id, 5, 0, 0)
	if len(s.Active) != 1 || !s.Active[0].ByHand() || s.Active[0].Message != "Copies of erased memories that older data brought back: 5. They are erased again." {
		t.Fatalf("%+v", s.Active)
	}
	s = Restore(s.Active)
	if run(&s, OlderData, start, id, 0); len(s.Active) != 1 {
		t.Error("it ended by itself")
	}
	if _, ended := s.Reset(s.Active[0].ID, "ada", start); !ended || len(s.Active) != 0 {
		t.Error("it was not ended by hand")
	}
}

// A reading that is bad without an alarm is told, with the reason why there is none.
func TestUnraised(t *testing.T) {
	for _, c := range []struct {
		indicator string
		values    []float64
		reset     bool
		want      string
	}{
		{ReadP95, []float64{90}, false, ""},
		{ReadP95, []float64{450, 450}, false, "CRITICAL Read latency, 95th percentile is 450 ms, above the limit of 200 ms. An alarm begins after 3 such readings in a row."},
		{ReadP95, []float64{450, 450, 450}, false, ""}, // the alarm says it
		{ReadP95, []float64{450, 450, 450}, true, "CRITICAL Read latency, 95th percentile is 450 ms, above the limit of 200 ms. Its alarm was ended by hand and begins again when it becomes worse."},
		{EmbedLatency, []float64{900}, false, "WARNING Latency of the embedder is 900 ms, above the limit of 40 ms. An alarm begins after 2 such readings over at least 5 minutes."},
	} {
		var s State
		id := ids()
		run(&s, c.indicator, start, id, c.values...)
		if c.reset {
			s.Reset(s.Active[0].ID, "ada", start.Add(time.Hour))
			run(&s, c.indicator, start.Add(time.Hour), id, c.values[0])
		}
		got, band := s.Unraised(Key{Indicator: c.indicator})
		if got = strings.TrimSpace(string(band) + " " + got); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.indicator, c.values, got, c.want)
		}
	}
}

func TestResetAcknowledges(t *testing.T) {
	var s State
	id := ids()
	run(&s, Consent, start, id, 2)
	e, ok := s.Reset(s.Active[0].ID, "ada", start.Add(time.Hour))
	if !ok || e.Change != Ended || e.Alarm.EndedBy != "ada" || e.Alarm.Active() || len(s.Active) != 0 {
		t.Fatalf("%+v %v", e, ok)
	}
	if got := run(&s, Consent, start.Add(time.Hour), id, 2, 2); got != "" {
		t.Errorf("the same two are told again: %s", got)
	}
	if got := run(&s, Consent, start.Add(time.Hour), id, 3); got != "0:BEGAN/CRITICAL" {
		t.Errorf("a third one: %q", got)
	}
	if _, ok := s.Reset("unknown", "ada", start); ok {
		t.Error("an unknown alarm was reset")
	}
	s.Reset(s.Active[0].ID, "ada", start)
	if got := run(&s, Consent, start.Add(2*time.Hour), id, 0, 1); got != "1:BEGAN/CRITICAL" {
		t.Errorf("after it was healthy: %q", got)
	}
}

// After a restart an alarm goes on with its id, and ends as if there had been none.
func TestRestore(t *testing.T) {
	var s State
	run(&s, Recall14, start, ids(), 0.8)
	again := Restore(s.Active)
	if got := run(&again, Recall14, start.Add(time.Hour), ids(), 0.8, 0.95); got != "1:ENDED/CRITICAL" {
		t.Error(got)
	}
}

func TestSubjectsAreApart(t *testing.T) {
	var s State
	id := ids()
	events := s.Step([]Reading{{Indicator: PartsAway, Subject: "STORE", Value: 2}, {Indicator: PartsAway, Subject: "EMBEDDER", Value: 1}}, start, id)
	if len(events) != 2 || events[0].Alarm.Severity != Critical || events[1].Alarm.Severity != Warning ||
		events[0].Alarm.Message != "STORE does not answer. Writes and most reads are refused; the core and timelines answer." ||
		events[1].Alarm.Message != "EMBEDDER does not answer. Searches find memories by their words; new memories get their vectors when it is back." {
		t.Fatalf("%+v", events)
	}
	events = s.Step([]Reading{{Indicator: PartsAway, Subject: "STORE"}}, start, id)
	if len(events) != 1 || events[0].Alarm.Subject != "STORE" || len(s.Active) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestPointsAreBounded(t *testing.T) {
	var s State
	for i := range MaxPoints + 5 {
		s.Step([]Reading{{Indicator: L0Fill, Value: float64(i) / 1e6}}, start.Add(time.Duration(i)*time.Minute), ids())
	}
	p := s.Points(L0Fill, "")
	if len(p) != MaxPoints || !p[0].At.Equal(start.Add(5*time.Minute)) {
		t.Errorf("%d points from %v", len(p), p[0].At)
	}
}

func TestDrop(t *testing.T) {
	day := 24 * time.Hour
	at := func(days int, v float64) Point { return Point{start.Add(time.Duration(days) * day), v} }
	for _, c := range []struct {
		points []Point
		want   float64
	}{
		{nil, 0},
		{[]Point{at(0, 0.9)}, 0},
		{[]Point{at(0, 0.9), at(1, 0.81)}, 0.1},
		{[]Point{at(0, 0.8), at(1, 0.9)}, 0},
		{[]Point{at(0, 1), at(9, 0.9), at(10, 0.9)}, 0}, // the best is older than a week
	} {
		now := start
		if n := len(c.points); n > 0 {
			now = c.points[n-1].At
		}
		if got := Drop(c.points, now, 7*day); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%v: %v, want %v", c.points, got, c.want)
		}
	}
}

func TestWorst(t *testing.T) {
	if _, ok := Worst(nil); ok {
		t.Error("no alarm decides a verdict")
	}
	a, _ := Worst([]Alarm{{ID: "a", Severity: Warning}, {ID: "b", Severity: Critical, Since: start.Add(1)}, {ID: "c", Severity: Critical, Since: start}})
	if a.ID != "c" {
		t.Error(a.ID)
	}
}

// Every indicator can be shown, and its critical limit is not better than the warning.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range Catalogue {
		worse := i.Critical >= i.Warning
		if i.HigherIsBetter {
			worse = i.Critical <= i.Warning
		}
		if seen[i.Name] || i.Title == "" || i.Advice == "" || i.Raise < 1 || i.End < 1 || !worse || (i.Action == None) != (i.At == Healthy) {
			t.Errorf("%+v", i)
		}
		seen[i.Name] = true
	}
}

// A backup that is late raises a warning, which ends by itself. What to do says where the reason is, and when writes halt.
func TestAdviceOnALateBackup(t *testing.T) {
	var s State
	run(&s, BackupAge, start, ids(), 400)
	if a := s.Active[0]; a.Severity != Warning || a.ByHand() {
		t.Errorf("%+v", a)
	}
	i, _ := Find(BackupAge)
	for _, want := range []string{"health", "log", "Above ten minutes writes halt, until"} {
		if !strings.Contains(i.Advice, want) {
			t.Errorf("no %q in %q", want, i.Advice)
		}
	}
	if i.Critical != 600 {
		t.Errorf("writes halt above %v s", i.Critical)
	}
}

// An alarm that began before its reason was known says it from then on, without another event.
func TestAnAlarmLearnsItsReason(t *testing.T) {
	var s State
	id := ids()
	s.Step([]Reading{{Indicator: BackupAge, Value: 700}}, start, id)
	if events := s.Step([]Reading{{Indicator: BackupAge, Value: 760, Detail: "the last try failed: no room"}}, start, id); len(events) > 0 {
		t.Errorf("events: %+v", events)
	}
	if a := s.Active[0]; a.Severity != Critical || a.Action != HaltWrites || !strings.Contains(a.Message, "the last try failed: no room") {
		t.Errorf("%+v", a)
	}
}

// An engram is in the journal of the data directory before the bucket has it, and a backup that is overdue is not the newest one.
func TestTextsOfTheRecessAndTheBackup(t *testing.T) {
	if got := Effect(PartsAway, "RECESS"); !strings.Contains(got, "wait in the data directory") {
		t.Errorf("%q", got)
	}
	if i, _ := Find(BackupAge); strings.Contains(i.Title, "newest") {
		t.Errorf("%q", i.Title)
	}
}
