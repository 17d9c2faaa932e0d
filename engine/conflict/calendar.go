package conflict

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

func dateOf(d time.Time) value {
	return value{kind: valueDate, num: float64(int(d.Month())*100 + d.Day()), year: d.Year()}
}

func (r *reader) hour(i int) (float64, bool) {
	if n, ok := numberWord(r.low(i)); ok && n >= 1 && n <= 12 {
		return n, true
	}
	n, err := strconv.ParseFloat(r.low(i), 64)
	return n, err == nil && n >= 1 && n <= 12
}

// day reads a day of the month: 5, 5th, fifth.
func (r *reader) day(i int) (float64, bool) {
	w := r.low(i)
	if n, ok := ordinalWord(w); ok {
		return n, true
	}
	w, _ = english.CutOrdinal(w)
	if len(w) > 2 || !digits(w) {
		return 0, false
	}
	n, err := strconv.ParseFloat(w, 64)
	return n, err == nil && n >= 1 && n <= 31
}

func (r *reader) year(i int) int {
	w := r.low(i)
	if len(w) != 4 || !digits(w) {
		return 0
	}
	if n, err := strconv.Atoi(w); err == nil && n >= 1800 && n < 2200 {
		return n
	}
	return 0
}

// month reads "May 5", "5 May 2024", "the 5th of May", "in May", "May 2024".
func (r *reader) month(i int) int {
	if d, ok := r.day(i); ok {
		j := i + 1
		if r.low(j) == "of" {
			j++
		}
		if m, ok := monthOf(r.low(j)); ok && r.t[j].raw[0] < 'a' {
			return r.date(i, j+1, m, d)
		}
		if figures, ok := english.CutOrdinal(r.low(i)); ok && digits(figures) && r.low(i-1) == "the" && !r.noun(i+1) {
			r.add(i, value{kind: valueDate, num: d, partial: true})
			return 1
		}
		return 0
	}
	m, ok := monthOf(r.low(i))
	if !ok {
		return 0
	}
	plain := r.low(i) != "may" && r.low(i) != "march" && r.low(i) != "mar" && r.low(i) != "jan" && r.low(i) != "sep" && r.low(i) != "dec"
	if !plain && r.t[i].raw[0] >= 'a' {
		return 0
	}
	j := i + 1
	if r.low(j) == "the" {
		j++
	}
	if d, ok := r.day(j); ok && (r.low(j) != "second" || r.low(j+1) != "of") {
		return r.date(i, j+1, m, d)
	}
	if r.low(j) == "," {
		j++
	}
	if y := r.year(j); y != 0 {
		r.add(i, value{kind: valueMonth, num: m, year: y})
		return j + 1 - i
	}
	if plain && len(r.low(i)) > 3 || r.t[i].upper {
		r.add(i, value{kind: valueMonth, num: m})
		return 1
	}
	return 0
}

func (r *reader) date(i, j int, m, d float64) int {
	v := value{kind: valueDate, num: m*100 + d}
	k := j
	if r.low(k) == "," {
		k++
	}
	if y := r.year(k); y != 0 {
		v.year, j = y, k+1
	}
	r.add(i, v)
	return j - i
}

// clock reads 3pm, 3 p.m., 15:00, 3:30, 3 o'clock, at 3.
func (r *reader) clock(i int) int {
	w := r.low(i)
	if _, ok := numberWord(w); !ok && (w == "" || w[0] < '0' || w[0] > '9') {
		return 0
	}
	suffix := ""
	for _, s := range []string{"a.m", "p.m", "am", "pm"} {
		if cut, ok := strings.CutSuffix(w, s); ok {
			w, suffix = cut, s[:1]
			break
		}
	}
	n := 1
	if suffix == "" {
		switch next := r.low(i + 1); next {
		case "am", "pm", "a.m", "p.m":
			suffix, n = next[:1], 2
		}
	}
	h, m, colon := strings.Cut(w, ":")
	if !colon && suffix != "" {
		h, m, colon = strings.Cut(w, ".")
	}
	hour, err := strconv.ParseFloat(h, 64)
	if err != nil {
		var ok bool
		if hour, ok = numberWord(h); !ok {
			return 0
		}
	}
	minute := 0.0
	if colon {
		if minute, err = strconv.ParseFloat(m, 64); err != nil || len(m) != 2 || minute >= 60 {
			return 0
		}
	}
	if hour >= 24 || hour != math.Trunc(hour) {
		return 0
	}
	clock := suffix != "" || colon
	if !clock && r.low(i+1) == "o'clock" {
		clock, n = true, 2
	}
	if !clock && hour >= 1 && hour <= 12 && (r.low(i-1) == "at" || r.low(i-1) == "until" || r.low(i-1) == "by" || r.low(i-1) == "@") && !r.noun(i+1) && r.low(i+1) != "%" && r.low(i+1) != "of" {
		clock = true
	}
	if !clock {
		return 0
	}
	v := value{kind: valueTime, partial: suffix == "" && hour <= 12}
	if suffix != "" && hour == 12 {
		hour = 0
	}
	if suffix == "p" {
		hour += 12
	}
	v.num = hour*60 + minute
	r.add(i, v)
	return n
}
