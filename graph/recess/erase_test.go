package recess

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// sealedText is a text as it was stored before an erasure: a backup may still have such a
// copy.
type sealedText struct {
	sealed, ad []byte
}

// copies returns every sealed text with data of the ids.
func copies(t *testing.T, r *Recess, ids map[graph.ID]bool) (list []sealedText) {
	t.Helper()
	x := r.tenants["kiwi"]
	for _, f := range x.manifest.sortedFiles() {
		for i := 0; i < f.rowCount(); {
			rows := f.segmentRows(uint32(i))
			for _, e := range rows {
				if !ids[graph.IDFromBytes(e.id)] {
					continue
				}
				must(t, x.withFile(ctx, f, func(o *openedFile) error {
					head, err := o.readCell(int64(i), columnHead)
					must(t, err)
					body, err := o.readCell(int64(i), columnBody)
					must(t, err)
					list = append(list, sealedText{head, segmentAD("kiwi", "head", rows)}, sealedText{body, segmentAD("kiwi", "body", rows)})
					return nil
				}))
				break
			}
			i += len(rows)
		}
	}
	for _, layer := range x.journalLayers {
		for id, p := range layer {
			for ; p != nil && ids[graph.IDFromBytes(id)]; p = p.older {
				f, err := p.journal.read(p.at, p.size)
				must(t, err)
				list = append(list, sealedText{bytes.Clone(f.payload), journalAD("kiwi", f.id, f.seq)})
			}
		}
	}
	return list
}

// opens counts the texts that one of the keys opens.
func opens(keys []*dataKey, list []sealedText) (n int) {
	for _, c := range list {
		for _, k := range keys {
			if _, err := unseal(k.aead, c.sealed, c.ad); err == nil {
				n++
				break
			}
		}
	}
	return n
}

func ring(r *Recess) (keys []*dataKey) {
	for _, k := range r.tenants["kiwi"].keys.byID {
		keys = append(keys, k)
	}
	return keys
}

