package patterns_test

import (
	"os"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// openStore opens the empty store of a world.
var openStore = func(testing.TB) (graph.Store, error) {
	return badgerstore.Open("", badgerstore.Options{InMemory: true})
}

// TestMain lets the worlds of a process that TestOnDgraph started use its cluster, one after another.
func TestMain(m *testing.M) {
	if addr, clear := dgraphtest.Given(); addr != "" {
		openStore = func(t testing.TB) (graph.Store, error) {
			if err := clear(t.Context()); err != nil {
				return nil, err
			}
			return dgraphstore.Open(t.Context(), []string{addr}, dgraphstore.Options{})
		}
	}
	os.Exit(m.Run())
}

// decided are the tests of what a sleep decides and a reader sees, which does not depend on the store. Those of versions, erasure, rollback
// and decided conflicts run on Dgraph too.
const decided = "^Test(" +
	"SleepDrawsAPattern|YoungOrLooseClustersGiveNoPattern|WhatRecursMakesAPattern|MadeUpDaysMakeNoPattern|TrustIsTheLeast|" +
	"FeedbackGivesTheSuccessRate|PatternOutlivesItsSources|ContradictingPatternsAreKept|AnEndedPatternWaitsForNobody|" +
	"ResolvePatternRefuses|ProvenanceIsPROV|ExtractAndValidate|ListIsPaged|MembersOfSmallClustersAreNotArchived|SleepDrawsPatternsFromItsOwnClusters|" +
	"TheMoreConfidentPatternAnswers|SafetyCriticalPatternsWaitInAnswers)$"

func TestOnDgraph(t *testing.T) { dgraphtest.Again(t, decided) }
