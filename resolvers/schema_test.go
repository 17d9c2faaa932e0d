package resolvers_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// load parses one schema that may be spread over several files.
func load(t *testing.T, paths ...string) *ast.Schema {
	t.Helper()
	var sources []*ast.Source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: path, Input: string(text)})
	}
	s, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value is a default value as text, "none" if there is none.
func value(v *ast.Value) string {
	if v == nil {
		return "none"
	}
	return v.String()
}

// The schema contains the frozen contract with the same names, types and defaults.
// contract-2.graphqls has its second part as far as the server implements it. Additions must be
// optional for old clients: additional arguments and input fields have defaults or are nullable.
func TestSchemaContainsTheContract(t *testing.T) {
	frozen, ours := load(t, "testdata/contract.graphqls", "testdata/contract-2.graphqls"), load(t, "../schema.graphqls")
	for name, want := range frozen.Types {
		if want.BuiltIn {
			continue
		}
		got := ours.Types[name]
		if got == nil || got.Kind != want.Kind {
			t.Errorf("%s %s is gone", want.Kind, name)
			continue
		}
		for _, v := range want.EnumValues {
			if got.EnumValues.ForName(v.Name) == nil {
				t.Errorf("%s.%s is gone", name, v.Name)
			}
		}
		for _, f := range want.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			g := got.Fields.ForName(f.Name)
			if g == nil {
				t.Errorf("%s.%s is gone", name, f.Name)
				continue
			}
			if g.Type.String() != f.Type.String() || value(g.DefaultValue) != value(f.DefaultValue) {
				t.Errorf("%s.%s is %s = %s, want %s = %s", name, f.Name, g.Type, value(g.DefaultValue), f.Type, value(f.DefaultValue))
			}
			for _, a := range f.Arguments {
				b := g.Arguments.ForName(a.Name)
				if b == nil || b.Type.String() != a.Type.String() || value(b.DefaultValue) != value(a.DefaultValue) {
					t.Errorf("%s.%s(%s) is not what the contract says", name, f.Name, a.Name)
				}
			}
			for _, b := range g.Arguments {
				if f.Arguments.ForName(b.Name) == nil && b.Type.NonNull && b.DefaultValue == nil {
					t.Errorf("%s.%s(%s) is new and required", name, f.Name, b.Name)
				}
			}
		}
		if want.Kind == ast.InputObject {
			for _, g := range got.Fields {
				if want.Fields.ForName(g.Name) == nil && g.Type.NonNull && g.DefaultValue == nil {
					t.Errorf("%s.%s is new and required", name, g.Name)
				}
			}
		}
	}
}

func TestEverythingHasADescription(t *testing.T) {
	s := load(t, "../schema.graphqls")
	described := func(what, text string) {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s has no description", what)
		}
	}
	for name, d := range s.Types {
		if d.BuiltIn {
			continue
		}
		if d.Kind != ast.Object || name != "Subscription" {
			described(name, d.Description)
		}
		for _, v := range d.EnumValues {
			described(name+"."+v.Name, v.Description)
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			described(name+"."+f.Name, f.Description)
			for _, a := range f.Arguments {
				described(name+"."+f.Name+"("+a.Name+")", a.Description)
			}
		}
	}
}

