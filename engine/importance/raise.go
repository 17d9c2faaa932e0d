package importance

// DailyRaise is what the first use on a UTC day multiplies importance by.
const DailyRaise = 1.2

// Raised is the importance of a memory that was used on so many days: the stored value
// times 1.2 a day, at most 1, of which only the retained share of the raise is left.
// It is derived on read, so a second look raises nothing. All in [0,1] but usageDays.
func Raised(stored float64, usageDays int, retention float64) float64 {
	stored = clamp(stored)
	top := stored
	for range usageDays {
		if top == 0 || top >= 1 {
			break
		}
		top = min(1, top*DailyRaise)
	}
	return stored + (top-stored)*clamp(retention)
}
