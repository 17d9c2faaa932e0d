// Package viz is the room of the map: where a memory stands in space
// (viz/project) and how a scene travels to the explorer (viz/frame). Its packages
// are pure: vectors, columns and bytes come in and go out; there is no store, no
// clock and no random source in them.
package viz
