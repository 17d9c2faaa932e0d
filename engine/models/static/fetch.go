package static

import (
	"context"

	"github.com/somnograph/somnograph/engine/models/hub"
)

// maxTensors is the maximum size of a downloaded table in bytes.
const maxTensors = 8 << 30

// Fetch downloads a model of the hub, "owner/model" or "owner/model@revision", and returns its
// directory for Open. The files are at the top level (model2vec) or in a module folder
// (sentence-transformers).
func Fetch(ctx context.Context, h hub.Hub, name string) (string, error) {
	files := []hub.File{{Name: tensorFile, Most: maxTensors}, {Name: tokenizerFile, Most: maxTokenizer}}
	return h.Fetch(ctx, name, files, "", "0_StaticEmbedding")
}
