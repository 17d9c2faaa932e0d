package resolvers_test

import (
	"testing"
)

func TestRelatedAnswersPaths(t *testing.T) {
	s := start(t)
	spo := func(subject, predicate, object string) string {
		return s.remember(subject+" "+predicate+" "+object+".", vars{"subject": subject, "predicate": predicate, "object": object})
	}
	a := spo("Ines", "owns", "Wharf Mill")
	b := spo("Wharf Mill", "stands beside", "Tolva Lock")
	got := s.must(`query($id: ID!) { related(id: $id, depth: 1, predicates: ["stands beside"]) {
		memories { id } paths { ids edges { from to kind weight predicate } } edges { kind } truncated } }`, vars{"id": a})
	if got.at(t, "related.memories.0.id") != b || got.at(t, "related.paths.0.ids.0") != a || got.at(t, "related.paths.0.ids.1") != b {
		t.Errorf("related: %s", got.Body)
	}
	if got.at(t, "related.paths.0.edges.0.kind") != "RELATION" || got.at(t, "related.paths.0.edges.0.predicate") != "stands beside" {
		t.Errorf("edge of the path: %s", got.Body)
	}
	path := s.must(`query($a: ID!, $b: ID!) { path(from: $a, to: $b, predicates: ["RELATION"]) { memories { id } paths { ids } } }`, vars{"a": a, "b": b})
	if n := len(path.at(t, "path.paths.0.ids").([]any)); n != 2 {
		t.Errorf("path: %s", path.Body)
	}
	bad := s.ask(`query($id: ID!) { related(id: $id, predicates: [""]) { truncated } }`, vars{"id": a})
	if bad.code() != "INVALID_REQUEST" || bad.field() != "predicates[0]" {
		t.Errorf("an empty predicate: %s", bad.Body)
	}
}

func TestRelationsAndLineageOfEntities(t *testing.T) {
	s := start(t)
	s.remember("Atlas was renamed to Borealis.", vars{"entities": []string{"Atlas", "Borealis"}})
	s.remember("Cal keeps the ledger.", vars{"subject": "Cal", "predicate": "keeps", "object": "the ledger"})
	s.remember("Ines owns Wharf Mill.", vars{"subject": "Ines", "predicate": "owns", "object": "Wharf Mill"})
	first := s.must(`{ relations(first: 1) { nodes { predicate source { name } } pageInfo { hasNextPage endCursor } } }`, nil)
	if first.at(t, "relations.pageInfo.hasNextPage") != true {
		t.Fatalf("relations: %s", first.Body)
	}
	rest := s.must(`query($c: String!) { relations(first: 5, after: $c) { nodes { predicate source { name } } pageInfo { hasNextPage } } }`,
		vars{"c": first.at(t, "relations.pageInfo.endCursor")})
	if rest.at(t, "relations.nodes.0.source.name") != "Ines" || rest.at(t, "relations.pageInfo.hasNextPage") != false {
		t.Errorf("the rest: %s", rest.Body)
	}
	for _, q := range []struct{ query, field string }{
		{`{ relations(entity: "") { nodes { id } } }`, "entity"},
		{`{ relations(namespaces: ["a b"]) { nodes { id } } }`, "namespaces"},
		{`{ entityLineage(id: "x") { kind } }`, "id"},
	} {
		if a := s.ask(q.query, nil); a.code() != "INVALID_REQUEST" || a.field() != q.field {
			t.Errorf("%s: %s", q.query, a.Body)
		}
	}
	id := s.must(`{ entities(name: "atlas") { nodes { id } } }`, nil).at(t, "entities.nodes.0.id")
	a := s.must(`query($id: ID!) { entityLineage(id: $id, kinds: [CREATED, RENAMED]) { kind at name inverse predicate memory { content } successor { id } other { name } } }`, vars{"id": id})
	if n := len(a.at(t, "entityLineage").([]any)); n != 2 {
		t.Fatalf("lineage: %s", a.Body)
	}
	if a.at(t, "entityLineage.0.kind") != "CREATED" || a.at(t, "entityLineage.0.memory") != nil || a.at(t, "entityLineage.1.other.name") != "Borealis" ||
		a.at(t, "entityLineage.1.memory.content") != "Atlas was renamed to Borealis." {
		t.Errorf("lineage: %s", a.Body)
	}
}
