package network

// Familiarity is how much of a memory the schema knew before it was written.
type Familiarity struct {
	Entities       int     // that the memory names
	KnownEntities  int     // of them, that were known
	Relations      int     // that it says: subject –predicate→ object
	KnownRelations int     // of them, that were known
	Centroid       float64 // cosine to the nearest cluster centroid; 0 where there is none
	Nearest        float64 // cosine to the nearest memory; 0 where there is none
}

// Predicted is how well the schema predicted the memory, in [0,1]. Half is meaning: the
// larger of the two cosines, clamped at 0. Half is the mean of the share of entities and
// the share of relations that were known; of a memory that has only one of them it is
// that one, and without either meaning is all there is.
func (f Familiarity) Predicted() float64 {
	meaning := clampUnit(max(f.Centroid, f.Nearest))
	schema, parts := 0.0, 0
	for _, p := range [...]struct{ known, all int }{{f.KnownEntities, f.Entities}, {f.KnownRelations, f.Relations}} {
		if p.all > 0 {
			schema += clampUnit(float64(p.known) / float64(p.all))
			parts++
		}
	}
	if parts == 0 {
		return meaning
	}
	return 0.5*meaning + 0.5*schema/float64(parts)
}

// Surprise is Δ: 1 − how well the schema predicted the memory, in [0,1] (SPEC section
// 4). That what fits a schema is learned differently from what does not is after Tse et
// al., Schemas and Memory Consolidation, Science 2007.
func Surprise(f Familiarity) float64 { return 1 - f.Predicted() }

// clampUnit clamps to [0,1]; what is not a number is 0.
func clampUnit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(1, x)
}
