// Package auth authenticates the requests of the HTTP server: it finds the credential of a
// request, limits failed tries per address, and ends sockets and streams with their credential.
//
// A credential is an API key (package access) or a bearer token of an issuer (package oidc), in the
// header Authorization: Bearer or in the payload of a WebSocket's connection_init. The cookie that the
// sign-in page sets has a key, or the sealed session of somebody who signed in at an issuer.
package auth
