package library_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// ingest stores a document of user ana.
func ingest(t testing.TB, w *enginetest.World, path, text string, with ...func(*engine.IngestInput)) *engine.IngestResult {
	t.Helper()
	in := engine.IngestInput{Content: []byte(text), Path: path, Consent: graph.ConsentExplicit, User: "ana"}
	for _, f := range with {
		f(&in)
	}
	r, err := w.Ingest(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chunks reads the chunks of a document in order.
func chunks(t testing.TB, w *enginetest.World, d *engine.Document) []*engine.View {
	t.Helper()
	found, err := w.DocumentsByID(t.Context(), w.Caller, []graph.ID{d.ID})
	if err != nil || found[0] == nil {
		t.Fatalf("the document is %v, %v", found, err)
	}
	views, err := w.DocumentChunks(t.Context(), w.Caller, found[0], 0, 1000, engine.Access{IncludeImplicit: true})
	if err != nil {
		t.Fatal(err)
	}
	return views
}

// stored reads a memory from the store.
func stored(t testing.TB, w *enginetest.World, id graph.ID) *graph.Memory {
	t.Helper()
	v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{IncludeImplicit: true})
	if err != nil {
		t.Fatal(err)
	}
	return v.Memory
}

// active counts the ACTIVE memories of the tenant.
func active(t testing.TB, w *enginetest.World) int {
	t.Helper()
	n := 0
	for after := graph.ID(""); ; {
		page, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}, First: 1000, After: after, Access: engine.Access{IncludeImplicit: true}})
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Memories)
		if !page.More {
			return n
		}
		after = page.Memories[len(page.Memories)-1].ID
	}
}

// section is a chunk of Markdown under a heading.
func section(heading, text string) string { return "## " + heading + "\n\n" + text + "\n\n" }

var guide = "# Kite guide\n\n" + section("Launch", "The Heron launches in winds up to fifteen metres per second.") +
	section("Landing", "Fold the tail before the Heron touches the ground.") + section("Storage", "Keep the sail in the dry loft above the workshop.")

func TestIngestStoresChunksWithTheirPlace(t *testing.T) {
	w := enginetest.New(t)
	r := ingest(t, w, "docs/kite.md", guide, func(in *engine.IngestInput) { in.Project, in.Namespace = "heron", "work" })
	d := r.Document
	if r.Unchanged || r.Written != d.Chunks || d.Version != 1 || d.Status != "CURRENT" || d.MediaType != "text/markdown" || len(d.ContentHash) != 64 || d.Namespace != "work" {
		t.Fatalf("%+v of %+v", r, d)
	}
	all := chunks(t, w, d)
	if len(all) != d.Chunks {
		t.Fatalf("%d chunks, want %d", len(all), d.Chunks)
	}
	for i, v := range all {
		m := v.Memory
		if m.Type != graph.Document || m.SourceKind != graph.FromDocument || m.User != "ana" || m.Project != "heron" || m.Namespace != "work" || m.Authority >= 0.8 {
			t.Errorf("chunk %d is %+v", i, m)
		}
		if c := m.Chunk; c == nil || c.Index != i || c.Path != "docs/kite.md" || c.Document != d.ID || len(c.Hash) != 64 {
			t.Errorf("chunk %d has the place %+v", i, c)
		}
	}
	i := slices.IndexFunc(all, func(v *engine.View) bool { return strings.Contains(v.Content, "dry loft") })
	if i < 0 || !slices.Equal(all[i].Chunk.Headings, []string{"Kite guide", "Storage"}) {
		t.Fatalf("the chunk of the loft is %d", i)
	}
	if found := enginetest.IDs(w.Search("Where is the sail kept?", func(in *engine.SearchInput) { in.User = "ana" })); len(found) == 0 || found[0] != all[i].ID {
		t.Errorf("the search finds %v, want %s first", found, all[i].ID)
	}
}

