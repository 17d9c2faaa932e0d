//go:build !soak

package recess

// everyMode: each step is cut in every way. Without the soak tag every second step is cut, and
// the ways alternate.
const everyMode = false
