package static

import (
	"context"

	"github.com/somnograph/somnograph/engine/models/hub"
)

// maxTensors is the bytes of the largest table that is fetched.
const maxTensors = 8 << 30

// Fetch answers a directory with a model of the hub, "owner/model" or
// "owner/model@revision", for Open. A model is at the top, as model2vec puts it, or in the
// folder of the module, as sentence-transformers does.
func Fetch(ctx context.Context, h hub.Hub, name string) (string, error) {
	files := []hub.File{{Name: tensorFile, Most: maxTensors}, {Name: tokenizerFile, Most: maxTokenizer}}
	return h.Fetch(ctx, name, files, "", "0_StaticEmbedding")
}
