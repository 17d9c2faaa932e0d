//go:build soak

package recess

const everyMode = true
