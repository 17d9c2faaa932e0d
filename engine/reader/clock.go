package reader

import (
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// readClock reads a time of day: "9:30", "14:00", "9am", "five o'clock", "half past nine",
// "noon", and a bare hour after "at".
func readClock(words, before []word) (string, int) {
	low := words[0].low
	switch low {
	case "noon", "midday":
		return "12:00", 1
	case "midnight":
		return "0:00", 1
	}
	if len(words) > 2 && (low == "half" || low == "quarter") && (words[1].low == "past" || words[1].low == "to") {
		if h, ok := hour(words[2].low); ok {
			m := 30
			if low == "quarter" {
				m = 15
			}
			if words[1].low == "to" {
				h, m = h-1, 60-m
			}
			return meridiem(h, m, words, 3)
		}
	}
	if h, m, ok := strings.Cut(low, ":"); ok {
		suffix := strings.TrimLeft(m, "0123456789")
		hh, err1 := strconv.Atoi(h)
		mm, err2 := strconv.Atoi(strings.TrimSuffix(m, suffix))
		if err1 != nil || err2 != nil || hh > 24 || mm > 59 {
			return "", 0
		}
		if suffix != "" {
			return clock(hh, mm, suffix), 1
		}
		return meridiem(hh, mm, words, 1)
	}
	for _, s := range []string{"am", "pm"} {
		if h, ok := strings.CutSuffix(low, s); ok {
			if hh, ok := hour(h); ok {
				return clock(hh, 0, s), 1
			}
		}
	}
	h, ok := hour(low)
	if !ok {
		return "", 0
	}
	if len(words) > 1 && (words[1].low == "am" || words[1].low == "pm" || words[1].low == "o'clock") {
		return meridiem(h, 0, words, 1)
	}
	if len(words) > 3 && words[1].low == "in" && words[2].low == "the" && tables.part[words[3].low] {
		return meridiem(h, 0, words, 1)
	}
	if len(before) > 0 && before[len(before)-1].low == "at" && words[0].sign == 0 && (len(words) == 1 || words[1].sign != 0 || tables.function[words[1].low] && words[1].low != "percent") {
		return clock(h, 0, ""), 1
	}
	return "", 0
}

func hour(low string) (int, bool) {
	if n, ok := english.NumberWord(low); ok {
		return n, n <= 12 && n > 0
	}
	n, err := strconv.Atoi(low)
	return n, err == nil && n > 0 && n <= 24
}

// meridiem adds "am" or "pm", if it is the word at n.
func meridiem(h, m int, words []word, n int) (string, int) {
	if n < len(words) && (words[n].low == "am" || words[n].low == "pm" || words[n].low == "o'clock") {
		return clock(h, m, words[n].low), n + 1
	}
	if n+2 < len(words) && words[n].low == "in" && words[n+1].low == "the" && tables.part[words[n+2].low] {
		if words[n+2].low == "morning" {
			return clock(h, m, "am"), n + 3
		}
		return clock(h, m, "pm"), n + 3
	}
	return clock(h, m, ""), n
}

func clock(h, m int, suffix string) string {
	if suffix == "pm" && h < 12 {
		h += 12
	}
	return strconv.Itoa(h) + ":" + strconv.Itoa(m/10) + strconv.Itoa(m%10)
}

// readDate reads a day of a month, with or without a year: "4 May", "May 4th, 2026",
// "2026-05-04".
func readDate(words []word) (string, int) {
	low := words[0].low
	if len(low) == 10 && low[4] == '-' && low[7] == '-' && isNumeric(low) {
		return low[5:], 1
	}
	day, month, n := 0, 0, 0
	if d, ok := dayOfMonth(low); ok && len(words) > 1 {
		n = 1
		if words[1].low == "of" && len(words) > 2 {
			n = 2
		}
		day, month = d, int(english.Month(words[n].low))
	} else if m := english.Month(low); m != 0 && len(words) > 1 {
		n = 1
		if words[1].low == "the" && len(words) > 2 {
			n = 2
		}
		if d, ok := dayOfMonth(words[n].low); ok {
			day, month = d, int(m)
		}
	}
	if day == 0 || month == 0 {
		return "", 0
	}
	n++
	if n < len(words) && len(words[n].low) == 4 && isNumeric(words[n].low) {
		n++
	}
	return strconv.Itoa(month + 100)[1:] + "-" + strconv.Itoa(day + 100)[1:], n
}

func dayOfMonth(low string) (int, bool) {
	for _, s := range []string{"st", "nd", "rd", "th"} {
		if d, ok := strings.CutSuffix(low, s); ok {
			low = d
			break
		}
	}
	d, err := strconv.Atoi(low)
	return d, err == nil && d > 0 && d < 32
}

// readPhone reads a number of seven digits or more that blanks separate.
func readPhone(words []word) (string, int) {
	digits, n := "", 0
	for n < len(words) && n < 6 && (n == 0 || words[n].sign == 0 || words[n].sign == '-') {
		d := strings.ReplaceAll(words[n].low, "-", "")
		if d == "" || strings.Trim(d, "0123456789") != "" || len(d) < 2 {
			break
		}
		digits += d
		n++
	}
	if len(digits) < 7 || n == 1 && len(digits) < 9 {
		return "", 0
	}
	return digits, n
}
