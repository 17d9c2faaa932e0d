// Package harm reads what harms somebody, and what somebody must not have: "Nuts could kill me", "I swell up if I eat shrimp", "Our
// son can't have dairy". It reads by form. What causes harm is the subject of a verb of causing, or follows what happens to the
// affected person; a prohibition is a modal verb with one of eating, drinking or taking. The cause has to be a food, a medicine, an animal
// or another thing that harms people, and the effect one of the body, so that "Mondays kill me" is none.
//
// The functions are pure. The rules are for English.
package harm
