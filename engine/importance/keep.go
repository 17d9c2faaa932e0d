package importance

import "time"

// Thresholds for archiving.
const (
	ArchiveAfter    = 30 * 24 * time.Hour // since the last use, or the creation if there was none
	ArchiveSalience = 0.2                 // S(t) below it
	ArchiveWorth    = 0.15                // keep-worth below it
	SmallCluster    = 5                   // members of smaller clusters are never archived
	fullRelations   = 10
)

// KeepSignals are the inputs of KeepWorth.
type KeepSignals struct {
	SinceCreation time.Duration
	SinceAccess   time.Duration // since the last use, or the creation if there was none
	Usage         int
	Centrality    float64 // PageRank, normalised to [0,1]
	Criticality   float64 // [0,1]
	Relations     int
}

// KeepWorth is how much a memory is worth keeping, in [0,1].
func KeepWorth(s KeepSignals) float64 {
	use := min(1, float64(max(0, s.Usage))/(1+max(0, days(s.SinceAccess))))
	ties := min(1, float64(max(0, s.Relations))/fullRelations)
	return 0.2*ageDecay(s.SinceCreation) + 0.3*use + 0.2*clamp(s.Centrality) + 0.2*clamp(s.Criticality) + 0.1*ties
}

// ShouldArchive reports whether a memory is inactive: not used for more than 30 days, with a
// low salience S(t) or a low keep-worth. The caller excludes memories that are never archived
// (core, safety-critical, engrams, documents, only sources, members of small clusters).
func ShouldArchive(sinceAccess time.Duration, salience, worth float64) bool {
	return sinceAccess > ArchiveAfter && (salience < ArchiveSalience || worth < ArchiveWorth)
}

// Health is the contribution of one ACTIVE memory to the health H of a tenant: 0.6·confidence +
// 0.4·retention. H is the mean over all ACTIVE memories.
func Health(confidence, retention float64) float64 {
	return 0.6*clamp(confidence) + 0.4*clamp(retention)
}
