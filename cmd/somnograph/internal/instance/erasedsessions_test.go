package instance

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// eraseAndLook stops the instance, erases with a server process that is killed, and looks for traces: in the files while
// it runs, after it was killed, after another start, and in a copy from before.
func (l *erasedLife) eraseAndLook(in engine.ForgetInput) {
	t := l.t
	t.Helper()
	data, keys := filepath.Join(l.dir, "data"), filepath.Join(l.dir, "keys")
	l.lacks(t, data, "sealed and not erased,")
	rows := readable(t, data, keys)
	for _, w := range l.words {
		stored := slices.ContainsFunc(rows, func(x storedText) bool { return bytes.Contains(bytes.ToLower(x.payload), []byte(w)) })
		if question := strings.Contains(w, "query"); stored == question {
			t.Errorf("before the erasure the keys open a row with %s: %v", w, stored)
		}
	}
	shut(t, l.in)
	before := copyOf(t, data)
	if files, err := filepath.Glob(filepath.Join(before, "index", "*.vectors")); err != nil || len(files) == 0 {
		t.Errorf("the index has no files with vectors: %v, %v", files, err)
	}
	l.forgetAndKill(in, func() {
		l.lacks(t, data, "while the server runs")
		l.lacks(t, keys, "in the keys")
	})
	l.lacks(t, data, "after it was killed")
	l.lacks(t, keys, "in the keys")
	l.keyed(data, keys, "after it was killed")
	l.unengraved(data, keys, "after it was killed")
	l.unindexed(data, keys, "after it was killed")
	l.keyed(before, keys, "in a copy from before")
	l.unengraved(before, keys, "in a copy from before")
	l.unindexed(before, keys, "in a copy from before")
	for name, dir := range map[string]string{"after a start": data, "in a copy from before": before} {
		o := erasedOptions(l.dir, l.clock)
		o.Dir = dir
		in := open(t, o)
		l.unread(in, name)
		if v := read(t, in, l.kept); v.Content != "The ferry to Brodno leaves at noon." {
			t.Errorf("%s the memory of another user says %q", name, v.Content)
		}
		shut(t, in)
		l.lacks(t, dir, name+" and a stop")
		l.keyed(dir, keys, name+" and a stop")
	}
}

// talk holds conversations about somebody: some whose turns are in L0, one that ended, one that went on after its end.
func (l *erasedLife) talk(who string) {
	t, e, c := l.t, l.in.Engine, engine.Loopback()
	t.Helper()
	observe := func(session string, change func(*engine.Observation)) {
		l.clock.advance(time.Second)
		for _, role := range []string{"user", "assistant"} {
			n := len(l.words)
			o := engine.Observation{
				Session: session, User: erasedUser, Role: role, Consent: graph.ConsentExplicit, Project: l.word("project", n), IdempotencyKey: l.word("turnkey", n),
				Text: fmt.Sprintf("%s has a %s that broke.\nTODO: call the %s", who, l.word("turn", n), l.word("task", n)),
			}
			if role == "assistant" {
				o.ToolCalls = []graph.ToolCall{{Name: l.word("tool", n), Arguments: `{"q":"` + l.word("argument", n) + `"}`, Result: l.word("result", n)}}
			}
			change(&o)
			_, err := e.Observe(t.Context(), c, o)
			l.check(err)
		}
		_, err := e.Context(t.Context(), c, engine.ContextInput{Session: session, User: erasedUser, Query: "what about the " + l.word("contextquery", len(l.words))})
		l.check(err)
	}
	as := func(o *engine.Observation) { o.Agent = erasedAgent }
	ended, again := l.word("ended", 0), l.word("again", 0)
	for _, session := range []string{ended, again} {
		observe(session, as)
		_, err := e.CloseSession(t.Context(), c, session, "")
		l.check(err)
	}
	observe(again, as)
	observe(l.word("open", 0), as)
	observe(l.word("opentoo", 0), func(o *engine.Observation) { o.Consent = graph.ConsentImplicit })
	observe(l.word("private", 0), func(o *engine.Observation) { o.Agent, o.Private = erasedAgent, true })
	observe(l.word("elsewhere", 0), func(o *engine.Observation) { o.Namespace = "board" })
	l.remember(engine.RememberInput{Content: who + " holds the " + l.word("working", 0) + ".", Type: graph.Working, Session: l.word("noturns", 0), Entities: []string{who}})
	tasks, _, err := e.Tasks(t.Context(), c, engine.TaskInput{User: erasedUser})
	if err != nil || len(tasks) < 3 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	for i, end := range []func() (*engine.Task, error){
		func() (*engine.Task, error) { return e.ConfirmTask(t.Context(), c, tasks[0].Memory.ID) },
		func() (*engine.Task, error) { return e.CompleteTask(t.Context(), c, tasks[1].Memory.ID) },
		func() (*engine.Task, error) { return e.DismissTask(t.Context(), c, tasks[2].Memory.ID) },
	} {
		if _, err := end(); err != nil {
			t.Fatalf("task %d: %v", i, err)
		}
	}
}

// inL0 counts the turns that have not left L0.
func (l *erasedLife) inL0() (n int) {
	l.t.Helper()
	l.check(l.in.Store.View(l.t.Context(), mainScope, func(r graph.Reader) error {
		n = 0
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if m.Status() == graph.Active && m.State().Tier == graph.L0 {
				n++
			}
		}
		return nil
	}))
	return n
}

// Sessions are erased with their turns, those that are in L0 and those that left it, and with their names, tasks and
// calls of tools: by user, by id and by a name that every turn says.
func TestSessionsAreErased(t *testing.T) {
	const who = "Zoraquoxa"
	for name, in := range map[string]func(*erasedLife) engine.ForgetInput{
		"user": func(*erasedLife) engine.ForgetInput { return engine.ForgetInput{User: erasedUser} },
		"ids":  func(l *erasedLife) engine.ForgetInput { return engine.ForgetInput{IDs: l.ids} },
		"name": func(l *erasedLife) engine.ForgetInput { return engine.ForgetInput{Entity: who} },
	} {
		t.Run(name, func(t *testing.T) {
			l := newErasedLife(t)
			if name != "user" {
				l.words = nil // the name of an owner is not what is erased
			}
			l.keepOther()
			l.talk(who)
			l.words = append(l.words, strings.ToLower(who))
			l.note()
			shut(t, l.in)
			l.in = open(t, erasedOptions(l.dir, l.clock))
			if n := l.inL0(); n != 10 {
				t.Fatalf("%d turns are in L0 before the erasure, want 10", n)
			}
			l.eraseAndLook(in(l))
		})
	}
}
