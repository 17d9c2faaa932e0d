package importance

import "time"

// Thresholds of archiving.
const (
	ArchiveAfter    = 30 * 24 * time.Hour // since the last use, else the creation
	ArchiveSalience = 0.2                 // S(t) below it
	ArchiveWorth    = 0.15                // keep-worth below it
	SmallCluster    = 5                   // members of a cluster of fewer are never archived
	fullRelations   = 10
)

// KeepSignals is how a memory stands in the graph and in time.
type KeepSignals struct {
	SinceCreation time.Duration
	SinceAccess   time.Duration // since the last use, else the creation
	Usage         int
	Centrality    float64 // PageRank, normalised to [0,1]
	Criticality   float64 // [0,1]
	Relations     int
}

// KeepWorth says how much a memory is worth keeping, in [0,1].
func KeepWorth(s KeepSignals) float64 {
	use := min(1, float64(max(0, s.Usage))/(1+max(0, days(s.SinceAccess))))
	ties := min(1, float64(max(0, s.Relations))/fullRelations)
	return 0.2*ageDecay(s.SinceCreation) + 0.3*use + 0.2*clamp(s.Centrality) + 0.2*clamp(s.Criticality) + 0.1*ties
}

// ShouldArchive reports whether a memory has gone quiet: not used for more than 30 days,
// and either its salience S(t) or its worth is low. What must never be archived
// (core, safety-critical, engrams, documents, only sources, members of small
// clusters) is for the caller to know.
func ShouldArchive(sinceAccess time.Duration, salience, worth float64) bool {
	return sinceAccess > ArchiveAfter && (salience < ArchiveSalience || worth < ArchiveWorth)
}

// Health is the share one ACTIVE memory has in the health H of a tenant:
// 0.6·confidence + 0.4·retention. H is the mean over all of them.
func Health(confidence, retention float64) float64 {
	return 0.6*clamp(confidence) + 0.4*clamp(retention)
}
