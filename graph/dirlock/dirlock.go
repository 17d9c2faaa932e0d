// Package dirlock lets one process at a time use a directory. The lock ends with the
// process.
package dirlock

// fileName is the name of the lock file in the directory.
const fileName = "lock"