func TestSameContentWritesNothing(t *testing.T) {
	w := enginetest.New(t)
	first := ingest(t, w, "a.md", guide)
	before, err := w.Store.Head(t.Context(), w.Caller.Scope())
	if err != nil {
		t.Fatal(err)
	}
	again := ingest(t, w, "a.md", guide)
	after, err := w.Store.Head(t.Context(), w.Caller.Scope())
	if err != nil {
		t.Fatal(err)
	}
	if !again.Unchanged || again.Written+again.Superseded != 0 || again.Document.ID != first.Document.ID || again.Document.Version != 1 || before != after {
		t.Errorf("again: %+v, the feed moved from %d to %d", again, before, after)
	}
}

func TestOtherMediaTypeIsTheNextVersion(t *testing.T) {
	const page = "<h1>Kite</h1><p>The Heron is <b>red</b>.</p>"
	as := func(mediaType string) func(*engine.IngestInput) {
		return func(in *engine.IngestInput) { in.MediaType = mediaType }
	}
	w := enginetest.New(t)
	ingest(t, w, "kite.txt", page)
	r := ingest(t, w, "kite.txt", page, as("text/html"))
	if r.Unchanged || r.Document.Version != 2 || r.Document.MediaType != "text/html" {
		t.Fatalf("read as HTML: %+v of %+v", r, r.Document)
	}
	if all := chunks(t, w, r.Document); len(all) != 1 || strings.Contains(all[0].Content, "<p>") || all[0].Chunk.Headings[0] != "Kite" {
		t.Errorf("the chunks are %+v", all)
	}
	if r := ingest(t, w, "kite.txt", page, as("text/html; charset=utf-8")); !r.Unchanged {
		t.Errorf("the same again: %+v", r)
	}
	_, err := w.Ingest(t.Context(), w.Caller, engine.IngestInput{Content: []byte(page), Path: "kite.txt", MediaType: "application/pdf", Consent: graph.ConsentExplicit, User: "ana"})
	if shown, ofContent := engine.IngestRefusal(err); !ofContent || !strings.Contains(shown.Message, "does not begin as one") {
		t.Errorf("read as PDF: %v", err)
	}
}

func TestChangedChunkSupersedesItsPredecessor(t *testing.T) {
	w := enginetest.New(t)
	first := ingest(t, w, "a.md", guide)
	old := chunks(t, w, first.Document)
	changed := strings.Replace(guide, "dry loft above the workshop", "cedar chest behind the stairs", 1)
	r := ingest(t, w, "a.md", changed)
	if r.Written != 1 || r.Superseded != 1 || r.Expired != 0 || r.Document.Version != 2 || r.Document.ID != first.Document.ID {
		t.Fatalf("%+v of %+v", r, r.Document)
	}
	if len(r.Document.Earlier) != 1 || r.Document.Earlier[0].Status != "SUPERSEDED" || r.Document.Earlier[0].Version != 1 || r.Document.Earlier[0].ContentHash != first.Document.ContentHash {
		t.Errorf("earlier versions: %+v", r.Document.Earlier)
	}
	new := chunks(t, w, r.Document)
	for i := range new {
		if strings.Contains(new[i].Content, "cedar chest") {
			before := stored(t, w, old[i].ID)
			if new[i].Supersedes != old[i].ID || new[i].Version != 2 || before.Status() != graph.Superseded || before.SupersededBy != new[i].ID || new[i].Chain != old[i].ID {
				t.Errorf("the new chunk is version %d of %s, the old one %s", new[i].Version, new[i].Chain, before.Status())
			}
		} else if new[i].ID != old[i].ID {
			t.Errorf("chunk %d did not stay", i)
		}
	}
	for _, h := range w.Search("Where is the sail kept?", func(in *engine.SearchInput) { in.User = "ana" }).Hits {
		if strings.Contains(h.Memory.Content, "dry loft") {
			t.Errorf("the old text is answered: %q", h.Memory.Content)
		}
	}
}

