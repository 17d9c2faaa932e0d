// Package temporal reads expressions of time in a text, relative to a reference instant:
// "yesterday", "two weeks ago", "last Friday", "in March 2023", "before 2024", "between May and
// July", "2023-05-08", and words that ask for the latest.
//
// Words that may mean something else ("may", "march", "second", a bare number) are read as a time
// only next to a word that makes them one.
//
// Windows are half-open [From, To) and in UTC; an open end is the zero time. Weeks begin on Monday
// (ISO 8601), seasons are the meteorological ones of the northern hemisphere. If the year or the
// week is not given, the latest one that has begun is meant, or the next one if the text speaks of
// the future.
package temporal
