package scene

import (
	"sync"

	"github.com/somnograph/somnograph/viz/frame"
)

// encodedFrame is a frame in the form it is sent, whole or in tiles. Each is packed once, at
// the first request for it, however many requests are concurrent.
type encodedFrame struct {
	of    *frame.Frame
	whole func() (*frame.Packed, error)
	tiles func() *frame.Tiles

	mu     sync.Mutex
	packed map[uint32]func() (*frame.Packed, error) // by the keys of tiles
}

// newEncodedFrame encodes a frame in tiles of at most size nodes; 0: [frame.TileNodes].
func newEncodedFrame(f *frame.Frame, size int) *encodedFrame {
	return &encodedFrame{
		of:     f,
		whole:  sync.OnceValues(func() (*frame.Packed, error) { return frame.Pack(f) }),
		tiles:  sync.OnceValue(func() *frame.Tiles { return frame.NewTiles(f, size) }),
		packed: map[uint32]func() (*frame.Packed, error){},
	}
}

// tile returns the tile of an existing key.
func (e *encodedFrame) tile(key uint32) (*frame.Packed, error) {
	e.mu.Lock()
	pack, ok := e.packed[key]
	if !ok {
		pack = sync.OnceValues(func() (*frame.Packed, error) { return frame.Pack(e.tiles().Frame(key)) })
		e.packed[key] = pack
	}
	e.mu.Unlock()
	return pack()
}
