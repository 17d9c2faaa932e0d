package dgraphstore

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOneServerOfManyMigrates(t *testing.T) {
	name := string(scope(t).Tenant) // a schema state of this test's own
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := open(t, Options{})
			s.schemaName = name
			if err := s.migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := open(t, Options{})
	s.schemaName = name
	state := must[schemaState](t)(s.schemaState(t.Context()))
	if state.Version != len(migrations) || state.Holder != noHolder {
		t.Errorf("the state of the schema is %+v", state)
	}
}

func TestSchemaLockOfSilentServerIsTakenOver(t *testing.T) {
	clock := start
	s := open(t, Options{Now: func() time.Time { return clock }})
	s.schemaName = string(scope(t).Tenant)
	if mine := must[bool](t)(s.lockSchema(t.Context(), schemaState{}, "one")); !mine {
		t.Fatal("a free lock was not acquired")
	}
	held := must[schemaState](t)(s.schemaState(t.Context()))
	if mine := must[bool](t)(s.lockSchema(t.Context(), held, "two")); mine {
		t.Fatal("a held lock was acquired")
	}
	clock = clock.Add(schemaLockTTL)
	if mine := must[bool](t)(s.lockSchema(t.Context(), held, "two")); !mine {
		t.Fatal("the lock of an unresponsive server was not taken over")
	}
	// The server that lost the lock must not report success.
	if err := s.migrateFrom(t.Context(), len(migrations), "one"); err == nil || !strings.Contains(err.Error(), "took over") {
		t.Errorf("the unresponsive server ends with %v", err)
	}
	if err := s.migrateFrom(t.Context(), len(migrations), "two"); err != nil {
		t.Error(err)
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	s := open(t, Options{})
	s.schemaName = string(scope(t).Tenant)
	if _, err := s.writeSchema(t.Context(), "", schemaState{Version: len(migrations) + 1, Holder: noHolder}); err != nil {
		t.Fatal(err)
	}
	if err := s.migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "too old") {
		t.Errorf("error is %v", err)
	}
}

// Every predicate that the code uses must be declared: otherwise Dgraph would create one
// without an index.
func TestEveryPredicateIsDeclared(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^([a-z]+\.[a-z_]+):`)
	var known []string
	for _, schema := range append(migrations, schemaOfLock) {
		for _, m := range declared.FindAllStringSubmatch(schema, -1) {
			if slices.Contains(known, m[1]) {
				t.Errorf("%s is declared twice", m[1])
			}
			known = append(known, m[1])
		}
	}
	for _, kind := range []*rowKind{memories, entities, relations, edges, requests, receipts, notes, settings} {
		for _, p := range []string{kind.key, kind.name + ".record"} {
			if !slices.Contains(known, p) {
				t.Errorf("%s is not declared", p)
			}
		}
	}
	s := open(t, Options{})
	var answer struct {
		Schema []struct{ Predicate string }
	}
	if err := s.newSnapshot().runQuery(t.Context(), `schema {}`, nil, &answer); err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.Schema {
		if !strings.HasPrefix(p.Predicate, "dgraph.") && !strings.HasPrefix(p.Predicate, "near.v") && !slices.Contains(known, p.Predicate) {
			t.Errorf("%s is in the cluster and in no migration", p.Predicate)
		}
	}
	if len(answer.Schema) < len(known) {
		t.Errorf("the cluster has %d predicates, %d are declared", len(answer.Schema), len(known))
	}
}
