package reader

import (
	_ "embed"

	"github.com/somnograph/somnograph/engine/reader/boosted"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

var (
	//go:embed data/weights.bin
	weightsFile []byte
	//go:embed data/trees.bin
	treesFile []byte
	//go:embed data/wording.bin
	wordingFile []byte

	model        = embedded(linear.Read(weightsFile))
	forest       = embedded(boosted.Read(treesFile))
	wordingModel = embedded(wording.Read(wordingFile))
)

// embedded returns a model that is part of the program.
func embedded[M any](m *M, err error) *M {
	if err != nil {
		panic(err)
	}
	return m
}
