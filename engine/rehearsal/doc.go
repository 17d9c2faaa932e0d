// Package rehearsal answers what the store would hold after some writes that are not stored. A dry run
// carries out its steps in it, and a rollback finds in it which conflicts it would cause.
package rehearsal
