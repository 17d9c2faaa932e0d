// Package arch keeps the import table of ARCHITECTURE.md: which room may import
// which. Its test reads the module with go list and names every offender.
package arch
