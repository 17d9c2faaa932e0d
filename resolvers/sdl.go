package resolvers

import (
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"
)

// SDL returns the schema of the endpoint in the schema definition language, with descriptions.
func (h *Handler) SDL() string {
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(executableSchema(&resolverRoot{advance: h.config.Advance}).Schema())
	return b.String()
}