// The enumerations of the engine and of the schema have the same values in the same order.
func TestEnumsMatchTheEngine(t *testing.T) {
	s := load(t, "../schema.graphqls")
	for name, want := range map[string][]string{
		"MemoryType":      texts(graph.Types),
		"Tier":            texts(graph.Tiers),
		"MemoryStatus":    texts(graph.Statuses),
		"Consent":         texts(graph.Consents),
		"DecayClass":      texts(graph.DecayClasses),
		"Priority":        texts(graph.Priorities),
		"SourceKind":      texts(graph.SourceKinds),
		"EntityType":      texts(graph.EntityTypes),
		"MemoryEventKind": texts(graph.EventKinds),
		"DeletionStatus":  texts([]graph.DeletionStatus{graph.DeletionPending, graph.DeletionComplete}),
		"Sensitivity":     texts(graph.Sensitivities),
		"SleepKind":       texts([]engine.SleepKind{engine.DeepSleep, engine.LightSleep, engine.ByHandSleep}),
		"SleepTrigger":    texts([]engine.SleepTrigger{engine.TriggerHand, engine.TriggerSchedule, engine.TriggerEvent, engine.TriggerPressure}),
		"SleepPhase":      texts([]engine.SleepPhase{engine.PhaseN1, engine.PhaseN2, engine.PhaseN3, engine.PhaseREM, engine.PhaseReport}),
		"PolicyPreset":    texts(policy.Presets),
		"RevisionMode":    texts(policy.Revisions),
		"DocumentStatus":  texts(engine.DocumentStatuses),
		"IngestPhase":     texts(engine.IngestPhases),
		"DeadLetterWork":  texts([]engine.Work{engine.WorkEmbed, engine.WorkEngrave}),
		"TaskStatus":      texts([]engine.TaskStatus{engine.TaskCandidate, engine.TaskConfirmed, engine.TaskDone, engine.TaskDismissed}),
		"StepVerb": texts([]engine.StepVerb{
			engine.StepStrengthen, engine.StepArchive, engine.StepMerge, engine.StepPromote, engine.StepEngrave, engine.StepDream,
			engine.StepDistil, engine.StepKeep, engine.StepSummarise, engine.StepPattern, engine.StepSparsify, engine.StepCluster,
		}),
		"ClusterChange":         texts(engine.ClusterChanges),
		"PatternKind":           texts(graph.PatternKinds),
		"PatternStatus":         texts([]engine.PatternStatus{engine.PatternCurrent, engine.PatternContested, engine.PatternSuperseded, engine.PatternEnded}),
		"TierPreference":        texts([]engine.TierPreference{engine.TiersAuto, engine.PatternsFirst, engine.MemoriesOnly, engine.ClustersOnly}),
		"HitTier":               texts([]engine.HitTier{engine.TierPattern, engine.TierCluster, engine.TierMemory}),
		"ConsolidationStrategy": texts([]engine.Strategy{engine.StrategyAge, engine.StrategyImportance, engine.StrategyTokenBudget}),
		"OnDuplicate":           texts([]engine.OnDuplicate{engine.Reinforce, engine.Reject, engine.Insert}),
		"SearchMode":            texts([]engine.SearchMode{engine.ModeAnswer, engine.ModeManager, engine.ModeBase}),
		"FeedbackOutcome":       texts(engine.FeedbackOutcomes),
		"EntityEventKind":       texts(engine.EntityEventKinds),
		"Effort":                texts([]engine.Effort{engine.EffortFast, engine.EffortBalanced, engine.EffortAccurate}),
		"Fusion":                texts([]engine.Fusion{engine.FusionWeighted, engine.FusionRRF}),
		"HitLabel":              texts([]engine.HitLabel{engine.Current, engine.Historical, engine.Contested, engine.Faded}),
		"Scope":                 texts(access.AllScopes),
		"MemoryStore":           texts([]engine.MemoryStore{engine.StoreBuffer, engine.StoreIndex, engine.StoreSchema, engine.StoreRecess}),
		"Part": texts([]engine.Part{
			engine.PartEmbedder, engine.PartVectors, engine.PartWords, engine.PartGraph, engine.PartRecess, engine.PartStore, engine.PartReranker, engine.PartChat,
		}),
		"ErrorCode": texts([]graph.Code{
			graph.CodeInvalidRequest, graph.CodeConsentRequired, graph.CodeUnauthenticated, graph.CodeForbidden, graph.CodeMemoryNotFound,
			graph.CodeDuplicateMemory, graph.CodeVersionConflict, graph.CodeSleepRunning, graph.CodeQuorumUnmet, graph.CodeRateLimited,
			graph.CodeLimitExceeded, graph.CodeIntegrityFailure, graph.CodeUnavailable, graph.CodeInternal,
		}),
	} {
		var got []string
		for _, v := range s.Types[name].EnumValues {
			got = append(got, v.Name)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is %v in the schema, %v in the engine", name, got, want)
		}
	}
}

func texts[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// The generated code is up to date: generating it again in a copy of the module gives the same
// files.
func TestGeneratedCodeIsUpToDate(t *testing.T) {
	dir := t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "schema.graphqls", "gqlgen.yml", "engine", "graph", "resolvers/internal/loader", "resolvers/internal/scalar"} {
		copySources(t, filepath.Join("..", part), filepath.Join(dir, part))
	}
	config, err := os.OpenFile(filepath.Join(dir, "gqlgen.yml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The code is only compared, so it need not be compiled.
	if _, err := config.WriteString("\nskip_validation: true\n"); err != nil {
		t.Fatal(err)
	}
	if err := config.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "gqlgen")
	cmd.Dir = dir
	// With -trimpath, packages are compiled only once for all copies.
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gqlgen: %v\n%s", err, out)
	}
	for _, name := range []string{"generated.go", "models_gen.go"} {
		want, err := os.ReadFile(filepath.Join(dir, "resolvers", "internal", "gql", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("internal", "gql", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("internal/gql/%s is not what schema.graphqls makes: run make generate", name)
		}
	}
}

// copySources copies a file, or the Go sources of a directory.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == "testdata":
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// advanceClock is in the schema only with a simulated clock.
func TestAdvanceClockOnlyWithASimulatedClock(t *testing.T) {
	const fields = `{ __type(name: "Mutation") { fields { name } } }`
	const advance = `mutation { advanceClock(seconds: 60) }`
	simulated := start(t)
	if a := simulated.must(fields, nil); !bytes.Contains(a.Body, []byte("advanceClock")) {
		t.Errorf("with a simulated clock the schema has no advanceClock: %s", a.Body)
	}
	if a := simulated.must(advance, nil); a.at(t, "advanceClock") != "2026-03-02T09:01:00.000Z" {
		t.Errorf("advanceClock answers %s", a.Body)
	}
	if a := simulated.ask(`mutation { advanceClock(seconds: -1) }`, nil); a.code() != "INVALID_REQUEST" || a.field() != "seconds" {
		t.Errorf("advanceClock by -1 answers %s", a.Body)
	}
	real := start(t, func(c *resolversConfig) { c.Advance = nil })
	if a := real.must(fields, nil); bytes.Contains(a.Body, []byte("advanceClock")) {
		t.Errorf("with a real clock the schema has advanceClock: %s", a.Body)
	}
	if a := real.ask(advance, nil); a.code() != "INVALID_REQUEST" || a.Data != nil {
		t.Errorf("with a real clock advanceClock answers %s", a.Body)
	}
}
