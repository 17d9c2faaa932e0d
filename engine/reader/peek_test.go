package reader

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestPeek(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("PEEK"))
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cs := clauses(line, scan(line), "@")
		fmt.Println("##", line)
		for _, c := range cs {
			var ph []string
			for _, p := range c.phrases {
				ph = append(ph, p.prep+":"+p.noun.key())
			}
			var sl []string
			for _, s := range c.slots {
				v := []string{}
				for _, w := range s.value {
					v = append(v, w.lem)
				}
				sl = append(sl, fmt.Sprintf("%s/%d(%s|%v)=%v", tables.frames[s.frame].name, s.use, s.holder, s.mods, v))
			}
			fmt.Printf("   %v neg=%v S=%q V=%q O=%q P=%v cues=%b set=%v\n      %v\n", c.modality, c.negated, c.subject.key(), c.verbLemma, c.object.key(), ph, c.cues, c.setting, sl)
		}
	}
}
