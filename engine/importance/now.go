package importance

import (
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// NoQuery is the relevance if there is no question.
const NoQuery = 0.5

const (
	recencyShare   = 0.3
	frequencyShare = 0.3
	relevanceShare = 0.4

	recencyDays     = 30.0
	firstDayBoost   = 1.2
	usageCeiling    = 1000 // number of uses at which frequency is 1
	semanticBoost   = 1.1
	proceduralBoost = 1.15
	importantBoost  = 1.5
)

// Input is the input of Now.
type Input struct {
	SinceAccess time.Duration // since the last use, or the creation if there was none; below 0 counts as 0
	Usage       int
	Relevance   float64 // cosine to the question, or NoQuery; clamped to [0,1]
	Type        graph.Type
	Important   bool // marked by the user
}

// Now is the importance of a memory for a question at an instant, in [0,1].
func Now(in Input) float64 {
	sum := recencyShare*recency(in.SinceAccess) + frequencyShare*Frequency(in.Usage) + relevanceShare*clamp(in.Relevance)
	switch in.Type {
	case graph.Semantic:
		sum *= semanticBoost
	case graph.Procedural:
		sum *= proceduralBoost
	}
	if in.Important {
		sum *= importantBoost
	}
	return clamp(sum)
}

// recency is e^(−days/30), within the first day multiplied by 1.2 and at most 1.
func recency(since time.Duration) float64 {
	r := ageDecay(since)
	if since < 24*time.Hour {
		r = min(1, r*firstDayBoost)
	}
	return r
}

// Frequency is ln(1+U)/ln(1+1000), at most 1.
func Frequency(usage int) float64 {
	return min(1, math.Log1p(float64(max(0, usage)))/math.Log1p(usageCeiling))
}

// ageDecay is e^(−days/30) for an age; an age below 0 counts as 0.
func ageDecay(d time.Duration) float64 { return math.Exp(-max(0, days(d)) / recencyDays) }

func days(d time.Duration) float64 { return d.Hours() / 24 }

func clamp(x float64) float64 { return max(0, min(1, x)) }
