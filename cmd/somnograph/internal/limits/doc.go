// Package limits sets and reads the limits of the process: its memory, its open files, and the mode of the files
// that it makes.
package limits
