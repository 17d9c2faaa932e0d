// Package policy holds the settings of a namespace: the coefficients and decay of memories, the
// evidence that the gate requires, the weakest consent of a write, and the lifetime of
// sensitive memories. A policy is a plain value: no store, no clock, no I/O. The list gives the
// range and the default of each setting.
//
//	alpha … delta       coefficients of plasticity, in plasticity's ranges
//	quorum              0.5 to 1; 0.8
//	promoteAt           0.5 to 4; 1.5
//	engraveDays         5 to 3650; 5: the gates to the recess can only be tightened
//	engraveConfidence   0.85 to 1; 0.85
//	engraveConflict     above 0, to 0.2; 0.2
//	decayK              per decay class except NONE, above 0, to 1000 a day; none
//	minConsent          EXPLICIT, IMPLICIT, NONE; NONE
//	defaultConsent      SERVER, STRICT, IMPLICIT, NONE, not weaker than minConsent; SERVER
//	ttlSeconds          per sensitivity, 1 second to 100 years; none
//	revision            ON, OFF; ON
//
// testdata/golden.json pins the stored form.
package policy
