package erasure

import (
	"context"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// maxSaying is the largest number of memories that an erasure of an entity takes for the name alone.
const maxSaying = 10_000

// findSaying sets the names of the entities of the job, and the memories that say one and are not linked to it. They belong to those that
// the job may erase.
func (svc *Service) findSaying(ctx context.Context, t *tenant, job *erasureJob, asked string) error {
	job.Saying, job.Names = nil, nil
	if len(job.Entities) == 0 {
		return nil
	}
	if err := svc.indexed(ctx, t); err != nil {
		return err
	}
	return t.View(ctx, func(r graph.Reader) error {
		names, saying := map[string]bool{}, map[graph.ID]bool{}
		if !graph.ID(asked).Valid() {
			names[asked] = true
		}
		for _, id := range job.Entities {
			e, err := r.Entity(id)
			if known, err := graph.Found(err); err != nil {
				return err
			} else if known { // the erasure before this one may have taken it
				names[e.Name] = true
			}
		}
		job.Names = slices.Sorted(maps.Keys(names))
		says := func(text string) bool {
			return slices.ContainsFunc(job.Names, func(name string) bool { return says(text, name) })
		}
		err := svc.eachSaying(t, r, job.Namespaces, job.Names, func(m *graph.Memory) {
			if job.mayErase(m) && anyText(m, says) {
				saying[m.ID] = true
			}
		})
		if err != nil {
			return err
		}
		if len(saying) > maxSaying {
			return graph.FieldError(graph.CodeLimitExceeded, "entity", "more than %d memories say its name: name a namespace or a user too", maxSaying)
		}
		for id := range saying {
			job.Saying = append(job.Saying, id)
		}
		slices.Sort(job.Saying)
		return nil
	})
}

// eachSaying calls fn with the memories of namespaces (all if none is given) whose texts may say one of some names: those that have its words by
// the index, and those with texts that are not indexed.
func (svc *Service) eachSaying(t *tenant, r graph.Reader, namespaces, names []string, fn func(*graph.Memory)) error {
	ids := svc.Index.AnnotatedMemories(t.Scope, namespaces)
	for _, name := range names {
		ids = append(ids, svc.Index.MemoriesSaying(t.Scope, namespaces, name)...)
	}
	slices.Sort(ids)
	for page := range slices.Chunk(slices.Compact(ids), graph.MaxPage) {
		memories, err := graph.Undamaged(r, page)
		if err != nil {
			return err
		}
		for _, m := range memories {
			fn(m)
		}
	}
	return nil
}

// anyText reports whether a condition holds for a text of a memory.
func anyText(m *graph.Memory, holds func(string) bool) bool {
	return slices.ContainsFunc([]string{m.Content, m.Summary, m.Subject, m.Object}, holds) || slices.ContainsFunc(m.Tags, holds) ||
		slices.ContainsFunc(slices.Collect(m.Annotations()), holds)
}

// indexed waits until the index has what is stored.
func (svc *Service) indexed(ctx context.Context, t *tenant) error {
	head, err := svc.Store.Head(ctx, t.Scope)
	if err != nil {
		return err
	}
	return svc.Index.WaitFor(ctx, t.Scope, head)
}

// sayingUser lists the memories whose text says the id of a user, in any case: "The book of kalle77 is late." An id that is a
// word of English ("rose", "may") is not looked for. It returns at most maxSaying memories.
func (svc *Service) sayingUser(t *tenant, r graph.Reader, user string) (ids []graph.ID, err error) {
	words := namesIn(user)
	if len(words) == 0 || len(words) == 1 && isCommon(words[0].text) {
		return nil, nil
	}
	same := func(a, b said) bool { return english.Lower(a.text) == english.Lower(b.text) }
	err = svc.eachSaying(t, r, nil, []string{user}, func(m *graph.Memory) {
		if len(ids) < maxSaying && m.Status() != graph.Forgotten && anyText(m, func(text string) bool { return hasWords(namesIn(text), words, same) }) {
			ids = append(ids, m.ID)
		}
	})
	return ids, err
}

// hasWords reports whether words have others one after another.
func hasWords(all, words []said, same func(a, b said) bool) bool {
	for i := 0; i+len(words) <= len(all); i++ {
		if slices.EqualFunc(all[i:i+len(words)], words, same) {
			return true
		}
	}
	return false
}

// says reports whether a text says a name: the same words one after another. A name of one word that English has too ("Rose",
// "May") counts only with its capital and within a sentence, and a name without a capital never: it is a common noun.
func says(text, name string) bool {
	words := namesIn(name)
	if len(words) == 0 || !slices.ContainsFunc(words, func(w said) bool { return w.capital() }) {
		return false
	}
	common := len(words) == 1 && isCommon(words[0].text)
	same := func(a, b said) bool {
		return a.text == b.text && !(common && a.first) || !common && english.Lower(a.text) == english.Lower(b.text)
	}
	return hasWords(namesIn(text), words, same)
}

// isCommon reports a word that has a meaning apart from the name.
func isCommon(word string) bool {
	low := english.Lower(word)
	return english.StopWord(low) || (lexicon.Topics{}).Of(english.Stem(low)) != nil || lexicon.Related(low) != nil || english.Month(low) != 0
}

// said is a word of a text without a possessive ending.
type said struct {
	text  string
	first bool // of a sentence
}

func (w said) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// namesIn returns the words of a text.
func namesIn(text string) (out []said) {
	end := -1
	for t := range english.Tokens(text, english.Words) {
		if t.Kind != english.Word && t.Kind != english.Unspaced {
			continue
		}
		w := t.Text
		if base, clitic := english.Contraction(t.Lower()); clitic != "" && base != "" {
			w = w[:min(len(base), len(w))]
		}
		out = append(out, said{w, end < 0 || endsSentence(text[end:t.Start])})
		end = t.End
	}
	return out
}

// endsSentence reports the end of a sentence, or of a label, between two words.
func endsSentence(between string) bool {
	for _, r := range between {
		switch r {
		case '.', '!', '?', ':', '\n', '"', '“', '(':
			return true
		}
	}
	return false
}
