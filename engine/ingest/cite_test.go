package ingest_test

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// cites makes a text what an assistant says in a session, after a turn.
func cites(turn graph.ID, session string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) {
		in.User, in.Session, in.SourceKind, in.Agent, in.Cites = "ana", session, graph.FromAssistant, "bot", turn
	}
}

func userTurn(t *testing.T, w *enginetest.World, session, user, role, text string) graph.ID {
	t.Helper()
	o, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: session, User: user, Role: role, Text: text, Consent: graph.ConsentImplicit})
	if err != nil {
		t.Fatal(err)
	}
	return o.Memory.ID
}

// An assistant that cites the turn of the user revises what the user said; without the citation it does
// not.
func TestACitedTurnSpeaksForTheUser(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "The standup is at 9:30.", by("ana", "s1")).Memory.ID
	if r := says(w, "The standup is at 10:15.", cites("", "s2")); len(r.Revised) != 0 {
		t.Fatalf("without a citation: revised %v", r.Revised)
	}
	turn := userTurn(t, w, "s3", "ana", "user", "Heads up, the standup is at 10:45 now.")
	r := w.Remember("The standup is at 10:45.", cites(turn, "s3"))
	if !slices.Contains(r.Revised, old) || view(w, old).Status() != graph.Superseded {
		t.Fatalf("revised %v", r.Revised)
	}
	m := view(w, r.Memory.ID)
	if m.SourceKind != graph.FromUser || m.Agent != "bot" || m.User != "ana" || m.Consent != graph.ConsentImplicit || m.Authority > view(w, turn).Authority {
		t.Errorf("%+v", m.Memory)
	}
	fixture.WantSound(t, "after a citation", w.Store)
}

func TestACitationIsChecked(t *testing.T) {
	w := enginetest.New(t)
	turn := userTurn(t, w, "s1", "ana", "user", "The standup is at 10:15 now.")
	question := userTurn(t, w, "s1", "ana", "user", "Is the standup at 11:30?")
	bots := userTurn(t, w, "s1", "ana", "assistant", "The standup is at 12:00.")
	bens := userTurn(t, w, "s1", "ben", "user", "The standup is at 12:15.")
	unknown := graph.ID("0197a000-0000-7000-8000-000000000000")
	for name, c := range map[string]struct {
		turn    graph.ID
		session string
		text    string
		code    graph.Code
		with    func(*engine.RememberInput)
	}{
		"another value":     {turn, "s1", "The standup is at 10:30.", graph.CodeInvalidRequest, nil},
		"a question":        {question, "s1", "The standup is at 11:30.", graph.CodeInvalidRequest, nil},
		"an assistant":      {bots, "s1", "The standup is at 12:00.", graph.CodeInvalidRequest, nil},
		"another user":      {bens, "s1", "The standup is at 12:15.", graph.CodeInvalidRequest, nil},
		"another session":   {turn, "s2", "The standup is at 10:15.", graph.CodeInvalidRequest, nil},
		"another namespace": {turn, "s1", "The standup is at 10:15.", graph.CodeInvalidRequest, func(in *engine.RememberInput) { in.Namespace = "other" }},
		"no id":             {"turn", "s1", "The standup is at 10:15.", graph.CodeInvalidRequest, nil},
		"unknown":           {unknown, "s1", "The standup is at 10:15.", graph.CodeMemoryNotFound, nil},
		"by the user":       {turn, "s1", "The standup is at 10:15.", graph.CodeInvalidRequest, func(in *engine.RememberInput) { in.SourceKind = graph.FromUser }},
	} {
		in := engine.RememberInput{Content: c.text, Consent: graph.ConsentExplicit}
		cites(c.turn, c.session)(&in)
		if c.with != nil {
			c.with(&in)
		}
		_, err := w.Engine.Remember(t.Context(), w.Caller, in)
		t.Run(name, func(t *testing.T) { fixture.WantError(t, err, c.code, "cites") })
	}
	if r := w.Remember("The standup is at 10:15.", cites(turn, "s1")); r.Memory.SourceKind != graph.FromUser {
		t.Errorf("%+v", r.Memory.Memory)
	}
}

// 250 statements each of an assistant and of a tool contradict what users said, in the words of the set
// of updates, with the highest authority. None revises anything.
func TestAssistantsAndToolsReviseNothing(t *testing.T) {
	rows := readRestatements(t, "restated.txt")
	full := 1.0
	tried := map[graph.SourceKind]int{}
	for _, k := range []graph.SourceKind{graph.FromAssistant, graph.FromTool} {
		w := enginetest.New(t)
		for i := 0; tried[k] < 250; i++ {
			row := rows[i%len(rows)]
			if row.label != '+' && row.label != 'x' {
				continue
			}
			// Each pair in a project of its own: none is compared with another.
			project := func(in *engine.RememberInput) {
				in.Project = string(k) + string(rune('a'+i%26)) + string(rune('a'+i/26))
			}
			old := w.Remember(row.earlier, by("ana", "s1"), project).Memory.ID
			r := w.Remember(row.later, by("ana", "s2"), project, func(in *engine.RememberInput) {
				in.SourceKind, in.Agent, in.Authority = k, "bot", &full
			})
			if len(r.Revised) != 0 || view(w, old).Status() != graph.Active {
				t.Errorf("%s: %q revised %q", k, row.later, row.earlier)
			}
			tried[k]++
		}
	}
}
