package ledger_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

// The ledger knows of whom everything was erased, where and until when, also after it was opened again and for exports of its store. It has no names.
func TestErasedOwners(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	l := open(t, root, data)
	if l.ErasedOwners(main) != nil {
		t.Error("an empty ledger knows erased owners")
	}
	other := open(t, root, t.TempDir())
	must(t, l.EraseOwner(main, "wilhelmina", nil, at))
	must(t, l.EraseOwner(main, "wilhelmina", nil, at.Add(-time.Hour))) // nothing is taken back
	must(t, l.EraseOwner(main, "ben", []string{"trips", "kites"}, at))
	must(t, l.EraseOwner(main, graph.PrivateOwner("cleo", ""), nil, at))
	must(t, l.EraseOwner(main, graph.PrivateOwner("cleo", "pia"), []string{"kites"}, at))
	must(t, l.EraseOwner(side, "", []string{"trips"}, at))
	must(t, l.EraseOwner(side, "", []string{"trips"}, at.Add(time.Hour)))
	shut(t, l)
	l = open(t, root, data)
	from, err := other.ErasedOwnersFrom(l.Store(), "main")
	must(t, err)
	if unnamed, err := other.ErasedOwnersFrom("", "main"); err != nil || unnamed != nil {
		t.Errorf("an export of an unknown store is tested against the records of all: %v", err)
	}
	for _, x := range []struct {
		user, namespace string
		at              time.Time
		inMain, inSide  bool
	}{
		{"wilhelmina", "default", at, true, false},
		{"wilhelmina", "trips", at.Add(-time.Hour), true, true},
		{"wilhelmina", "default", at.Add(time.Millisecond), false, false},
		{"ben", "trips", at, true, true},
		{"ben", "default", at, false, false},
		{graph.PrivateOwner("ben", "pia"), "trips", at, true, true},
		{"cleo", "default", at, true, false},
		{graph.PrivateOwner("cleo", "pia"), "default", at, false, false},
		{graph.PrivateOwner("cleo", "pia"), "kites", at, true, false},
		{graph.PrivateOwner("cleo", "rob"), "kites", at, false, false},
		{"", "default", at, false, false},
		{"", "trips", at.Add(time.Hour), false, true},
	} {
		for where, test := range map[string]ledger.OwnerTest{"reopened": l.ErasedOwners(main), "an export": from} {
			if got := test(x.user, x.namespace, x.at); got != x.inMain {
				t.Errorf("%s: %+v: %v", where, x, got)
			}
		}
		if got := l.ErasedOwners(side)(x.user, x.namespace, x.at); got != x.inSide {
			t.Errorf("of another tenant: %+v: %v", x, got)
		}
	}
	if elsewhere, err := other.ErasedOwnersFrom(other.Store(), "main"); err != nil || elsewhere != nil {
		t.Errorf("an export of another store is tested against this ledger: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(root, l.Store(), "revoked.log"))
	must(t, err)
	for _, name := range []string{"wilhelmina", "ben", "cleo", "pia", "kites"} {
		if bytes.Contains(text, []byte(name)) {
			t.Errorf("the record names %s", name)
		}
	}
	if n := bytes.Count(text, []byte(`"OWNER"`)); n != 7 {
		t.Errorf("%d lines of owners, want 7", n)
	}
	if len(l.Revoked()) > 0 {
		t.Error("owners count as API keys")
	}
}
