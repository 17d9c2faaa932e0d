package erasure_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// turn is a turn of ana's in the session "s".
func turn(t *testing.T, w *enginetest.World, role, text string) graph.ID {
	t.Helper()
	o, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: role, Text: text, Consent: graph.ConsentExplicit, User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	return o.Memory.ID
}

// left returns the texts of the memories that are not erased, and their statuses.
func left(t *testing.T, w *enginetest.World) map[string]graph.Status {
	t.Helper()
	out := map[string]graph.Status{}
	for _, status := range []graph.Status{graph.Active, graph.Expired, graph.Superseded, graph.Consolidated} {
		all, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{status}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all.Memories {
			out[v.Content] = status
		}
	}
	return out
}

// What a later turn takes from an earlier one is erased with either of them. If only the correction goes, what it corrected holds again.
func TestWhatWasTakenFromAnErasedTurnIsErased(t *testing.T) {
	for name, x := range map[string]struct {
		turns  []string
		forget func(t *testing.T, w *enginetest.World, ids []graph.ID) engine.ForgetInput
		gone   []string // words that no memory has
		want   map[string]graph.Status
	}{
		"the question": {
			[]string{"a: Do you live in Ulm?", "u: yes"},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[:1]}
			},
			[]string{"Ulm"}, map[string]graph.Status{"yes": graph.Expired},
		},
		"the answer": {
			[]string{"a: Do you live in Ulm?", "u: yes"},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[1:]}
			},
			[]string{"yes"}, map[string]graph.Status{"Do you live in Ulm?": graph.Active},
		},
		"the statement of the answer": {
			[]string{"a: Where do you live?", "u: Ulm"},
			func(t *testing.T, w *enginetest.World, _ []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: []graph.ID{byText(t, w, "I live in Ulm.")}}
			},
			[]string{"Ulm"}, map[string]graph.Status{"Where do you live?": graph.Active},
		},
		"what was corrected": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[:1]}
			},
			[]string{"Rome"}, map[string]graph.Status{"Sorry, I meant 10.": graph.Expired},
		},
		"the correction": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[1:]}
			},
			[]string{"10"}, map[string]graph.Status{"My flight to Rome is at 9.": graph.Active},
		},
		"the first of a chain": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10.", "u: Sorry, I meant 11."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[:1]}
			},
			[]string{"Rome"}, map[string]graph.Status{"Sorry, I meant 10.": graph.Expired, "Sorry, I meant 11.": graph.Expired},
		},
		"the last of a chain": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10.", "u: Sorry, I meant 11."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[2:]}
			},
			[]string{"11"}, map[string]graph.Status{"My flight to Rome is at 10.": graph.Active, "My flight to Rome is at 9.": graph.Superseded, "Sorry, I meant 10.": graph.Expired},
		},
		"the user": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10.", "a: Where do you live?", "u: Ulm"},
			func(_ *testing.T, _ *enginetest.World, _ []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{User: "ana"}
			},
			nil, map[string]graph.Status{},
		},
		"an entity": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10."},
			func(_ *testing.T, _ *enginetest.World, _ []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{Entity: "Rome"}
			},
			[]string{"Rome"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			var ids []graph.ID
			for _, said := range x.turns {
				role := "user"
				who, text, _ := strings.Cut(said, ": ")
				if who == "a" {
					role = "assistant"
				}
				ids = append(ids, turn(t, w, role, text))
			}
			if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
				t.Fatal(err)
			}
			in := x.forget(t, w, ids)
			in.DryRun = true
			forecast, err := w.Forget(t.Context(), w.Caller, in)
			if err != nil {
				t.Fatal(err)
			}
			in.DryRun = false
			r, err := w.Forget(t.Context(), w.Caller, in)
			if err != nil || r.Status != graph.DeletionComplete {
				t.Fatalf("%+v, %v", r, err)
			}
			erased := verify(t, w, r)
			if !slices.Equal(erased, forecast.Forecast.IDs) {
				t.Errorf("erased %v, forecast %v", erased, forecast.Forecast.IDs)
			}
			rest := left(t, w)
			for text := range rest {
				for _, word := range x.gone {
					if strings.Contains(text, word) {
						t.Errorf("%q is left", text)
					}
				}
			}
			for text, status := range x.want {
				if rest[text] != status {
					t.Errorf("%q is %q, want %q", text, rest[text], status)
				}
			}
			if x.want != nil && len(rest) != len(x.want) {
				t.Errorf("left: %v, want %v", rest, x.want)
			}
		})
	}
}

// byText returns the memory with a text.
func byText(t *testing.T, w *enginetest.World, text string) graph.ID {
	t.Helper()
	all, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all.Memories {
		if v.Content == text {
			return v.ID
		}
	}
	t.Fatalf("no memory %q", text)
	return ""
}
