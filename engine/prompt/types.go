package prompt

import "time"

// Format is how a context is written.
type Format string

// The formats.
const (
	Markdown Format = "MARKDOWN"
	XML      Format = "XML"
	JSON     Format = "JSON"
)

// Name names a layer.
type Name string

// The layers in their order in the text, most stable first.
const (
	Procedural   Name = "PROCEDURAL"   // how to do things
	Project      Name = "PROJECT"      // the project and core memories
	Memories     Name = "MEMORIES"     // what memory says to the question
	Documents    Name = "DOCUMENTS"    // chunks of documents
	Conversation Name = "CONVERSATION" // the last turns
)

// DefaultBudget is the tokens of a whole context: 300, 600, 1,200, 800 and 1,500 by
// layer. Another total scales them.
const DefaultBudget = 4400

// Item is one memory on its way into a prompt.
type Item struct {
	ID     string
	Text   string
	Score  float64   // higher stays longer; any range
	Core   bool      // never cut; honoured in every layer
	At     time.Time // when it happened; zero: not said
	Who    string    // who said it, or "": not said
	Vector []float32 // unit length, or nil: its near duplicates are found by equal text only
	Lines  []string  // entity–relation lines that stand in for a long text, or none
	Covers []string  // ids of items that this one sums up; they leave, it stays
}

// Input is what a context is made of. Each layer's items come in any order, except
// the turns, which come oldest first.
type Input struct {
	Procedural, Project, Memories, Documents []Item
	Turns                                    []Item
	Budget                                   int    // tokens in all; ≤ 0: DefaultBudget
	Format                                   Format // empty: Markdown
}

// Layer is one layer of a context.
type Layer struct {
	Name      Name
	Text      string   // as it stands in Result.Text; empty where there is nothing
	Tokens    int      // of Text alone
	MemoryIDs []string // used in it, in the order of the text
}

// Result is a context.
type Result struct {
	Text        string
	Layers      []Layer // all five, in order
	TotalTokens int     // of Text
	Truncated   bool    // something was left out or cut for the budget
	TokensSaved int     // less than the raw items would have taken; never below 0
}
