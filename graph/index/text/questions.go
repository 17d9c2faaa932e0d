package text

import "unicode"

// QuestionShare answers the share of the letters and digits of a text that are part of a
// question, in [0,1]. Only the last clause of a question counts, because the clauses before
// it often state something ("I moved to Graz, do you know a dentist?").
func QuestionShare(text string) float32 {
	asked, all, clause := 0, 0, 0
	for _, r := range text {
		switch r {
		case '?', '？', '؟', '⁇':
			asked += clause
			clause = 0
		case '.', ',', ';', ':', '!', '\n', '。', '，', '；', '：', '！', '、', '،', '؛':
			clause = 0
		default:
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				clause++
				all++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float32(asked) / float32(all)
}
