package workspace

// Part names a part of the system that may be missing from an answer.
type Part string

// The parts.
const (
	PartEmbedder Part = "EMBEDDER"
	PartVectors  Part = "VECTORS"
	PartWords    Part = "WORDS"
	PartGraph    Part = "GRAPH"
	PartRecess   Part = "RECESS"
	PartStore    Part = "STORE"
	PartReranker Part = "RERANKER"
	PartChat     Part = "CHAT" // the language model
)
