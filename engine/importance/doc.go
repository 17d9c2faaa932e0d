// Package importance computes how much a memory matters: in general, after use; for a question
// at an instant; and whether it is worth keeping. All functions are pure.
//
//	raised       importance ×1.2 on a day of use, at most 1; the raise fades with retention
//	now          clamp((0.3·recency + 0.3·frequency + 0.4·relevance) · type boost · user boost)
//	keep-worth   0.2·e^(−days since creation/30) + 0.3·min(1, U/(1+days since access))
//	             + 0.2·centrality + 0.2·criticality + 0.1·min(1, relations/10)
//	health H     mean of 0.6·confidence + 0.4·retention
//
// A day has 24 h. U is the number of uses. All other values are in [0,1].
package importance
