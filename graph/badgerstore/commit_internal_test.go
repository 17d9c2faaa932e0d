package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// setting writes a setting in a transaction that waits to be committed.
func setting(t testing.TB, s *Store, name string, value []byte, read ...string) *waitingTx {
	t.Helper()
	w := s.beginWriter(scope.Tenant)
	t.Cleanup(w.release)
	for _, r := range read {
		_, _, err := w.findRow(settingKey(w, r))
		must(t, err)
	}
	k := settingKey(w, name)
	w.setValue(k, seal(k, formWhole, value), 0)
	return &waitingTx{writes: w, done: make(chan struct{})}
}

func settingKey(w *txWriter, s string) key {
	n := nameHash(s)
	return w.ks.rowKey(rowSetting, n[:])
}

func TestGroupIsOneCommitWithoutItsConflicts(t *testing.T) {
	s := openSmall(t, "")
	before := s.order.lastCommit.Commit
	group := []*waitingTx{
		setting(t, s, "a", []byte("1"), "a"),
		setting(t, s, "b", []byte("2"), "b"),
		setting(t, s, "a", []byte("3"), "a"), // conflicts with the first
		setting(t, s, "c", []byte("4"), "b"), // conflicts with the second
		setting(t, s, "b", []byte("5")),      // has read nothing: replaces the value of the second
	}
	s.commitGroup(group)
	var errs []error
	for _, g := range group {
		errs = append(errs, g.err)
	}
	if !slices.Equal(errs, []error{nil, nil, errConflict, errConflict, nil}) {
		t.Fatalf("answered %v", errs)
	}
	if n := s.order.lastCommit.Commit; n != before+1 {
		t.Errorf("%d commits", n-before)
	}
	must(t, s.View(t.Context(), scope, func(r graph.Reader) error {
		for name, want := range map[string]string{"a": "1", "b": "5"} {
			if v, err := r.Setting(name); err != nil || string(v) != want {
				return fmt.Errorf("%s is %q, %w", name, v, err)
			}
		}
		if _, err := r.Setting("c"); !errors.Is(err, graph.ErrNotFound) {
			return fmt.Errorf("a loser was written: %w", err)
		}
		return nil
	}))
	late := setting(t, s, "d", []byte("6"), "a")
	s.commitGroup([]*waitingTx{late})
	if late.err != nil {
		t.Errorf("a snapshot after the commit loses: %v", late.err)
	}
}

func TestGroupFitsIntoOneCommit(t *testing.T) {
	s := openSmall(t, "")
	third := bytes.Repeat([]byte{1}, int(s.maxTx.bytes/3))
	waits := newCommitOrder() // a queue without a committer
	for i := range 7 {
		waits.enqueue(setting(t, s, fmt.Sprint(i), third))
	}
	var sizes []int
	for group := waits.dequeue(s.maxTx); len(group) > 0; group = waits.dequeue(s.maxTx) {
		s.commitGroup(group)
		for _, g := range group {
			must(t, g.err)
		}
		sizes = append(sizes, len(group))
	}
	if !slices.Equal(sizes, []int{2, 2, 2, 1}) {
		t.Errorf("groups of %v", sizes)
	}
}

func TestWrittenKeysAreDroppedWithTheLastUpdate(t *testing.T) {
	s := openSmall(t, "")
	putMemories(t, s, 100)
	open := s.beginWriter(scope.Tenant)
	putMemories(t, s, 100)
	if len(s.order.lastWriters) < 100 {
		t.Errorf("%d keys are kept for an open update", len(s.order.lastWriters))
	}
	open.release()
	putMemories(t, s, 1)
	// the last update was open while its commit was made
	if n, commits := len(s.order.lastWriters), len(s.order.writtenKeys); n > 4 || commits > 1 || len(s.order.updateSnapshots) != 0 {
		t.Errorf("%d keys of %d commits are kept without an open update", n, commits)
	}
	must(t, s.View(t.Context(), scope, func(graph.Reader) error {
		putMemories(t, s, 100)
		putMemories(t, s, 1)
		if n := len(s.order.lastWriters); n > 4 {
			t.Errorf("a view keeps %d keys", n)
		}
		return nil
	}))
}
