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

	model        = linear.Embedded(linear.Read(weightsFile))
	forest       = linear.Embedded(boosted.Read(treesFile))
	wordingModel = linear.Embedded(wording.Read(wordingFile))
)