func TestVanishedChunkExpiresAndComesBack(t *testing.T) {
	w := enginetest.New(t)
	first := ingest(t, w, "a.md", guide)
	old := chunks(t, w, first.Document)
	short := guide[:strings.Index(guide, "## Storage")]
	r := ingest(t, w, "a.md", short)
	if r.Written != 0 || r.Superseded != 1 || r.Expired != 1 || r.Document.Chunks != len(old)-1 {
		t.Fatalf("shortened: %+v of %+v", r, r.Document)
	}
	gone := stored(t, w, old[len(old)-1].ID)
	if gone.Status() != graph.Expired {
		t.Fatalf("the last chunk is %s", gone.Status())
	}
	again := ingest(t, w, "a.md", guide)
	if again.Written != 1 || again.Restored != 1 || again.Document.Version != 3 || stored(t, w, gone.ID).Status() != graph.Active {
		t.Errorf("again: %+v, the chunk is %s", again, stored(t, w, gone.ID).Status())
	}
	if got := chunks(t, w, again.Document); !slices.EqualFunc(got, old, func(a, b *engine.View) bool { return a.ID == b.ID }) {
		t.Error("the chunks are not those of the first version")
	}
}

func TestRemovedDocumentEndsAndComesBack(t *testing.T) {
	for name, text := range map[string]string{"short": guide, "long": guide + long("red", 150)} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			d := ingest(t, w, "kite.md", text).Document
			known := w.Clock.Now()
			w.Clock.Advance(time.Hour)
			r, err := w.RemoveDocument(t.Context(), w.Caller, d.ID)
			if err != nil || r.Unchanged || r.Superseded != d.Chunks || r.Expired != d.Chunks || r.Document.Status != "REMOVED" || r.Document.Chunks != 0 || len(r.Document.Earlier) != 1 {
				t.Fatalf("%+v of %+v, %v", r, r.Document, err)
			}
			if n := active(t, w); n != 0 {
				t.Errorf("%d chunks are ACTIVE", n)
			}
			search := func(as graph.AsOf) int {
				return len(enginetest.IDs(w.Search("Where is the sail kept?", func(in *engine.SearchInput) { in.User, in.Access.AsOf = "ana", as })))
			}
			if now, then := search(graph.AsOf{}), search(graph.AsOf{Recorded: known}); now != 0 || then == 0 {
				t.Errorf("%d hits now, %d before", now, then)
			}
			if page, _, err := w.Documents(t.Context(), w.Caller, nil, 10, ""); err != nil || len(page) != 0 {
				t.Errorf("listed are %v, %v", page, err)
			}
			if r, err := w.RemoveDocument(t.Context(), w.Caller, d.ID); err != nil || !r.Unchanged {
				t.Errorf("again: %+v, %v", r, err)
			}
			again := ingest(t, w, "kite.md", text)
			if again.Restored != d.Chunks || again.Written != d.Chunks || again.Document.Version != 3 || again.Document.Status != "CURRENT" || len(again.Document.Earlier) != 1 {
				t.Errorf("the document is back: %+v of %+v", again, again.Document)
			}
			if n := active(t, w); n != d.Chunks {
				t.Errorf("%d chunks are ACTIVE, want %d", n, d.Chunks)
			}
		})
	}
}

func TestRemovalNeedsTheRightToEndTheChunks(t *testing.T) {
	w := enginetest.New(t)
	d := ingest(t, w, "kite.md", guide).Document
	shared := ingest(t, w, "shared.md", guide, func(in *engine.IngestInput) { in.User = "" }).Document
	weak, other, reader := w.Caller, w.Caller, w.Caller
	weak.Grant = 0.1
	other.User = "ben"
	reader.User, reader.Scopes, reader.Admin = "ana", []access.Scope{access.MemoryRead, access.MemoryWrite}, false
	for what, c := range map[string]struct {
		caller engine.Caller
		id     graph.ID
		code   graph.Code
	}{
		"a low grant":            {weak, d.ID, graph.CodeForbidden},
		"another user":           {other, d.ID, graph.CodeMemoryNotFound},
		"what belongs to nobody": {reader, shared.ID, graph.CodeForbidden},
		"an unknown id":          {w.Caller, "00000000-0000-7000-8000-000000000000", graph.CodeMemoryNotFound},
		"a broken id":            {w.Caller, "kite.md", graph.CodeMemoryNotFound},
	} {
		if _, err := w.RemoveDocument(t.Context(), c.caller, c.id); graph.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", what, err, c.code)
		}
	}
	if n := active(t, w); n != d.Chunks+shared.Chunks {
		t.Errorf("%d chunks are ACTIVE", n)
	}
}

