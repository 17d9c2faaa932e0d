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
		"the statement that was made of both": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10."},
			func(t *testing.T, w *enginetest.World, _ []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: []graph.ID{byText(t, w, "My flight to Rome is at 10.")}}
			},
			[]string{"10"}, map[string]graph.Status{"My flight to Rome is at 9.": graph.Active},
		},
		"the middle of a chain": {
			[]string{"u: My flight to Rome is at 9.", "a: Noted.", "u: Sorry, I meant 10.", "a: Fine.", "u: Sorry, I meant 11."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[2:3]}
			},
			[]string{"10"}, map[string]graph.Status{"My flight to Rome is at 11.": graph.Active, "My flight to Rome is at 9.": graph.Superseded, "Sorry, I meant 11.": graph.Expired, "Noted.": graph.Expired, "Fine.": graph.Expired},
		},
		"both corrections": {
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10.", "u: Sorry, I meant 11."},
			func(_ *testing.T, _ *enginetest.World, ids []graph.ID) engine.ForgetInput {
				return engine.ForgetInput{IDs: ids[1:]}
			},
			[]string{"10", "11"}, map[string]graph.Status{"My flight to Rome is at 9.": graph.Active},
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
			[]string{"u: My flight to Rome is at 9.", "u: Sorry, I meant 10."},
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

// After the corrections of one statement are erased one by one, the fact is what the turns say that are left, and no search finds the others.
func TestAFactIsWhatTheTurnsSayThatAreLeft(t *testing.T) {
	for name, x := range map[string]struct {
		erased []int
		want   string // the time of the flight
	}{
		"none":                      {nil, "11"},
		"the last":                  {[]int{2}, "10"},
		"the middle":                {[]int{1}, "11"},
		"the middle, then the last": {[]int{1, 2}, "9"},
		"the last, then the middle": {[]int{2, 1}, "9"},
		"the first":                 {[]int{0}, ""},
	} {
		w := enginetest.New(t)
		ids := []graph.ID{turn(t, w, "user", "My flight is at 9."), turn(t, w, "user", "Sorry, I meant 10."), turn(t, w, "user", "Oops, 11.")}
		if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
			t.Fatal(err)
		}
		for _, i := range x.erased {
			if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: ids[i : i+1]}); err != nil {
				t.Fatal(err)
			}
		}
		facts, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "my flight", User: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range facts {
			got += f.State.Object
		}
		if got != x.want {
			t.Errorf("%s: the flight is at %q, want %q", name, got, x.want)
		}
		for _, h := range w.Search("When is my flight?", func(in *engine.SearchInput) { in.User = "ana" }).Hits {
			if h.Memory.Content != "My flight is at "+x.want+"." {
				t.Errorf("%s: a search finds %q", name, h.Memory.Content)
			}
		}
	}
}

// What ended since the correction does not hold again when the correction is erased.
func TestWhatEndedSinceACorrectionStaysEnded(t *testing.T) {
	w := enginetest.New(t)
	turn(t, w, "user", "My flight is at 9 and I live in Oslo.")
	second := turn(t, w, "user", "Sorry, I meant 10.")
	turn(t, w, "user", "I moved to Bergen.")
	if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
		t.Fatal(err)
	}
	where := func() (out []string) {
		facts, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "I", Predicate: "lives in", User: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			out = append(out, f.State.Object)
		}
		return out
	}
	before := where()
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{second}}); err != nil {
		t.Fatal(err)
	}
	if after := where(); !slices.Equal(before, []string{"Bergen"}) || !slices.Equal(after, before) {
		t.Errorf("the user lives in %q before and %q after", before, after)
	}
	if m := left(t, w); m["My flight is at 9 and I live in Oslo."] != graph.Active {
		t.Errorf("left: %v", m)
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
