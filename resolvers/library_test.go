package resolvers_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

const ingest = `mutation($i: IngestInput!) { ingest(input: $i) {
	unchanged written superseded restored expired error { code field message }
	document { id path mediaType status version contentHash chunks ingestedAt namespace user project title earlier { version status } } } }`

const manual = "# Kite manual\n\n## Launch\n\nThe Heron launches in winds up to fifteen metres per second.\n\n## Storage\n\nThe sail lies in the dry loft above the workshop.\n"

// A document is ingested, listed, found, changed and found again.
func TestIngestedDocument(t *testing.T) {
	s := start(t)
	in := vars{"text": manual, "path": "docs/manual.md", "consent": "EXPLICIT", "user": "ana", "project": "heron"}
	a := s.must(ingest, vars{"i": in})
	id, chunks := a.at(t, "ingest.document.id"), a.at(t, "ingest.document.chunks")
	if a.at(t, "ingest.unchanged") != false || a.at(t, "ingest.written") != chunks || a.at(t, "ingest.document.status") != "CURRENT" ||
		a.at(t, "ingest.document.user") != "ana" || a.at(t, "ingest.document.project") != "heron" || a.at(t, "ingest.error") != nil {
		t.Fatalf("the first ingest answers %s", a.Body)
	}
	if a = s.must(ingest, vars{"i": in}); a.at(t, "ingest.unchanged") != true || a.at(t, "ingest.document.id") != id {
		t.Errorf("the second ingest answers %s", a.Body)
	}
	if a = s.must(`{ documents(first: 10) { nodes { id path version } edges { cursor } pageInfo { hasNextPage } } }`, nil); len(a.at(t, "documents.nodes").([]any)) != 1 || a.at(t, "documents.nodes.0.id") != id {
		t.Errorf("the list is %s", a.Body)
	}

	const find = `query { search(input: {query: "Where is the sail?", user: "ana"}) { hits { memory { content type sourceKind sourcePath chunkIndex contentHash headings line
		document { id memories(from: 0, first: 2) { chunkIndex } } } } } }`
	a = s.must(find, nil)
	m := a.at(t, "search.hits.0.memory").(map[string]any)
	if !strings.Contains(m["content"].(string), "dry loft") || m["type"] != "DOCUMENT" || m["sourceKind"] != "DOCUMENT" || m["sourcePath"] != "docs/manual.md" || len(m["contentHash"].(string)) != 64 {
		t.Errorf("the hit is %s", a.Body)
	}
	same(t, "its headings", m["headings"], `["Kite manual","Storage"]`)
	if a.at(t, "search.hits.0.memory.document.id") != id || len(a.at(t, "search.hits.0.memory.document.memories").([]any)) != 2 {
		t.Errorf("its document is %s", a.Body)
	}

	in["text"] = strings.Replace(manual, "dry loft above the workshop", "cedar chest", 1)
	if a = s.must(ingest, vars{"i": in}); a.at(t, "ingest.superseded") != 1.0 || a.at(t, "ingest.document.version") != 2.0 || a.at(t, "ingest.document.earlier.0.status") != "SUPERSEDED" {
		t.Errorf("the changed document answers %s", a.Body)
	}
	if a = s.must(find, nil); strings.Contains(string(a.Body), "dry loft") || !strings.Contains(string(a.Body), "cedar chest") {
		t.Errorf("the search answers %s", a.Body)
	}
	if a = s.must(`query($id: ID!) { document(id: $id) { path memories(from: 1, first: 1) { chunkIndex } } }`, vars{"id": id}); a.at(t, "document.memories.0.chunkIndex") != 1.0 {
		t.Errorf("the document is %s", a.Body)
	}

	const remove = `mutation($id: ID!) { removeDocument(id: $id) { unchanged superseded expired document { status chunks earlier { version } } } }`
	if a = s.must(remove, vars{"id": id}); a.at(t, "removeDocument.expired") != chunks || a.at(t, "removeDocument.document.status") != "REMOVED" || a.at(t, "removeDocument.document.chunks") != 0.0 {
		t.Errorf("the removal answers %s", a.Body)
	}
	if a = s.must(find, nil); len(a.at(t, "search.hits").([]any)) != 0 {
		t.Errorf("the search answers %s", a.Body)
	}
	if a = s.ask(remove, vars{"id": "kite.md"}); !strings.Contains(string(a.Body), `"MEMORY_NOT_FOUND"`) || !strings.Contains(string(a.Body), "of no document") {
		t.Errorf("an unknown document answers %s", a.Body)
	}
}

