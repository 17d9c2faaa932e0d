// Package arch checks the import table of ARCHITECTURE.md: which package may import which. Its
// test reads the module with go list and reports every violation.
package arch
