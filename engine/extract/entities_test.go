package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// listed formats entities as in the tables: name:TYPE, in order, with short types.
func listed(es []Entity) string {
	short := map[graph.EntityType]string{
		graph.Person: "per", graph.Place: "place", graph.Organization: "org", graph.Concept: "con", graph.Object: "obj",
		graph.Event: "event", graph.Project: "proj", graph.File: "file",
	}
	var b []string
	for _, e := range es {
		b = append(b, e.Name+":"+short[e.Type])
	}
	return strings.Join(b, ", ")
}

func TestEntities(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// people
		{"Ana met Tomas in the park.", "Ana:per, Tomas:per"},
		{"I called Dr. Amara Okafor about it.", "Dr Amara Okafor:per"},
		{"my friend Zuri is here", "Zuri:per"},
		{"Zuri's brother sails.", "Zuri:per"},
		{"Hey Mel! Good to see you.", "Mel:per"},
		{"Thanks, Quill.", "Quill:per"},
		{"We asked Ludwig van der Meer.", "Ludwig van der Meer:con"},
		{"Wanjiru said she is fine.", "Wanjiru:per"},
		{"@kofi please look", "kofi:per"},
		{"May Whitlock met us in May.", "May Whitlock:per"},
		{"Ana and Ana's sister: Ana!", "Ana:per"},
		// places
		{"I live in Berlin.", "Berlin:place"},
		{"We moved to Quellenheim last year.", "Quellenheim:place"},
		{"They hiked around Lake Como and Mount Kenya.", "Lake Como:place, Mount Kenya:place"},
		{"The café on Harbour Street is open.", "Harbour Street:place"},
		{"She flew from San Marcos to the Bay of Kotor.", "San Marcos:place, Bay of Kotor:place"},
		// organisations
		{"Zuri works at Northlight Fund.", "Zuri:per, Northlight Fund:org"},
		{"He joined Orbit in March.", "Orbit:org"},
		{"the University of Oslo called", "University of Oslo:org"},
		{"Lark & Lantern builds kites.", "Lark & Lantern:org"},
		// projects, files, events, tools
		{"The project Atlas is late.", "Atlas:proj"},
		{"We renamed the Heron project.", "Heron:proj"},
		{"See engine/main.go, README.md and /etc/hosts.", "engine/main.go:file, README.md:file, /etc/hosts:file"},
		{"Lena speaks at the Tether Summit.", "Lena:per, Tether Summit:event"},
		{"we moved from postgres to SQLite", "postgres:con, SQLite:con"},
		{"He writes Rust and C++ at night.", "Rust:con, C++:con"},
		{"The oven may rust.", ""},
		// words with a capital that are no names
		{"Dinner was nice. Yesterday we slept.", ""},
		{"I think I'm late. I'll come.", ""},
		{"On Monday or in March, maybe at Christmas.", ""},
		{"May I ask? March on.", ""},
		{"Running is fun. Quickly now.", ""},
		{"HELLO", ""},
		{"How To Bake Very Good Bread At Home", ""},
		{"Call 555-0199 at 14:30 on 2026-05-04.", ""},
		{"Visit https://example.com/Path or mail bob@acme.com", ""},
		{"", ""}, {"...", ""}, {"\xff\xfe", ""}, {"  \n ", ""},
		// a word with a capital inside a sentence is a name at the beginning of one too
		{"Plover jams. We like Plover.", "Plover:con"},
		{"Heron 3 flew. Ana ate 3 figs. Ana 3 times said no.", "Heron 3:con, Ana:per"},
		{"Skylark was slow. Dinner was late. Weather was bad.", "Skylark:con"},
		{"Hjalmar floated.", "Hjalmar:con"},
		{"Professor Demir of the Tidewater Institute wrote.", "Professor Demir:per, Tidewater Institute:org"},
		// quotes and lists
		{"- Ana\n- Tomas", "Ana:per, Tomas:per"},
		{`She read "Moby Dick" twice.`, "Moby Dick:con"},
	} {
		got := Text(c.text, Hints{}).Entities
		if listed(got) != c.want {
			t.Errorf("%q: %s, want %s", c.text, listed(got), c.want)
		}
		for _, e := range got {
			if e.Canonical != Canonical(e.Name) || e.Start < 0 || e.End <= e.Start || e.End > len(c.text) || !e.Type.Valid() {
				t.Errorf("%q: %+v", c.text, e)
			}
			if first, _, _ := strings.Cut(e.Name, " "); !strings.HasPrefix(c.text[e.Start:], first) {
				t.Errorf("%q: %q does not stand at %d", c.text, e.Name, e.Start)
			}
		}
	}
}

func TestSpeakerIsAPerson(t *testing.T) {
	got := Text("We asked Quill.", Hints{Speaker: "quill"}).Entities
	if listed(got) != "Quill:per" {
		t.Errorf("%s", listed(got))
	}
}

func TestEntitiesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "We met Zq%s there. ", strings.Repeat("x", i%40)+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	if got := Text(b.String(), Hints{}).Entities; len(got) != maxEntities {
		t.Errorf("%d entities", len(got))
	}
	if got := Text("We met Z"+strings.Repeat("y", 5000)+".", Hints{}).Entities; len(got) != 0 {
		t.Errorf("a name of 5,000 letters: %d entities", len(got))
	}
}

func TestTypeOf(t *testing.T) {
	for name, want := range map[string]graph.EntityType{
		"Ana": graph.Person, "Ana Silva": graph.Person, "Dr. Okafor": graph.Person, "Berlin": graph.Place, "Lake Como": graph.Place,
		"Acme Inc": graph.Organization, "University of Oslo": graph.Organization, "main.go": graph.File, "Tether Summit": graph.Event,
		"project Atlas": graph.Project, "Kite project": graph.Project, "green tea": graph.Concept, "": graph.Concept, "?": graph.Concept,
		"Plover": graph.Concept, "postgres": graph.Concept, "5 May": graph.Concept, "deploy window": graph.Concept,
	} {
		if got := TypeOf(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
