// Package temporal reads the words of time in a text against a reference instant:
// "yesterday", "two weeks ago", "last Friday", "in March 2023", "before 2024",
// "between May and July", "2023-05-08", and the words that ask for what is latest.
// It is careful: what may mean something else ("may", "march", "second", a bare
// number) is read only with a word beside it that makes it a time.
//
// Windows are half-open [From, To) and in UTC; an open end is the zero time. Weeks
// begin on Monday (ISO 8601), seasons are the meteorological ones of the northern
// hemisphere. Where a year or a week is left out, the latest one that has begun is
// meant, or the next one where the text speaks of the future.
package temporal
