package scene

import (
	"sync"

	"github.com/somnograph/somnograph/viz/frame"
)

// edition is one frame as it is sent: whole or in tiles, each packed when it is first
// asked for, and once, however many pages ask at the same time.
type edition struct {
	of    *frame.Frame
	whole func() (*frame.Packed, error)
	tiles func() *frame.Tiles

	mu     sync.Mutex
	packed map[uint32]func() (*frame.Packed, error) // by the keys of tiles
}

func newEdition(f *frame.Frame) *edition {
	return &edition{
		of:     f,
		whole:  sync.OnceValues(func() (*frame.Packed, error) { return frame.Pack(f) }),
		tiles:  sync.OnceValue(func() *frame.Tiles { return frame.NewTiles(f) }),
		packed: map[uint32]func() (*frame.Packed, error){},
	}
}

// tile answers the tile of a key that there is.
func (e *edition) tile(key uint32) (*frame.Packed, error) {
	e.mu.Lock()
	pack, ok := e.packed[key]
	if !ok {
		pack = sync.OnceValues(func() (*frame.Packed, error) { return frame.Pack(e.tiles().Frame(key)) })
		e.packed[key] = pack
	}
	e.mu.Unlock()
	return pack()
}
