package prompt

import "time"

// Format is the format of a context.
type Format string

// The formats.
const (
	Markdown Format = "MARKDOWN" // a heading and a fenced list for each layer
	XML      Format = "XML"      // elements with escaped text
	JSON     Format = "JSON"     // one document
)

// Name names a layer.
type Name string

// The layers in the order of the text, most stable first.
const (
	Procedural   Name = "PROCEDURAL"   // how to do things
	Project      Name = "PROJECT"      // the project and core memories
	Memories     Name = "MEMORIES"     // memories that match the question
	Documents    Name = "DOCUMENTS"    // chunks of documents
	Conversation Name = "CONVERSATION" // the last turns
)

// Item is a memory or a turn for a prompt.
type Item struct {
	ID     string // "" for an item that is not a memory; it is not listed among the ids
	Text   string
	Score  float64   // items with a higher score stay longer; any range
	Tokens int       // tokens of Text if known; 0: counted here
	Core   bool      // never cut, in any layer; has no effect on turns
	At     time.Time // when it happened; zero: unknown
	Who    string    // the speaker; "": unknown
	Vector []float32 // unit length; nil: only an equal text is a duplicate
	Lines  []string  // entity–relation lines that may replace Text if the budget is short; nil: none
	Covers []string  // ids of the items that this one summarises: if the budget is short, it replaces them
}

// Input is the input of Assemble. Items may come in any order; turns come oldest first.
type Input struct {
	Procedural, Project, Memories, Documents []Item
	Turns                                    []Item
	Budget                                   int    // total tokens; ≤ 0: DefaultBudget
	Format                                   Format // "": Markdown
}

// Layer is one layer of a context.
type Layer struct {
	Name      Name
	Text      string   // as it appears in Result.Text; "" if the layer is empty
	Tokens    int      // of Text alone
	MemoryIDs []string // ids of its items in the order of the text
}

// Result is a context. TotalTokens is at most the budget, unless the core memories and the
// shortened last turns need more.
type Result struct {
	Text        string
	Layers      []Layer // all five, in order
	TotalTokens int     // tokens of Text, as counted by Count
	Truncated   bool    // an item was dropped or shortened
	TokensSaved int     // tokens of the given texts minus TotalTokens; at least 0
}
