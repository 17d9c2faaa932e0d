//go:build !soak

package recess

// everyMode: each step is cut in every way. In a usual run every
// second step is cut, the ways take turns.
const everyMode = false
