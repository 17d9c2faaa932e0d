package prompt

import "time"

// Format is how a context is written.
type Format string

// The formats.
const (
	Markdown Format = "MARKDOWN" // a heading and a fenced list a layer
	XML      Format = "XML"      // elements, text escaped
	JSON     Format = "JSON"     // one document
)

// Name names a layer.
type Name string

// The layers, in the order in which they stand in the text, most stable first.
const (
	Procedural   Name = "PROCEDURAL"   // how to do things
	Project      Name = "PROJECT"      // the project and core memories
	Memories     Name = "MEMORIES"     // what memory says to the question
	Documents    Name = "DOCUMENTS"    // chunks of documents
	Conversation Name = "CONVERSATION" // the last turns
)

// Item is one memory, or one turn, on its way into a prompt.
type Item struct {
	ID     string // "": it is no memory; it is not counted among the ids
	Text   string
	Score  float64   // higher stays longer; any range
	Tokens int       // of Text, where the caller knows them; 0: counted here
	Core   bool      // never cut, whatever the layer; means nothing among turns
	At     time.Time // when it happened; zero: not said
	Who    string    // who said it; "": not said
	Vector []float32 // unit length; nil: only an equal text is its duplicate
	Lines  []string  // entity–relation lines that may stand in for Text where room is short; none: it has none
	Covers []string  // ids of items that this one sums up: where room is short, they leave for it
}

// Input is what a context is made of. Items come in any order; turns oldest first.
type Input struct {
	Procedural, Project, Memories, Documents []Item
	Turns                                    []Item
	Budget                                   int    // tokens in all; ≤ 0: DefaultBudget
	Format                                   Format // "": Markdown
}

// Layer is one layer of a context.
type Layer struct {
	Name      Name
	Text      string   // as it stands in Result.Text; "" where there is nothing
	Tokens    int      // of Text alone
	MemoryIDs []string // of the items in it, in the order of the text
}

// Result is a context. TotalTokens is at most the budget, unless the core memories
// and the last turns at their shortest need more.
type Result struct {
	Text        string
	Layers      []Layer // all five, in order
	TotalTokens int     // of Text, as Count counts
	Truncated   bool    // something was left out or made smaller for want of room
	TokensSaved int     // tokens less than the texts of all items given; at least 0
}
