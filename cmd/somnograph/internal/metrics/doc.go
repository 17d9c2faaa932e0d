// Package metrics makes the Prometheus metrics of a server. Labels have few values, which this
// package or the schema lists: never a tenant, a user or a namespace. docs/metrics.md has the table.
package metrics
