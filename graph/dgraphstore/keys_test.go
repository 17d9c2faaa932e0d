package dgraphstore

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestTenantsShareNoKey(t *testing.T) {
	id := graph.ID("019ca8a0-5208-7038-9351-be7b34b4f571")
	for _, pair := range [][2]graph.Tenant{{"a", "a-1"}, {"a", "A"}, {"ab", "a"}, {"a_", "a-"}} {
		one, two := newKeyspace(pair[0]), newKeyspace(pair[1])
		mine := []string{one.nodeKey(id), one.commitKey(1), one.hashedKey("user", "ada"), one.noteKeyspace(graph.NoteSleep).nodeKey(id), one.expiryKey(start)}
		for _, key := range mine {
			if strings.HasPrefix(key, two.prefix) {
				t.Errorf("%s of %s begins like a key of %s", key, pair[0], pair[1])
			}
			// The range of the other tenant, as range scans and the feed use it.
			if key >= two.prefix && key <= two.prefix+"~" {
				t.Errorf("%s of %s lies between keys of %s", key, pair[0], pair[1])
			}
			if _, err := two.parseID(key); !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("%s reads as an id of %s: %v", key, pair[1], err)
			}
		}
	}
}

func TestHashedKeysDiffer(t *testing.T) {
	ks := newKeyspace("acme")
	words := [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}, {""}}
	seen := map[string][]string{}
	for _, w := range words {
		for _, what := range []string{"user", "session", "userab"} {
			n := ks.hashedKey(what, w...)
			if had, ok := seen[n]; ok {
				t.Errorf("%s %q has the key of %q", what, w, had)
			}
			seen[n] = append([]string{what}, w...)
			if len(n) != len("acme/")+32 {
				t.Errorf("%q has %d bytes", n, len(n))
			}
		}
	}
}

func TestKeysAscendWithNumbersAndInstants(t *testing.T) {
	ks := newKeyspace("acme")
	order := func(a, b int64) bool {
		at, bt := time.UnixMilli(a%(1<<50)), time.UnixMilli(b%(1<<50))
		return at.Before(bt) == (ks.expiryKey(at) < ks.expiryKey(bt))
	}
	if err := quick.Check(order, nil); err != nil {
		t.Error(err)
	}
	commits := func(a, b uint64) bool { return (a < b) == (ks.commitKey(a) < ks.commitKey(b)) }
	if err := quick.Check(commits, nil); err != nil {
		t.Error(err)
	}
	if !(ks.expiryKey(time.UnixMilli(-1)) < ks.expiryKey(time.UnixMilli(0))) {
		t.Error("an instant before 1970 does not come first")
	}
}

func TestIDPrefixCoversIDsOfInstant(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond, time.Hour, 40 * 365 * 24 * time.Hour} {
		id := memory(t, after).ID
		ms := idMillis(id)
		if want := start.Add(after).UnixMilli(); ms != want {
			t.Errorf("%s begins with %d, want %d", id, ms, want)
		}
		if !(idPrefix(ms) <= string(id) && string(id) <= idPrefix(ms)+"~" && string(id) > idPrefix(ms-1)+"~" && string(id) < idPrefix(ms+1)) {
			t.Errorf("%s is not in the key range of %d", id, ms)
		}
	}
	if idMillis("none") != 0 {
		t.Error("an invalid id has an instant")
	}
}

func TestKeyHashesDiffer(t *testing.T) {
	seen := map[keyHash][]string{}
	for _, w := range [][]string{{"memory", "a"}, {"memorya"}, {"memory", "a", ""}, {"hang", "a"}, {"note", "a"}, {"memory", "b"}} {
		m := keyHashOf(w[0], w[1:]...)
		if had, ok := seen[m]; ok {
			t.Errorf("%q and %q have the same hash", w, had)
		}
		seen[m] = w
	}
	text, list := encodeKeyHashes(map[keyHash]struct{}{1: {}, 1 << 63: {}, 77: {}})
	read, err := decodeKeyHashes("key", text)
	slices.Sort(list)
	slices.Sort(read)
	if err != nil || !slices.Equal(read, list) || len(read) != 3 {
		t.Errorf("read %v, %v; wrote %v", read, err, list)
	}
	for _, text := range []string{"!", "AAAA"} {
		if _, err := decodeKeyHashes("key", text); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%q decodes as key hashes: %v", text, err)
		}
	}
}
