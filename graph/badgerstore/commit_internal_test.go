package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// setting writes one in a transaction that waits to be committed.
func setting(t testing.TB, s *Store, name string, value []byte, read ...string) *waiting {
	t.Helper()
	w := s.begin(scope.Tenant)
	t.Cleanup(w.end)
	for _, r := range read {
		_, _, err := w.at(settingKey(w, r))
		must(t, err)
	}
	k := settingKey(w, name)
	must(t, w.set(k, seal(k, formWhole, value), 0))
	return &waiting{w: w, done: make(chan struct{})}
}

func settingKey(w *writer, s string) key {
	n := name(s)
	return w.ks.row(rowSetting, n[:])
}

func TestAGroupIsOneCommitWithoutItsLosers(t *testing.T) {
	s := openSmall(t, "")
	before := s.order.last.Commit
	group := []*waiting{
		setting(t, s, "a", []byte("1"), "a"),
		setting(t, s, "b", []byte("2"), "b"),
		setting(t, s, "a", []byte("3"), "a"), // loses against the first
		setting(t, s, "c", []byte("4"), "b"), // loses against the second
		setting(t, s, "b", []byte("5")),      // has read nothing: comes behind the second
	}
	s.commitGroup(group)
	var errs []error
	for _, g := range group {
		errs = append(errs, g.err)
	}
	if !slices.Equal(errs, []error{nil, nil, errConflict, errConflict, nil}) {
		t.Fatalf("answered %v", errs)
	}
	if n := s.order.last.Commit; n != before+1 {
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
	s.commitGroup([]*waiting{late})
	if late.err != nil {
		t.Errorf("a snapshot behind the commit loses: %v", late.err)
	}
}

func TestAGroupIsNoLargerThanACommit(t *testing.T) {
	s := openSmall(t, "")
	third := bytes.Repeat([]byte{1}, int(s.limit.bytes/3))
	waits := newOrder() // a queue that the committer does not look at
	for i := range 7 {
		waits.enqueue(setting(t, s, fmt.Sprint(i), third))
	}
	var sizes []int
	for group := waits.take(s.limit); len(group) > 0; group = waits.take(s.limit) {
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

func TestWhatIsWrittenIsForgottenWithTheLastUpdate(t *testing.T) {
	s := openSmall(t, "")
	putMemories(t, s, 100)
	open := s.begin(scope.Tenant)
	putMemories(t, s, 100)
	if len(s.order.writers) < 100 {
		t.Errorf("%d keys are remembered under an open update", len(s.order.writers))
	}
	open.end()
	putMemories(t, s, 1)
	// the last update was itself open while its commit was made
	if n, commits := len(s.order.writers), len(s.order.written); n > 4 || commits > 1 || len(s.order.updates) != 0 {
		t.Errorf("%d keys of %d commits are remembered without an open update", n, commits)
	}
	must(t, s.View(t.Context(), scope, func(graph.Reader) error {
		putMemories(t, s, 100)
		putMemories(t, s, 1)
		if n := len(s.order.writers); n > 4 {
			t.Errorf("a view keeps %d keys", n)
		}
		return nil
	}))
}
