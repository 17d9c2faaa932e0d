package wire

import (
	"fmt"
	"hash/fnv"
)

// Name returns the stored name of a model: protocol, model, dimension and, if there are any, a
// hash of the prefixes, since they also change the vectors.
func Name(protocol, model string, dimension int, p Prefixes) string {
	name := fmt.Sprintf("%s/%s-%d", protocol, model, dimension)
	if p == (Prefixes{}) {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.Query + "\x00" + p.Passage)) // never fails
	return fmt.Sprintf("%s+%08x", name, h.Sum32())
}
