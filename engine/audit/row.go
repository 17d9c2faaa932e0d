package audit

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Server is the principal of the server's own work, such as automatic sleeps.
const Server = "server"

// Upkeep is the verb of background work that names none.
const Upkeep = "upkeep"

// OK is the outcome of a call without an error. Others have the code of the error.
const OK = "OK"

// Begun is the outcome of a row that was written before the call did anything, see [Log.Begin]. The call
// has another row for its end, unless the process was killed in between.
const Begun = "BEGUN"

// MaxIDs is the largest number of ids that a row names.
const MaxIDs = 100

// Row says what one transaction of a call wrote, or how many calls of a minute wrote nothing.
type Row struct {
	At         time.Time  `json:"at"`        // of the commit; the start of the minute if Counted
	Principal  string     `json:"principal"` // id of the credential, or the caller's name
	Verb       string     `json:"verb"`
	Namespaces []string   `json:"namespaces,omitempty"` // of the memories, ascending
	IDs        []graph.ID `json:"ids,omitempty"`        // written memories, in the order of the writes
	More       int        `json:"more,omitempty"`       // written memories that IDs does not name
	Outcome    string     `json:"outcome"`
	Decision   string     `json:"decision,omitempty"` // what became of the memories: kinds of change, ascending, joined by +
	Counted    bool       `json:"counted,omitempty"`  // the row counts calls that wrote nothing
	Count      int        `json:"count"`              // calls; 1 unless Counted
	Millis     float64    `json:"ms"`                 // time from the call to the commit; the mean if Counted
}

// Entry is a row with its place in the chain.
type Entry struct {
	Chain  string
	Seq    uint64 // from 1; 0: the row is not sealed yet
	Cursor string // position for List
	Row
}
