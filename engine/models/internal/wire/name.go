package wire

import (
	"fmt"
	"hash/fnv"
)

// Name is what a store keeps of a model: protocol, model, dimension, and a mark of
// the prefixes where there are any, since they shape the vectors too.
func Name(protocol, model string, dimension int, p Prefixes) string {
	name := fmt.Sprintf("%s/%s-%d", protocol, model, dimension)
	if p == (Prefixes{}) {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.Query + "\x00" + p.Passage)) // a hash takes everything
	return fmt.Sprintf("%s+%08x", name, h.Sum32())
}