func TestEarlierContentReactivatesSupersededChunks(t *testing.T) {
	w := enginetest.New(t)
	first := ingest(t, w, "a.md", guide)
	old := chunks(t, w, first.Document)
	second := ingest(t, w, "a.md", strings.Replace(guide, "dry loft", "damp cellar", 1))
	newer := chunks(t, w, second.Document)
	back := ingest(t, w, "a.md", guide)
	if back.Restored != 1 || back.Document.Version != 3 || active(t, w) != len(old) {
		t.Fatalf("back: %+v, %d ACTIVE", back, active(t, w))
	}
	last := len(old) - 1
	if m := stored(t, w, old[last].ID); m.Status() != graph.Active || m.SupersededBy != "" {
		t.Errorf("the first text is %s", m.Status())
	}
	if m := stored(t, w, newer[last].ID); m.Status() != graph.Expired {
		t.Errorf("the second text is %s", m.Status())
	}
	// And the chain goes on from there.
	again := ingest(t, w, "a.md", strings.Replace(guide, "dry loft", "open shed", 1))
	if got := chunks(t, w, again.Document)[last]; got.Supersedes != old[last].ID || got.Version != 3 {
		t.Errorf("version %d supersedes %s", got.Version, got.Supersedes)
	}
}

func TestMovedChunksKeepTheirMemories(t *testing.T) {
	w := enginetest.New(t)
	first := ingest(t, w, "a.md", guide)
	old := chunks(t, w, first.Document)
	r := ingest(t, w, "a.md", "# Kite guide\n\n"+section("Names", "Every kite has the name of a bird.")+guide[strings.Index(guide, "## Launch"):])
	got := chunks(t, w, r.Document)
	if r.Written != 1 || r.Superseded != 0 || len(got) != len(old)+1 {
		t.Fatalf("%+v, %d chunks", r, len(got))
	}
	for i, v := range got[1:] {
		if v.ID != old[i].ID || v.Chunk.Index != i+1 {
			t.Errorf("chunk %d is %s at %d, want %s", i+1, v.ID, v.Chunk.Index, old[i].ID)
		}
	}
}

// long returns a document whose chunks need several transactions.
func long(word string, n int) string {
	var b strings.Builder
	b.WriteString("# Catalogue\n\n")
	for i := range n {
		b.WriteString(section(fmt.Sprintf("Entry %d", i), fmt.Sprintf("Kite %d has a %s sail.", i, word)))
	}
	return b.String()
}

func TestLongDocumentIsAppliedInParts(t *testing.T) {
	w := enginetest.New(t)
	r := ingest(t, w, "long.md", long("red", 300))
	if r.Written != 300 || r.Document.Chunks != 300 || active(t, w) != 300 {
		t.Fatalf("%+v of %+v, %d ACTIVE", r, r.Document, active(t, w))
	}
	old := chunks(t, w, r.Document)
	r = ingest(t, w, "long.md", long("blue", 250))
	if r.Written != 250 || r.Superseded != 300 || r.Expired != 50 || active(t, w) != 250 {
		t.Fatalf("%+v, %d ACTIVE", r, active(t, w))
	}
	for i, v := range chunks(t, w, r.Document) {
		if v.Supersedes != old[i].ID || v.Chunk.Index != i || !strings.Contains(v.Content, "blue") {
			t.Fatalf("chunk %d: %+v", i, v.Memory)
		}
	}
	if r = ingest(t, w, "long.md", long("red", 300)); r.Restored != 300 || r.Superseded != 250 || active(t, w) != 300 {
		t.Errorf("back: %+v, %d ACTIVE", r, active(t, w))
	}
}

