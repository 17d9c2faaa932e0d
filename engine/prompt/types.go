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
	Conversation Name = "CONVERSATION" // open tasks and the last turns
)

// Item is a memory or a turn for a prompt.
type Item struct {
	ID     string // "" for an item that is not a memory; it is not listed among the ids
	Text   string
	Score  float64   // items with a higher score stay longer; any range
	Rule   bool      // a standing rule: it comes before all that are none, in order of Score
	Tokens int       // tokens of Text, or of the whole text that Text is a part of, if known; 0: counted here
	Core   bool      // never shortened and left out last, in any layer; has no effect on turns
	At     time.Time // when it happened; zero: unknown
	Role   string    // of the speaker, such as user or assistant; "": unknown
	Who    string    // name of the speaker, which is quoted; "": unknown
	Mark   string    // what the reader must know of the text, such as "changed since 2026-03-02"; "": nothing
	Why    string    // why it is offered, for Result.Items
	Vector []float32 // unit length; nil: only an equal text is a duplicate
	Lines  []string  // entity–relation lines that may replace Text if the budget is short; nil: none
	Covers []string  // ids of the items that this one summarises: if the budget is short, it replaces them
	Topic  bool      // a line about many memories that is none itself: it replaces what it Covers whatever the budget is
	Quotes []string  // ids of the memories that the text of a topic quotes; they are listed among the ids
}

// Input is the input of Assemble. Items may come in any order; turns come oldest first.
type Input struct {
	Procedural, Project, Memories, Documents []Item
	Turns                                    []Item
	Tasks                                    []Item // what is still to be done, first things first; it stands before the turns
	Budget                                   int    // total tokens; ≤ 0: DefaultBudget
	Format                                   Format // "": Markdown
}

// Placed says what became of an item.
type Placed struct {
	ID     string
	Layer  Name
	Shown  bool
	Reason string // why it is there, or why it was left out
}

// Layer is one layer of a context.
type Layer struct {
	Name      Name
	Text      string   // as it appears in Result.Text; "" if the layer is empty
	Tokens    int      // of Text alone
	MemoryIDs []string // ids of its items, and of what topics quote, in the order of the text
}

// Result is a context. TotalTokens is at most the budget, or that of an empty context (LeastTokens).
type Result struct {
	Text        string
	Layers      []Layer  // all five, in order
	TotalTokens int      // tokens of Text, as counted by Count
	Truncated   bool     // the budget was spent, and an item was dropped or shortened for it
	TokensSaved int      // tokens of all given texts, with or without room, minus TotalTokens; topics do not count; at least 0
	Items       []Placed // what became of each item that has an id: those shown in the order of the text, then the others
}
