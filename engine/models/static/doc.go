// Package static embeds texts with a static embedding model: the vector of a text is the mean
// of its token vectors, read from a table. Such models (Tulkens and van Dongen, "Model2Vec",
// 2024) are distilled from a sentence transformer. They capture similarity of meaning, need no
// network and no GPU, and answer in microseconds.
//
// A model is a directory with the files of the hub:
//
//	model.safetensors  the tensor "embeddings" (tokens × dimension); optional: "weights"
//	                   (one per token) and "mapping" (row of each token)
//	tokenizer.json     normalisation, pre-tokenization and a WordPiece, Unigram or BPE model
//
// Both files are read with size limits. Unknown components are errors. No code from a file is
// run. Fetch downloads a model from the hub once.
package static
