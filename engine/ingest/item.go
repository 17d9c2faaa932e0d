package ingest

// Item is a draft that is not stored as a plain new memory: a conversation turn that
// enters the session buffer, or one that leaves it.
type Item interface {
	// Enters reports whether the item enters the session buffer. Such an item needs
	// consent, and is not compared with other memories.
	Enters() bool
	// Store writes the item in the transaction of s. It may run again.
	Store(s *WriteTx, d *Draft, near []Neighbour) (RememberResult, error)
}

// enters reports whether a draft enters the session buffer.
func (d *Draft) enters() bool { return d.Item != nil && d.Item.Enters() }

// finisher writes the summary of the items of one transaction, once, at its end.
type finisher interface {
	Finish(s *WriteTx) error
}
