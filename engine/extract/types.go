package extract

import "github.com/somnograph/somnograph/graph"

// Hints are what is known about a text besides its words.
type Hints struct {
	Speaker string // who says it; stands for "I" and "my"
}

// Entity is a named thing in a text.
type Entity struct {
	Name      string // as written
	Canonical string // see Canonical
	Type      graph.EntityType
	Start     int // bytes; where it is first mentioned
	End       int
}

// Statement is what a text says of whom. A predicate that begins with "not_" or
// "formerly_" says that it is not, or no longer, so; such a one is never functional.
type Statement struct {
	Subject, Predicate, Object string
	Functional                 bool // one object at a time: another one takes its place
}

// Result is what Text reads.
type Result struct {
	Entities  []Entity   // in order of first mention, each once
	Statement Statement  // empty where there is none
	Type      graph.Type // SEMANTIC, PROCEDURAL or EPISODIC
	Salience  float64    // [0,1]
}
