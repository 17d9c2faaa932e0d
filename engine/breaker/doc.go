// Package breaker keeps callers from waiting for a part that does not work: after too many failures
// in a row it refuses calls at once, and lets single calls through later to see whether the part
// works again.
//
// A Breaker is CLOSED (calls pass), OPEN (calls are refused) or HALF_OPEN (one call is under way that
// decides). A Set holds the breakers of a server, for health, metrics, alarms and a reset by hand.
package breaker
