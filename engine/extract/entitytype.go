package extract

import (
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// kindOf guesses the type of the name of n words at i, from the name and from the words around it.
func kindOf(ws []Word, i, n int) graph.EntityType {
	if kind := kindByName(ws[i : i+n]); kind != "" {
		return kind
	}
	before, before2, after := "", "", ""
	if i > 0 && (ws[i-1].SignAfter == 0 || ws[i-1].SignAfter == ',' && greetings[ws[i-1].Low]) {
		before = ws[i-1].Low
		if i > 1 {
			before2 = ws[i-2].Low
		}
	}
	if last := ws[i+n-1]; i+n < len(ws) && last.SignAfter == 0 {
		after = ws[i+n].Low
	}
	verb := ""
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if placeVerbs[ws[k].Low] || workVerbs[ws[k].Low] {
			verb = ws[k].Low
			break
		}
	}
	switch {
	case before == "project" || after == "project" || after == "repo" || after == "repository" || after == "codebase":
		return graph.Project
	case greetings[before], before == "thank" || before == "you" && before2 == "thank":
		return graph.Person
	case titles[before] || peopleWords[before] || peopleWords[after] && ws[i+n-1].Possessive:
		return graph.Person
	case givenNames[ws[i].Low]:
		return graph.Person
	case personVerbs[after]:
		return graph.Person
	case workVerbs[verb] && (before == "at" || before == "for" || before == "joined" || before == "by" || before == "with"), before == "joined", before == "startup", before == "company":
		return graph.Organization
	case placeVerbs[verb] && (before == "in" || before == "to" || before == "near" || before == "from" || before == "visited" || before == "at" || before == "around"):
		return graph.Place
	case before == "in" && before2 != "interested" && before2 != "believe" && before2 != "written" && before2 != "write" && n <= 2 && !ws[i].allCapitals():
		return graph.Place
	case (before == "called" || before == "named") && ws[max(0, i-2)].Low != "book":
		return graph.Object
	}
	return graph.Concept
}

var (
	greetings  = english.WordSet("hey hi hello thanks dear bye goodbye")
	placeVerbs = wordLists.Set("placeVerbs")
	workVerbs  = english.WordSet("work works worked working job joined join interned employed hired study studies studied degree intern interview offer")
)

// kindByName returns the type that the words of a name show by themselves; empty if they do not.
func kindByName(ws []Word) graph.EntityType {
	last, first := ws[len(ws)-1].Low, ws[0].Low
	switch {
	case isFile(ws[0]) && len(ws) == 1:
		return graph.File
	case software[first] && len(ws) == 1:
		return graph.Concept
	case len(ws) > 1 && eventEnds[last]:
		return graph.Event
	case len(ws) > 1 && orgEnds[last], strings.Contains(nameText(ws), "&"):
		return graph.Organization
	case len(ws) > 1 && (orgEnds[first] && ws[1].Low == "of"):
		return graph.Organization
	case titles[first] && len(ws) > 1:
		return graph.Person
	case len(ws) > 1 && (placeEnds[last] || placeEnds[first] && ws[1].Low == "of" || placeHeads[first] && !givenNames[last]):
		return graph.Place
	case len(ws) == 1 && places[first] && !givenNames[first], len(ws) == 2 && places[last] && !givenNames[first]:
		return graph.Place
	case givenNames[first] && !places[last]:
		return graph.Person
	case places[first] && len(ws) == 1:
		return "" // Florence, Jordan: the words around the name decide
	}
	return ""
}

// IsSoftware reports the name, in lower case, of a well-known program, language or format.
func IsSoftware(low string) bool { return software[low] }

// TypeOf guesses the type of the entity that a name denotes, without context; CONCEPT if nothing
// shows it.
func TypeOf(name string) graph.EntityType {
	var ws []Word
	for _, s := range sentences(name) {
		ws = append(ws, s.Words...)
	}
	if len(ws) == 0 {
		return graph.Concept
	}
	if ws[0].Low == "project" && len(ws) > 1 || ws[len(ws)-1].Low == "project" {
		return graph.Project
	}
	if !ws[0].capital() && !isFile(ws[0]) && len(ws) > 1 {
		return graph.Concept
	}
	if kind := kindByName(ws); kind != "" {
		return kind
	}
	if places[ws[0].Low] && ws[0].capital() {
		return graph.Place
	}
	return graph.Concept
}
