package extract

import "github.com/somnograph/somnograph/graph"

// Hints is what is known about a text besides its words.
type Hints struct {
	Speaker string // the name for which "I" and "my" stand
	NoRules bool   // the speaker lays down no rules: an assistant, a tool
}

// Entity is a named thing in a text.
type Entity struct {
	Name      string // as written
	Canonical string // see Canonical
	Type      graph.EntityType
	Start     int // byte offset of the first mention
	End       int
}

// Statement is what a text states. A predicate that begins with "not_" or "formerly_" says that it
// is not so, or no longer, and is never functional.
type Statement struct {
	Subject, Predicate, Object string
	Functional                 bool // one object at a time: a new one replaces it
}

// Result is what Text returns.
type Result struct {
	Entities  []Entity   // in order of first mention, each once
	Statement Statement  // empty if there is none
	Type      graph.Type // SEMANTIC, PROCEDURAL or EPISODIC
	Salience  float64    // [0,1]
}
