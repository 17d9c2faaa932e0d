// Package noninterference has no code of its own. Its tests compare what a caller reads over a
// world with what it reads over a copy of that world without all that it may not see: the
// answers have the same bytes.
package noninterference
