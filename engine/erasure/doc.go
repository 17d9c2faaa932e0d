// Package erasure answers how memories leave: how they are erased permanently (Forget), and how
// the memories of a bad source are withdrawn without erasing anything (WithdrawSource).
//
// An erasure is a stored job, so that a crash can't leave it half done. It erases page by page,
// together with every memory whose words derive from an erased one, also in the recess, and
// ends with a receipt whose hash anyone can verify. ADR 19. A safety-critical memory survives
// only in a form that names nobody. ADR 17.
//
// A withdrawal archives the memories of a source and everything derived from them, makes
// ACTIVE again what they had merged or superseded, and rebuilds summaries from the remaining
// sources. Each memory of the source is one transaction.
//
// Seams: [Sessions] and [Feedback] erase the records of other packages, a sleep.Serial runs
// withdrawals between writes, and the sleep.Service rebuilds derived memories.
package erasure
