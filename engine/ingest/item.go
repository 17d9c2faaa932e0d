package ingest

// Item is a draft that is not stored as a plain new memory: a turn of a conversation that
// enters the session buffer, or one that leaves it.
type Item interface {
	// Enters reports that the item enters the session buffer. Its consent is checked, and it
	// is not compared with other memories.
	Enters() bool
	// Store writes the item in the transaction of s. It may run again.
	Store(s *WriteTx, d *Draft, near []Neighbour) (RememberResult, error)
}

// enters reports a draft that enters the session buffer.
func (d *Draft) enters() bool { return d.Item != nil && d.Item.Enters() }

// finisher writes what the items of one transaction add up to, once, at its end.
type finisher interface {
	Finish(s *WriteTx) error
}
