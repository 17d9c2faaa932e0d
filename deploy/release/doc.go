// Command release writes the version of a release, and the checksums of its binaries, into the
// files that name them:
//
//	go run . 1.2.0 ../../dist/checksums.txt
//
// The tests check the configuration of releases with the code of those who read it: goreleaser's
// and the MCP registry's. It is a module of its own, so that they do not become dependencies of
// Somnograph.
package main