func TestDocumentsAreSeparateByOwnerAndNamespace(t *testing.T) {
	w := enginetest.New(t)
	ids := map[graph.ID]bool{}
	for _, x := range []func(*engine.IngestInput){
		func(*engine.IngestInput) {}, func(in *engine.IngestInput) { in.User = "bo" }, func(in *engine.IngestInput) { in.Namespace = "work" },
	} {
		r := ingest(t, w, "a.md", guide, x)
		if r.Unchanged || r.Document.Version != 1 {
			t.Errorf("%+v", r.Document)
		}
		ids[r.Document.ID] = true
	}
	if len(ids) != 3 {
		t.Fatalf("%d documents", len(ids))
	}
	bo := w.Caller
	bo.User, bo.Admin = "bo", false
	page, more, err := w.Documents(t.Context(), bo, nil, 10, "")
	if err != nil || more || len(page) != 1 || page[0].User != "bo" {
		t.Errorf("bo sees %v, %v", page, err)
	}
	theirs := slices.Collect(func(yield func(graph.ID) bool) {
		for id := range ids {
			if id != page[0].ID && !yield(id) {
				return
			}
		}
	})
	found, err := w.DocumentsByID(t.Context(), bo, theirs)
	if err != nil || found[0] != nil || found[1] != nil {
		t.Errorf("bo reads %v, %v", found, err)
	}
	work := w.Caller
	work.Namespaces = []string{"work"}
	if page, _, err = w.Documents(t.Context(), work, nil, 10, ""); err != nil || len(page) != 1 || page[0].Namespace != "work" {
		t.Errorf("the caller of work sees %v, %v", page, err)
	}
	if _, err := w.Ingest(t.Context(), work, engine.IngestInput{Content: []byte("x"), Path: "a.md", Consent: graph.ConsentExplicit, Namespace: "default"}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("ingest into another namespace: %v", err)
	}
}

