package network

// Familiarity is how much of a memory was known before it was written.
type Familiarity struct {
	Entities       int     // in the memory
	KnownEntities  int     // of these, known before
	Relations      int     // in the memory: subject –predicate→ object
	KnownRelations int     // of these, known before
	Centroid       float64 // cosine to the nearest cluster centroid; 0 if there is none
	Nearest        float64 // cosine to the nearest memory; 0 if there is none
}

// Predicted is how well the schema predicted the memory, in [0,1]. One half is meaning: the
// larger of the two cosines, clamped at 0. The other half is the mean of the share of entities
// and the share of relations that were known. If the memory has only one of the two, that share
// counts alone; if it has neither, only meaning counts.
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

// Surprise is Δ: 1 − how well the schema predicted the memory, in [0,1]. Learning depends on
// the fit with a schema: Tse et al., Schemas and Memory Consolidation, Science 2007.
func Surprise(f Familiarity) float64 { return 1 - f.Predicted() }

// clampUnit clamps to [0,1]; NaN becomes 0.
func clampUnit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(1, x)
}
