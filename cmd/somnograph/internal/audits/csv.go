package audits

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// CSV prints the rows that match as CSV.
func CSV(ctx context.Context, out io.Writer, c *client.Client, filter client.AuditFilter) error {
	w := csv.NewWriter(out)
	if err := w.Write([]string{"chain", "seq", "at", "principal", "verb", "namespaces", "ids", "more", "outcome", "decision", "count", "milliseconds"}); err != nil {
		return err
	}
	err := c.Audit(ctx, filter, func(e client.AuditEntry) error {
		return w.Write([]string{
			e.Chain, e.Seq, e.At.UTC().Format(time.RFC3339Nano), SafeCell(e.Principal), e.Verb, SafeCell(strings.Join(e.Namespaces, " ")), strings.Join(e.IDs, " "),
			strconv.Itoa(e.More), e.Outcome, *cmp.Or(e.Decision, new(string)), strconv.Itoa(e.Count), strconv.FormatFloat(e.Milliseconds, 'f', 3, 64),
		})
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// SafeCell is a text that no spreadsheet takes for a formula. What a reader does not see may stand before its sign, and the sign may be a
// wide one.
func SafeCell(s string) string {
	sign, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}))
	if strings.ContainsRune("=+-@＝＋－＠", sign) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r") {
		return "'" + s
	}
	return s
}
