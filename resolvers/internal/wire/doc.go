// Package wire implements the GraphQL transports: POST and GET as in GraphQL over HTTP,
// server-sent events in distinct connections mode, and graphql-transport-ws over WebSocket.
//
// It reports errors before execution through the executor's error presenter, and never echoes
// or logs the request.
package wire
