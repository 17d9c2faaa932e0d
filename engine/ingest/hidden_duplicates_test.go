package ingest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// Whether a write is refused as a duplicate, strengthens what is there or is stored does not depend on memories
// that its caller does not see, by whatever their credential lacks. What the caller sees is a duplicate as before.
func TestOnlyWhatTheCallerSeesIsADuplicate(t *testing.T) {
	const text = "Mara keeps the spare key under the blue pot."
	limited := func(change func(*engine.Caller)) engine.Caller {
		c := engine.Caller{Tenant: "default", Name: "limited", Grant: .9, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}, Credential: "k"}
		change(&c)
		return c
	}
	ana := func(c *engine.Caller) { c.User = "ana" }
	kinds := map[string]struct {
		caller engine.Caller
		hidden func(*engine.RememberInput)
		mine   func(*engine.RememberInput) // nil: as the hidden one
		twice  bool                        // the caller does not see what it writes itself
	}{
		"consent": {
			limited(func(c *engine.Caller) { c.Consents = []graph.Consent{graph.ConsentExplicit} }),
			func(in *engine.RememberInput) { in.Consent = graph.ConsentImplicit }, nil, true,
		},
		"consent of a user": {
			limited(func(c *engine.Caller) { c.User, c.Consents = "ana", []graph.Consent{graph.ConsentExplicit} }),
			func(in *engine.RememberInput) { in.User, in.Consent = "ana", graph.ConsentImplicit }, nil, true,
		},
		"sensitivity": {
			limited(func(c *engine.Caller) { c.Sensitivity = graph.Internal }),
			func(in *engine.RememberInput) { in.Sensitivity = graph.Restricted }, nil, true,
		},
		"namespace": {
			limited(func(c *engine.Caller) { c.Namespaces = []string{"team"} }),
			fixture.InNamespace("board"), fixture.InNamespace("team"), false,
		},
		"another user": {
			limited(ana), func(in *engine.RememberInput) { in.User = "ben" }, func(in *engine.RememberInput) {}, false,
		},
		"an agent": {
			limited(ana), func(in *engine.RememberInput) { in.User, in.Agent, in.Private = "ana", "crow", true }, func(in *engine.RememberInput) {}, false,
		},
		"another agent": {
			limited(func(c *engine.Caller) { c.User, c.Agent = "ana", "owl" }),
			func(in *engine.RememberInput) { in.User, in.Agent, in.Private = "ana", "crow", true }, func(in *engine.RememberInput) { in.Private = true }, false,
		},
		"an agent of nobody": {
			limited(func(c *engine.Caller) { c.Agent = "owl" }),
			func(in *engine.RememberInput) { in.Agent, in.Private = "crow", true }, func(in *engine.RememberInput) { in.Private = true }, false,
		},
	}
	for name, kind := range kinds {
		for _, source := range []graph.SourceKind{graph.FromUser, graph.FromAssistant} {
			if source == graph.FromAssistant && !kind.twice && name != "an agent" {
				continue
			}
			for _, ask := range []engine.OnDuplicate{engine.Reject, engine.Reinforce, engine.Insert} {
				run := func(hidden bool) (answers []string) {
					w := enginetest.New(t)
					input := func(change func(*engine.RememberInput)) engine.RememberInput {
						in := engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, Type: graph.Semantic, SourceKind: source, OnDuplicate: ask}
						change(&in)
						return in
					}
					var before *engine.View
					if hidden {
						before = w.Remember(text, kind.hidden, func(in *engine.RememberInput) { in.Type = graph.Semantic }).Memory
						w.Search(text, func(in *engine.SearchInput) { // an assistant that repeats it is an echo
							in.Track, in.Access.IncludeImplicit = true, true
						})
						before = fixture.MustView(w, before.ID)
					}
					mine := kind.mine
					if mine == nil {
						mine = kind.hidden
					}
					// One at a time, and as part of a call with the text twice.
					one, err := w.Engine.Remember(t.Context(), kind.caller, input(mine))
					if err != nil {
						one = &engine.RememberResult{}
						errors.As(err, &one.Error)
					}
					many, err := w.RememberMany(t.Context(), kind.caller, []engine.RememberInput{input(mine), input(mine)})
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range append([]engine.RememberResult{*one}, many...) {
						var id graph.ID
						var content string
						if r.Memory != nil {
							id, content = r.Memory.ID, r.Memory.Content
						}
						answers = append(answers, fmt.Sprint(content, "/", r.DuplicateOf != "", "/", len(r.ConflictsWith), len(r.Revised), "/", errorWithoutID(r.Error, one.Memory)))
						if before != nil && (id == before.ID || r.DuplicateOf == before.ID || r.Error != nil && strings.Contains(r.Error.Error(), string(before.ID))) {
							t.Errorf("%s, %s by %s: the answer names the hidden memory: %+v", name, ask, source, r)
						}
					}
					if before != nil {
						after := fixture.MustView(w, before.ID)
						if after.Usage.Count != before.Usage.Count || after.Salience != before.Salience || !after.AnchorAt.Equal(before.AnchorAt) {
							t.Errorf("%s, %s by %s: the hidden memory was strengthened", name, ask, source)
						}
					}
					return answers
				}
				with, without := run(true), run(false)
				if !slices.Equal(with, without) {
					t.Errorf("%s, %s by %s: with a hidden twin\n%s\nwithout\n%s", name, ask, source, strings.Join(with, "\n"), strings.Join(without, "\n"))
				}
				// The second time the caller sees a duplicate, if it sees what it writes.
				refused := strings.Contains(without[1], string(graph.CodeDuplicateMemory))
				if want := ask == engine.Reject && !kind.twice; refused != want {
					t.Errorf("%s, %s by %s: the second write is answered %s", name, ask, source, without[1])
				}
			}
		}
	}
}

// errorWithoutID is an error as text, with a word in place of the memory that the caller wrote.
func errorWithoutID(err *graph.Error, own *engine.View) string {
	switch {
	case err == nil:
		return ""
	case own == nil:
		return string(err.Code) + " " + err.Error()
	}
	return string(err.Code) + " " + strings.ReplaceAll(err.Error(), string(own.ID), "OWN")
}

// A key of a principal that sees less does not learn from a repeated call what another key of the same
// principal was told.
func TestRepeatedCallTellsNoDuplicateThatTheKeyDoesNotShow(t *testing.T) {
	w := enginetest.New(t)
	all := engine.Caller{Tenant: "default", Name: "ana", Grant: .9, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}, Credential: "k1"}
	some := all
	some.Credential, some.Sensitivity = "k2", graph.Internal
	in := engine.RememberInput{Content: "The ferry leaves at seven.", Consent: graph.ConsentExplicit, Sensitivity: graph.Restricted}
	first, err := w.Engine.Remember(t.Context(), all, in)
	if err != nil {
		t.Fatal(err)
	}
	in.IdempotencyKey = "k"
	if r, err := w.Engine.Remember(t.Context(), all, in); err != nil || r.DuplicateOf != first.Memory.ID {
		t.Fatalf("a duplicate that is seen: %+v, %v", r, err)
	}
	_, err = w.Engine.Remember(t.Context(), some, in)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
}
