//go:build !soak

package recess

// everyMode: each step is cut in every way. In a usual run the ways take turns.
const everyMode = false
