// Package session stores conversations: the turns of a session in L0, and the tasks that
// they mention.
//
// A turn enters the ring of its conversation with one small write (observe.go, ring.go). It
// leaves for L1 when the ring is full, when the conversation is idle, or when the session is
// closed (flush.go, session.go). Then it is analysed and scored like any other memory.
package session
