package graph

// Expected names what a transaction is about to read by key.
type Expected struct {
	Requests            []string     // keys of idempotent writes
	Names               []EntityName // unique names of entities
	Settings            []string     // names
	Memories            []ID
	Vectors             []ID // of memories
	Entities, Relations []ID
	Subjects            []string // their ACTIVE memories are listed, with the edges of those
}

// EntityName is the unique name of an entity.
type EntityName struct{ Namespace, User, Canonical string }

// Expecter is a [Reader] or [Tx] for which each read is a round trip to another machine.
type Expecter interface {
	// Expect reads at once what the caller is about to read. It changes no answer.
	Expect(Expected) error
}