// Without a media type the ending of the path decides; a media type in the request wins.
func TestMediaTypeOfIngestedText(t *testing.T) {
	s := start(t)
	const table = "part,bin\nspar,7\n"
	for _, c := range []struct{ path, given, want string }{
		{"parts.csv", "", "text/csv"},
		{"parts.html", "", "text/html"},
		{"parts.txt", "", "text/plain"},
		{"parts.md", "", "text/markdown"},
		{"parts", "", "text/markdown"},
		{"parts v2.1", "", "text/markdown"},
		{"parts2.csv", "text/markdown", "text/markdown"},
		{"parts3.md", "text/csv", "text/csv"},
	} {
		in := vars{"text": table, "path": c.path, "consent": "EXPLICIT"}
		if c.given != "" {
			in["mediaType"] = c.given
		}
		if a := s.must(ingest, vars{"i": in}); a.at(t, "ingest.error") != nil || a.at(t, "ingest.document.mediaType") != c.want {
			t.Errorf("%s with %q answers %s", c.path, c.given, a.Body)
		}
	}
	const literal = `mutation { ingest(input: {text: "part,bin\nspar,7\n", path: "%s.csv", consent: EXPLICIT%s}) { document { mediaType } } }`
	for more, want := range map[string]string{"": "text/csv", ", mediaType: null": "text/csv", `, mediaType: "text/markdown"`: "text/markdown"} {
		if a := s.must(fmt.Sprintf(literal, "x"+fmt.Sprint(len(more)), more), nil); a.at(t, "ingest.document.mediaType") != want {
			t.Errorf("%q answers %s", more, a.Body)
		}
	}
	if a := s.ask(ingest, vars{"i": vars{"text": "words", "path": "a.pdf", "consent": "EXPLICIT"}}); a.at(t, "ingest.error.field") != "text" {
		t.Errorf("text at the path of a PDF answers %s", a.Body)
	}
}

// What is wrong with the content is said in the payload; other errors are those of the field.
func TestRefusedDocumentNamesItsReason(t *testing.T) {
	s := start(t)
	for what, c := range map[string]struct {
		in          vars
		field, code string
		payload     bool
	}{
		"blank":      {vars{"text": " \n", "path": "a.md", "consent": "EXPLICIT"}, "text", "INVALID_REQUEST", true},
		"binary":     {vars{"text": "MZ\x00\x01", "path": "a.exe", "consent": "EXPLICIT", "mediaType": "application/x-dosexec"}, "text", "INVALID_REQUEST", true},
		"no consent": {vars{"text": "words", "path": "a.md"}, "consent", "CONSENT_REQUIRED", false},
		"no path":    {vars{"text": "words", "path": "", "consent": "EXPLICIT"}, "path", "INVALID_REQUEST", false},
		"blank path": {vars{"text": "words", "path": " \u00a0", "consent": "EXPLICIT"}, "path", "INVALID_REQUEST", false},
		"turned":     {vars{"text": "words", "path": "a\u202egpj.md", "consent": "EXPLICIT"}, "path", "INVALID_REQUEST", false},
		"namespace":  {vars{"text": "words", "path": "a.md", "consent": "EXPLICIT", "namespace": ""}, "namespace", "INVALID_REQUEST", false},
	} {
		a := s.ask(ingest, vars{"i": c.in})
		code, field := a.code(), a.field()
		if c.payload && len(a.Errors) == 0 {
			code, field = a.at(t, "ingest.error.code").(string), a.at(t, "ingest.error.field").(string)
		}
		if code != c.code || field != c.field || c.payload != (len(a.Errors) == 0) {
			t.Errorf("%s answers %s", what, a.Body)
		}
	}
	if a := s.must(`{ documents { nodes { id } } }`, nil); len(a.at(t, "documents.nodes").([]any)) != 0 {
		t.Errorf("the documents are %s", a.Body)
	}
	if a := s.ask(`{ document(id: "x") { id } }`, nil); a.code() != "INVALID_REQUEST" {
		t.Errorf("a malformed id answers %s", a.Body)
	}
}

// A procedure has its trigger, its steps and where it comes from.
func TestProcedureHasSteps(t *testing.T) {
	s := start(t)
	from := s.remember("The tail tore when it touched the ground before it was folded.", nil)
	const write = `mutation($i: RememberInput!) { remember(input: $i) { memory { id type trigger steps learnedFrom { id } headings chunkIndex } } }`
	in := vars{"content": "How to land the Heron.", "consent": "EXPLICIT", "trigger": "before landing", "steps": []string{"fold the tail", "reel in"}, "learnedFrom": []string{from}}
	a := s.must(write, vars{"i": in})
	if a.at(t, "remember.memory.type") != "PROCEDURAL" || a.at(t, "remember.memory.trigger") != "before landing" || a.at(t, "remember.memory.learnedFrom.0.id") != from || a.at(t, "remember.memory.chunkIndex") != nil {
		t.Errorf("the procedure is %s", a.Body)
	}
	same(t, "its steps", a.at(t, "remember.memory.steps"), `["fold the tail","reel in"]`)
	for field, wrong := range map[string]vars{
		"type":        {"type": "EPISODIC"},
		"steps":       {"steps": []string{""}},
		"learnedFrom": {"learnedFrom": []string{"0197a000-0000-7000-8000-000000000000"}},
		"trigger":     {"trigger": strings.Repeat("x", 2049)},
	} {
		bad := maps.Clone(in)
		maps.Copy(bad, wrong)
		if a := s.ask(write, vars{"i": bad}); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("a wrong %s answers %s", field, a.Body)
		}
	}
}
