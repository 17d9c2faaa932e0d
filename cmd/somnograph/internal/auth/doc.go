// Package auth authenticates the requests of the HTTP server: it finds the credential of a
// request, limits failed tries per address, and ends sockets and streams with their credential.
//
// A credential is an API key (package access), in the header Authorization: Bearer, in the
// payload of a WebSocket's connection_init, or in the cookie that the sign-in page sets.
package auth
