package slots

// The slots of a partition are stored in chunks of ChunkSize.
const (
	ChunkBits = 8
	ChunkSize = 1 << ChunkBits
	ChunkMask = ChunkSize - 1
)

// None means no slot.
const None = ^uint32(0)
