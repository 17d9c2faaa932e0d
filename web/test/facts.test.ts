// Facts as they are shown, without a page.
import { describe, expect, it } from 'vitest'
import type { Fact, KnownLine } from '../src/api/facts'
import { certaintyWord, groupFacts, intervalText, valueText } from '../src/state/facts'
import { topics } from '../src/state/known'

const fact = (change: Partial<Fact>): Fact =>
  ({
    id: 'm.1', subject: 'Ana', predicate: 'lives in', attribute: 'residence', object: 'Oslo', negated: false, confidence: 0.95, validFrom: '2026-03-01T00:00:00Z', validTo: null,
    current: true, modality: 'ASSERTED', qualifiers: [], corrected: false, withdrawn: false, revisedBy: null, contestedBy: [],
    ...change,
  }) as Fact

describe('a fact sheet', () => {
  const past = { current: false, validTo: '2026-04-01T00:00:00Z' }
  it('groups by attribute, whatever the words, and has current groups first', () => {
    const groups = groupFacts([
      fact({ predicate: 'owns', attribute: 'own', object: 'a boat', ...past }),
      fact({ predicate: 'moved_to', object: 'Bergen' }),
      fact({ object: 'Oslo', ...past }),
      fact({ object: 'Leiden', current: false, validFrom: '2025-01-01T00:00:00Z', validTo: '2026-03-01T00:00:00Z' }),
      fact({ predicate: 'speaks', attribute: 'speak', object: 'Dutch' }),
    ])
    expect(groups.map((g) => [g.predicate, g.current.map((f) => f.object), g.past.map((f) => f.object)])).toEqual([
      ['moved to', ['Bergen'], ['Oslo', 'Leiden']],
      ['speaks', ['Dutch'], []],
      ['owns', [], ['a boat']],
    ])
    expect(groupFacts([])).toEqual([])
  })
  it('says when, and with what value', () => {
    expect(intervalText(fact({}))).toBe('since 1 Mar 2026')
    expect(intervalText(fact({ validTo: '2026-06-08T12:00:00Z' }))).toBe('1 Mar 2026 – 8 Jun 2026')
    expect(intervalText(fact({ validTo: '2026-03-01T12:00:00Z' }))).toBe('on 1 Mar 2026')
    expect(intervalText(fact({ validTo: '2026-03-01T00:00:00Z' })), 'only the end is known').toBe('until 1 Mar 2026')
    expect([valueText(fact({})), valueText(fact({ negated: true })), valueText(fact({ object: '' })), valueText(fact({ object: '', negated: true }))]).toEqual(['Oslo', 'not Oslo', 'yes', 'no'])
  })
  it('names certainties by the thresholds at which memory acts', () => {
    expect([1, 0.9, 0.89, 0.7, 0.69, 0.3, 0.29, 0].map(certaintyWord)).toEqual(['sure', 'sure', 'likely', 'likely', 'unsure', 'unsure', 'doubtful', 'doubtful'])
  })
})

describe('what is known about a user', () => {
  const line = (subject: string | null, object: string, type = 'SEMANTIC') => ({ claim: subject === null ? null : fact({ subject, object }), memory: { id: object, type } }) as unknown as KnownLine
  it('is grouped by subject, and memories without facts by type', () => {
    const found = topics('Ana', [line('ana', 'Oslo'), line('user', 'tea'), line('', 'Dutch'), line("Ana's dog", 'Biscuit'), line(null, 'a walk', 'EPISODIC'), line(null, 'a rule', 'PROCEDURAL'), line(null, 'a swim', 'EPISODIC')])
    expect(found.map((t) => [t.title, 'facts' in t ? t.facts.map((f) => f.object) : t.memories.map((m) => m.id)])).toEqual([
      ['About Ana', ['Oslo', 'tea']],
      ['Rules', ['Dutch']],
      ["Ana's dog", ['Biscuit']],
      ['What happened', ['a walk', 'a swim']],
      ['Ways of working', ['a rule']],
    ])
    expect(topics('Ana', [])).toEqual([])
  })
})
