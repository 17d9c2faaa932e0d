package slots

const (
	ChunkBits = 8
	ChunkSize = 1 << ChunkBits
	ChunkMask = ChunkSize - 1
)

// none stands for no slot.
const None = ^uint32(0)
