package workspace

// Part is a part of the system that can be unavailable while a request is answered.
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

// Parts lists every Part.
var Parts = []Part{PartEmbedder, PartVectors, PartWords, PartGraph, PartRecess, PartStore, PartReranker, PartChat}
