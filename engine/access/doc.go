// Package access says who may call the server and what a caller may do: the scopes of a
// credential, the API keys, and the tenants with their quotas.
//
// A key is a text that is shown once, when it is made ([Keys.Create]):
//
//	sgk_<id>_<secret><check>
//
// id is the key's public name, 22 letters and digits. secret is 30 letters and digits, 178
// random bits. check is the CRC-32 of what is before it, 6 letters and digits: scanners of
// source code recognise a leaked key by it, and a mistyped one is refused without a read.
//
// The store has one note for each key in graph.ServerScope, with an HMAC-SHA-256 of the text
// under a pepper that is not in the store. Who reads the store can't make a key from it.
package access
