// Package resolvers implements the GraphQL API. A resolver decodes and checks the request,
// makes one call to the engine and encodes the result as schema.graphqls defines it.
//
// Code generated from the schema is in internal/gql and is never edited. Requests arrive over
// POST and GET, server-sent events and WebSocket (internal/wire). They are limited before and
// after validation (internal/limit). Every error has one of the schema's codes. Internal errors
// are logged under an id, and only the id is returned.
package resolvers
