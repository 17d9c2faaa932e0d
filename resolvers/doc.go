// Package resolvers is the GraphQL surface: it decodes a request, bounds it, makes one
// call of the engine and puts the answer into the words of schema.graphqls.
//
// What is generated from the schema lives in internal/gql and is never edited. Requests
// come in over POST and GET, server-sent events and WebSocket (internal/wire); they are
// bounded before and after validation (internal/limit). Errors carry one of the schema's
// codes; what is not meant to be shown is logged under an id.
package resolvers
