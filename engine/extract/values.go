package extract

// Values are the numbers and times of a text, in the forms that SameFacts compares, and its names in lower case.
type Values struct{ Numbers, Times, Names []string }

// ValuesOf returns the values of a text.
func ValuesOf(text string) Values {
	f := factsOf(text)
	return Values{f.numbers, f.times, f.names}
}
