// Package static embeds with a static embedding model from a directory: a table with a
// vector for each token of a vocabulary, of which the vector of a text is the mean. Such
// models (Tulkens and van Dongen, "Model2Vec", 2024) are distilled from a sentence
// transformer; they know which words mean alike, need no network and no graphics
// processor, and answer in microseconds.
//
// A directory holds, as the hub serves them,
//
//	model.safetensors  the tensor "embeddings" (tokens × dimension); where they are there, "weights"
//	                   (one a token) and "mapping" (the row of each token)
//	tokenizer.json     how a text becomes tokens: WordPiece, Unigram or BPE, with what stands before them
//
// Both are read with bounds and refused where something in them isn't known; nothing in
// them is ever run. Fetch brings a model from the hub; what it brought is not asked for again.
package static
