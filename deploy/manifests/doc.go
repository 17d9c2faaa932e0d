// Package manifests proves what deploy/ says without running a container: its tests build the
// Kubernetes manifests as kubectl apply -k would and decode them strictly into the types of
// the API, load the compose files and the Dockerfile with the parsers of the tools that read
// them, follow every reference from one part to another, and hand what the containers are
// started with to the program itself.
//
// It is a module of its own, so that none of that becomes a dependency of Somnograph.
package manifests
