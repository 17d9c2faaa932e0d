package importance

// DailyRaise is the factor of the first use on a UTC day.
const DailyRaise = 1.2

// Raised is the importance of a memory after usageDays days of use: the stored value times 1.2
// for each day, at most 1, of which only the retained share of the increase counts. It is
// derived on read, so reading again raises nothing. All values except usageDays are in [0,1].
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
