package extract

// Values are the numbers, times and names of a text, in the forms of Particulars.
type Values struct{ Numbers, Times, Names []string }

// ValuesOf returns the values of a text.
func ValuesOf(text string) Values {
	f := factsOf(text)
	return Values{f.numbers, f.times, f.names}
}
