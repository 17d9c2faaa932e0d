// Package telemetry says what an operator sees of a call: spans of a trace, and measurements.
//
// Spans use the API of OpenTelemetry, with the attribute names of its conventions for generative
// AI, among them those for memory. No attribute has text of a memory or of a question, unless
// the server was told to record it.
package telemetry
