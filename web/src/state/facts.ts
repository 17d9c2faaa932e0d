// Facts as they are shown: grouped by predicate, with intervals and certainties in words.
import type { Fact } from '../api/facts'
import { dayText } from './clock'

/** What is known about one attribute of a subject. */
export interface FactGroup {
  /** the words of the newest fact, such as "lives in" */
  predicate: string
  current: Fact[]
  /** newest first */
  past: Fact[]
}

/** Groups facts by attribute, in their order; groups with a current fact come first. */
export function groupFacts(facts: readonly Fact[]): FactGroup[] {
  const groups = new Map<string, FactGroup>()
  for (const f of facts) {
    const group = groups.get(f.attribute) ?? { predicate: predicateText(f), current: [], past: [] }
    groups.set(f.attribute, group)
    ;(f.current ? group.current : group.past).push(f)
  }
  for (const g of groups.values()) {
    g.past.sort((a, b) => (b.validTo ?? '').localeCompare(a.validTo ?? '') || b.validFrom.localeCompare(a.validFrom))
    g.predicate = predicateText((g.current[0] ?? g.past[0])!)
  }
  return [...groups.values()].sort((a, b) => Number(b.current.length > 0) - Number(a.current.length > 0))
}

/** "lives_in" → "lives in" */
export function predicateText(f: Pick<Fact, 'predicate'>): string {
  return f.predicate.replaceAll('_', ' ')
}

/** The value of a fact: "Oslo", "not olives"; "yes" if the predicate says it all. */
export function valueText(f: Pick<Fact, 'object' | 'negated'>): string {
  if (f.object) return f.negated ? `not ${f.object}` : f.object
  return f.negated ? 'no' : 'yes'
}

/** "3 Mar 2026 – 8 Jun 2026", "since 3 Mar 2026" or, without a known start, "until 8 Jun 2026" */
export function intervalText(f: Pick<Fact, 'validFrom' | 'validTo'>): string {
  const from = Date.parse(f.validFrom)
  if (!f.validTo) return `since ${dayText(from)}`
  const to = Date.parse(f.validTo)
  if (to <= from) return `until ${dayText(to)}`
  return dayText(from) === dayText(to) ? `on ${dayText(from)}` : `${dayText(from)} – ${dayText(to)}`
}

/** How sure the reading is, in a word. */
export function certaintyWord(confidence: number): string {
  if (confidence >= 0.9) return 'sure'
  if (confidence >= 0.7) return 'likely'
  if (confidence >= 0.3) return 'unsure'
  return 'doubtful'
}
