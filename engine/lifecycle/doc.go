// Package lifecycle holds the transitions of a memory that several verbs share, as functions
// of a transaction: how the conflict signal of its neighbours changes when it stops or starts
// being ACTIVE, how memories that were merged into it become ACTIVE again, and the defaults
// that a write gives it. It knows no clock, no index and no model.
package lifecycle
