// What a sleep did, counted by kind of step.
import type { StepVerb } from '../api/schema.gen'
import { STEP_DONE } from '../api/vocabulary'

export type Tally = Partial<Record<StepVerb, number>>

/** "87 strengthened", "1 pattern found": each kind of step that occurred, in a fixed order. */
export function tallyParts(tally: Tally): [StepVerb, string][] {
  return (Object.keys(STEP_DONE) as StepVerb[]).flatMap((verb): [StepVerb, string][] => {
    const n = tally[verb]
    if (!n) return []
    const done = STEP_DONE[verb]
    return [[verb, `${n.toLocaleString('en')} ${typeof done === 'string' ? done : done[n === 1 ? 0 : 1]}`]]
  })
}

/** "87 strengthened, 107 archived" */
export function tallyText(tally: Tally): string {
  return tallyParts(tally).map(([, text]) => text).join(', ')
}

/** The kinds of steps that occurred, in the order in which they began; `seen` are those of an earlier tally of the same sleep. */
export function latestVerbs(seen: readonly StepVerb[], tally: Tally): StepVerb[] {
  return [...seen, ...tallyParts(tally).map(([verb]) => verb).filter((verb) => !seen.includes(verb))]
}