func TestListOfDocumentsIsPaged(t *testing.T) {
	w := enginetest.New(t)
	for i := range 5 {
		ingest(t, w, fmt.Sprintf("%d.md", i), "A line about kite "+fmt.Sprint(i)+".")
	}
	seen := map[string]bool{}
	after := graph.ID("")
	for {
		page, more, err := w.Documents(t.Context(), w.Caller, nil, 2, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range page {
			seen[d.Path] = true
			after = d.ID
		}
		if !more {
			break
		}
	}
	if len(seen) != 5 {
		t.Errorf("the pages have %v", seen)
	}
}

func TestRefusedDocumentChangesNothing(t *testing.T) {
	w := enginetest.New(t)
	ingest(t, w, "a.md", guide)
	before := active(t, w)
	for what, in := range map[string]engine.IngestInput{
		"empty":       {Content: []byte(" \n"), Path: "a.md", Consent: graph.ConsentExplicit, User: "ana"},
		"binary":      {Content: []byte("\x00\x01\x02\xff\xfe\x00"), Path: "a.md", Consent: graph.ConsentExplicit, User: "ana"},
		"unsupported": {Content: []byte("words"), Path: "a.exe", MediaType: "application/x-dosexec", Consent: graph.ConsentExplicit, User: "ana"},
		"too long":    {Content: []byte(long("red", 2600)), Path: "a.md", Consent: graph.ConsentExplicit, User: "ana"},
		"no path":     {Content: []byte("words"), Consent: graph.ConsentExplicit},
		"no consent":  {Content: []byte("words"), Path: "a.md"},
		"namespace":   {Content: []byte("words"), Path: "a.md", Consent: graph.ConsentExplicit, Namespace: "a/../b"},
		"control":     {Content: []byte("words"), Path: "a\nb.md", Consent: graph.ConsentExplicit},
	} {
		_, err := w.Ingest(t.Context(), w.Caller, in)
		shown, _ := engine.IngestRefusal(err)
		if err == nil || shown.Field == "" || shown.Message == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := active(t, w); got != before {
		t.Errorf("%d ACTIVE memories, %d before", got, before)
	}
}

func TestLimitedCallerDoesNotEndWhatOutranksIt(t *testing.T) {
	w := enginetest.New(t)
	ingest(t, w, "a.md", guide)
	weak := w.Caller
	weak.Admin, weak.Grant = false, 0.3
	_, err := w.Ingest(t.Context(), weak, engine.IngestInput{Content: []byte("# Other"), Path: "a.md", Consent: graph.ConsentExplicit, User: "ana"})
	var shown *graph.Error
	if !errors.As(err, &shown) || shown.Code != graph.CodeForbidden || shown.Field != "path" {
		t.Errorf("a grant of 0.3 answers %v", err)
	}
}

func TestDocumentDoesNotOutrankItsUser(t *testing.T) {
	w := enginetest.New(t)
	said := w.Remember("I live in Porto.", func(in *engine.RememberInput) { in.User = "ana" }).Memory
	ingest(t, w, "about.md", "# About\n\nAna lives in Lisbon.\n")
	if m := stored(t, w, said.ID); m.Status() != graph.Active || m.Conflict > 0.3 {
		t.Errorf("what ana said is %s with conflict %v", m.Status(), m.Conflict)
	}
}

func TestConcurrentIngestsOfOnePathLeaveOneVersion(t *testing.T) {
	w := enginetest.New(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			text := strings.Replace(guide, "dry loft", fmt.Sprintf("loft number %d", i), 1)
			if _, err := w.Ingest(t.Context(), w.Caller, engine.IngestInput{Content: []byte(text), Path: "a.md", Consent: graph.ConsentExplicit, User: "ana"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	page, _, err := w.Documents(t.Context(), w.Caller, nil, 10, "")
	if err != nil || len(page) != 1 || page[0].Version != 8 {
		t.Fatalf("%+v, %v", page, err)
	}
	if got := active(t, w); got != page[0].Chunks {
		t.Errorf("%d ACTIVE memories of %d chunks", got, page[0].Chunks)
	}
}

func TestErasureRemovesDocuments(t *testing.T) {
	for what, forget := range map[string]func(d []*engine.View) engine.ForgetInput{
		"user":      func([]*engine.View) engine.ForgetInput { return engine.ForgetInput{User: "ana"} },
		"namespace": func([]*engine.View) engine.ForgetInput { return engine.ForgetInput{Namespace: "default"} },
		"ids": func(all []*engine.View) engine.ForgetInput {
			in := engine.ForgetInput{}
			for _, v := range all {
				in.IDs = append(in.IDs, v.ID)
			}
			return in
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := enginetest.New(t)
			r := ingest(t, w, "canary.md", guide)
			ingest(t, w, "other.md", guide, func(in *engine.IngestInput) { in.User, in.Namespace = "bo", "work" })
			fixture.Forget(t, w, forget(chunks(t, w, r.Document)))
			page, _, err := w.Documents(t.Context(), w.Caller, nil, 10, "")
			if err != nil || len(page) != 1 || page[0].Path != "other.md" {
				t.Errorf("documents are %v, %v", page, err)
			}
			again := ingest(t, w, "canary.md", guide)
			if again.Unchanged || again.Document.Version != 1 || again.Restored != 0 {
				t.Errorf("again: %+v of %+v", again, again.Document)
			}
		})
	}
}

func TestErasedChunkIsWrittenAgainOnRequest(t *testing.T) {
	w := enginetest.New(t)
	r := ingest(t, w, "a.md", guide)
	all := chunks(t, w, r.Document)
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{all[1].ID}})
	if left := chunks(t, w, r.Document); len(left) != len(all)-1 {
		t.Errorf("%d chunks are left", len(left))
	}
	again := ingest(t, w, "a.md", guide)
	if again.Written != 1 || again.Document.Version != 1 || len(chunks(t, w, again.Document)) != len(all) {
		t.Errorf("again: %+v of %+v", again, again.Document)
	}
}

func TestStepsOfAnIngestAreReported(t *testing.T) {
	w := enginetest.New(t)
	steps, err := w.IngestProgress(t.Context(), w.Caller, nil)
	if err != nil {
		t.Fatal(err)
	}
	var called []engine.IngestPhase
	r := ingest(t, w, "a.md", guide, func(in *engine.IngestInput) {
		in.Progress = func(x engine.IngestStep) { called = append(called, x.Phase) }
	})
	want := []engine.IngestPhase{"READING", "EMBEDDING", "WRITING", "DONE"}
	if !slices.Equal(called, want) {
		t.Errorf("the caller heard %v", called)
	}
	for _, phase := range want {
		x := <-steps
		if x.Phase != phase || x.Path != "a.md" || x.Document != r.Document.ID {
			t.Errorf("%+v, want %s", x, phase)
		}
		if phase == "DONE" && (x.Result == nil || x.Result.Written != r.Written || x.Chunks != r.Document.Chunks) {
			t.Errorf("the end is %+v", x)
		}
	}
}