func TestErasureLeavesNothing(t *testing.T) {
	disk, list := furnished(t)
	r := begin(t, disk, &alarms{})
	// Withdrawn twice in the journal, and engraved again: every copy must be destroyed.
	again := list[len(list)-1]
	must(t, r.Withdraw(ctx, kiwi, again.Memory.ID))
	must(t, r.Append(ctx, kiwi, again))
	ids := map[graph.ID]bool{again.Memory.ID: true}
	var names []graph.ID
	for i, e := range list {
		if i%9 == 0 || e.Memory.Subject == "subject 2" || i == len(list)-1 {
			ids[e.Memory.ID] = true
			names = append(names, e.Memory.ID)
		}
	}
	old := copies(t, r, ids)
	if n := opens(ring(r), old); n != len(old) || n == 0 {
		t.Fatalf("before, %d of %d copies open", n, len(old))
	}
	secrets := map[keyID][keySize]byte{}
	for _, k := range ring(r) {
		secrets[k.id] = k.key
	}
	done, err := r.Erase(ctx, kiwi, names...)
	must(t, err)
	if done.Engrams != len(names) || done.Keys == 0 || done.Files == 0 {
		t.Errorf("erased %+v of %d", done, len(names))
	}
	if n := opens(ring(r), old); n > 0 {
		t.Errorf("%d of %d old copies still open", n, len(old))
	}
	for _, k := range ring(r) {
		delete(secrets, k.id)
	}
	if len(secrets) < done.Keys {
		t.Errorf("%d keys are gone, not %d", len(secrets), done.Keys)
	}
	check := func(r *Recess, when string) {
		t.Helper()
		for _, e := range list {
			if !ids[e.Memory.ID] {
				same(t, r, kiwi, e)
				continue
			}
			if _, err := r.Read(ctx, kiwi, e.Memory.ID); !errors.Is(err, graph.ErrNotFound) {
				t.Errorf("%s: %s: %v", when, e.Memory.ID, err)
			}
			if err := r.Append(ctx, kiwi, e); graph.CodeOf(err) != graph.CodeInvalidRequest {
				t.Errorf("%s: engraved again: %v", when, err)
			}
		}
		found, err := r.Search(ctx, kiwi, Query{Model: "test", Vector: list[0].Vector, K: 200})
		must(t, err)
		for _, h := range found.Hits {
			if ids[h.ID] {
				t.Errorf("%s: %s is found", when, h.ID)
			}
		}
		// New Bloom filters: the files do not even reveal that the ids existed.
		x := r.tenants["kiwi"]
		for _, f := range x.manifest.sortedFiles() {
			for i := range f.rowCount() {
				if ids[graph.IDFromBytes(f.engravingAt(i).id)] {
					t.Errorf("%s: a file lists %x", when, f.engravingAt(i).id)
				}
			}
		}
	}
	check(r, "at once")
	root := bytes.Clone(r.tenants["kiwi"].rawKey)
	must(t, r.Close())
	// No destroyed key is stored anywhere, in the clear or wrapped; no word is stored in the
	// clear, and no sealed text from before.
	rootKey, err := newAEAD(root)
	must(t, err)
	for name, data := range disk.files() {
		for id, key := range secrets {
			if bytes.Contains(data, key[:]) {
				t.Errorf("%s holds key %x", name, id)
			}
		}
		for _, e := range list {
			if bytes.Contains(data, []byte(e.Memory.Content)) || e.Memory.Subject != "" && bytes.Contains(data, []byte(e.Memory.Subject)) {
				t.Errorf("%s holds unencrypted content", name)
			}
		}
		if strings.Contains(name, "/keys.") {
			l := &ledger{disk: disk, label: "kiwi/keys", aead: rootKey}
			c, err := l.loadCopy(name)
			must(t, err)
			for _, row := range c.frames {
				for id := range secrets {
					if bytes.Contains(row, id[:]) {
						t.Errorf("%s holds key %x wrapped", name, id)
					}
				}
			}
			if len(c.frames) == 0 || !c.clean {
				t.Errorf("%s can't be read", name)
			}
		}
	}
	r = begin(t, disk, &alarms{})
	check(r, "opened again")
	must(t, r.Close())
}

// If the storage does not answer, keys that seal nothing else are destroyed at once, and the
// rest is done later.
func TestErasureWithoutStorage(t *testing.T) {
	disk, list := furnished(t)
	store, err := newLocal(disk, "recess/files")
	must(t, err)
	blob := &faultyBlob{Blob: store}
	o := options(disk, &alarms{})
	o.Blob = blob
	r, err := Open(o)
	must(t, err)
	subject, alone := list[10].Memory, list[len(list)-20].Memory
	for _, e := range list {
		if e.Memory.Subject == "" {
			alone = e.Memory
		}
	}
	old := copies(t, r, map[graph.ID]bool{alone.ID: true})
	blob.set(errors.New("the bucket is away"))
	if _, err := r.Erase(ctx, kiwi, subject.ID, alone.ID); !errors.Is(err, graph.ErrUnavailable) {
		t.Fatalf("erase: %v", err)
	}
	if n := opens(ring(r), old); n > 0 {
		t.Errorf("%d copies open", n)
	}
	for _, id := range []graph.ID{subject.ID, alone.ID} {
		if _, err := r.Read(ctx, kiwi, id); !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("read: %v", err)
		}
	}
	if s, err := r.Stats(ctx, kiwi); err != nil || !s.Erasing {
		t.Errorf("%+v %v", s, err)
	}
	must(t, r.Close())
	r, err = Open(o) // still unavailable
	must(t, err)
	if _, err := r.Seal(ctx, kiwi); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("seal: %v", err)
	}
	blob.set(nil)
	_, err = r.Seal(ctx, kiwi)
	must(t, err)
	if s, err := r.Stats(ctx, kiwi); err != nil || s.Erasing {
		t.Errorf("%+v %v", s, err)
	}
	for _, e := range list {
		if e.Memory.ID != subject.ID && e.Memory.ID != alone.ID {
			same(t, r, kiwi, e)
		}
	}
	must(t, r.Close())
}
