// Package manifests tests deploy/ without running a container. Its tests build the Kubernetes
// manifests as kubectl apply -k does and decode them strictly into the types of the API. They
// load the compose files and the Dockerfile with the parsers of Docker, follow every reference
// from one part to another, and pass the arguments and settings of the containers to the program.
//
// It is a module of its own, so that these parsers do not become dependencies of Somnograph.
package manifests
