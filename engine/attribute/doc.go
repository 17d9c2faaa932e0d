// Package attribute tells which questions ask for an attribute of somebody, such as work, origin or
// age, and which claims state it, in whatever words: "Where do I work?" and "I'm a flight nurse".
//
// Question reads the attributes that a question asks for, Of those that a claim states. Keys gives
// the index the keys under which such claims are found. One table, attributes.txt, has both sides. The
// value of a claim is told by the classes of its words in package lexicon: "I'm an electrician" states
// work, because an electrician is an occupation.
//
// The functions are pure and safe for concurrent use. The rules are for English.
package attribute
