// Package policy is what a namespace decides for itself (SPEC section 4): how memories
// are scored and fade, what evidence the gate asks for, under which consent is written,
// how long what is held closely lives. A plain value: no store, no clock, no I/O.
//
//	alpha … delta       coefficients of plasticity, in plasticity's ranges
//	quorum              0.5 to 1; 0.8
//	promoteAt           0.5 to 4; 1.5
//	engraveDays         5 to 3650; 5: gates to the recess may only be tightened
//	engraveConfidence   0.85 to 1; 0.85
//	engraveConflict     above 0, to 0.2; 0.2
//	decayK              per decay class but NONE, above 0, to 1000 a day; none
//	minConsent          EXPLICIT, IMPLICIT, NONE; NONE
//	ttlSeconds          per sensitivity, 1 second to 100 years; none
//
// testdata/golden.json pins the stored form.
package policy
