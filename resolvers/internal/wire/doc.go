// Package wire carries GraphQL: POST and GET as GraphQL over HTTP has it, server-sent
// events in distinct connections, and graphql-transport-ws over WebSocket.
//
// It answers what fails before execution itself, through the executor's error
// presenter, and never repeats or logs what it was sent.
package wire
