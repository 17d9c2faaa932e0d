package engine

// Item is a draft that is not stored as a plain new memory: a turn of a conversation that
// enters the session buffer, or one that leaves it.
type Item interface {
	// Enters reports that the item enters the session buffer. Its consent is checked, and it
	// is not compared with other memories.
	Enters() bool
	// Store writes the item in the transaction of s. It may run again.
	Store(s *storing, d *draft, near []neighbour) (RememberResult, error)
}

// enters reports a draft that enters the session buffer.
func (d *draft) enters() bool { return d.item != nil && d.item.Enters() }

// finisher writes what the items of one transaction add up to, once, at its end.
type finisher interface {
	Finish(s *storing) error
}
