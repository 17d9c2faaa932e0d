// Package alarm decides when a server raises an alarm. It holds the indicators with their bands,
// and a step from readings to alarms that begin, change and end. It is pure: the caller passes
// readings, time and ids, stores what Step returns, and carries out the actions.
package alarm
