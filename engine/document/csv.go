package document

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// dialectSample is the number of records from which the separator of a CSV file is guessed.
const dialectSample = 50

// readCSV reads comma-separated values: one row each record, with the first record as its
// header if it looks like one. Other separators are recognised. Rows keep the file's own
// quotation marks, and line ends between them.
func readCSV(ctx context.Context, in input) (string, []Element, error) {
	text, err := decode(in.data)
	if err != nil {
		return "", nil, err
	}
	o := newOutline(ctx, in.lim)
	separator := '\t'
	if in.mediaType != "text/tab-separated-values" {
		separator = separatorOf(text)
	}
	err = readRecords(o, text, separator, false)
	if malformed := (*csv.ParseError)(nil); errors.As(err, &malformed) {
		// Quotation marks that follow no rule are taken as they are.
		o = newOutline(ctx, in.lim)
		err = readRecords(o, text, separator, true)
	}
	if malformed := (*csv.ParseError)(nil); errors.As(err, &malformed) {
		return "", nil, refuse(Broken, "it is not CSV from line %d on", malformed.Line)
	}
	if err != nil {
		return "", nil, err
	}
	elements, err := o.finish()
	return "", elements, err
}

// readRecords adds each record as a row.
func readRecords(o *outline, text string, separator rune, lazy bool) error {
	r := csvReader(text, separator, lazy)
	header, first := "", true
	var start int64
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		raw := strings.Trim(text[start:r.InputOffset()], "\n")
		start = r.InputOffset()
		if first && isHeader(record) {
			header, first = raw, false
			continue
		}
		first = false
		if strings.TrimSpace(raw) == "" {
			continue
		}
		if err := o.push(Element{Kind: Row, Header: header, Text: raw, Line: line}); err != nil {
			return err
		}
	}
	if len(o.elements) == 0 { // nothing but a header
		return o.add(Row, "", header, 1)
	}
	return nil
}

func csvReader(text string, separator rune, lazy bool) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator
	r.FieldsPerRecord = -1
	r.LazyQuotes = lazy
	r.ReuseRecord = true
	return r
}

// separatorOf is the separator with which most of the first records have the same number of
// fields, if that is more than one; of equals the one with more fields. It is the comma if no
// separator divides anything.
func separatorOf(text string) rune {
	best, bestScore := ',', 0
	sample := text[:min(len(text), 256<<10)]
	for _, separator := range []rune{',', ';', '\t', '|'} {
		r := csvReader(sample, separator, true)
		counts := map[int]int{}
		records := 0
		for records < dialectSample {
			record, err := r.Read()
			if err != nil {
				break
			}
			records++
			counts[len(record)]++
		}
		for fields, n := range counts {
			if score := n*1000/max(records, 1)*100 + min(fields, 99); fields > 1 && score > bestScore {
				best, bestScore = separator, score
			}
		}
	}
	return best
}

// isHeader reports whether a first record names columns: its fields are short, not empty,
// different from one another and no numbers.
func isHeader(record []string) bool {
	seen := map[string]bool{}
	for _, field := range record {
		field = strings.TrimSpace(field)
		if field == "" || seen[field] || utf8.RuneCountInString(field) > maxHeading {
			return false
		}
		if _, err := strconv.ParseFloat(strings.ReplaceAll(field, ",", "."), 64); err == nil {
			return false
		}
		seen[field] = true
	}
	return true
}
