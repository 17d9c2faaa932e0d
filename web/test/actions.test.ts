// What the page may do to a memory.
import { describe, expect, it } from 'vitest'
import type { Scope } from '../src/api/schema.gen'
import { actionsFor, choicesFor, grants, mayWrite, memoriesText, rememberInput, type Target } from '../src/state/actions'

const ALL: Scope[] = ['MEMORY_READ', 'MEMORY_WRITE', 'MEMORY_SHARE', 'MEMORY_CURATE', 'MEMORY_ADMIN']
const memory: Target = { status: 'ACTIVE', user: 'ana', core: false, content: 'The boat leaves at six.', revised: false, pattern: null }

describe('the actions on a memory', () => {
  it('are all there for an administrator', () => expect(actionsFor(ALL, memory, false)).toEqual(['correct', 'pin', 'forget']))
  it('are none for a key that only reads', () => expect(actionsFor(['MEMORY_READ'], memory, false)).toEqual([]))
  it('are none while the past is shown', () => expect(actionsFor(ALL, memory, true)).toEqual([]))
  it('are none for an erased memory', () => expect(actionsFor(ALL, { ...memory, status: 'FORGOTTEN', content: null }, false)).toEqual([]))
  it('leave only erasure to memories that are not active', () => expect(actionsFor(ALL, { ...memory, status: 'SUPERSEDED' }, false)).toEqual(['forget']))
  it('take back a pin and a revision', () => expect(actionsFor(ALL, { ...memory, core: true, revised: true }, false)).toEqual(['correct', 'unpin', 'undoRevision', 'forget']))
  it('of a memory of nobody need the right to share', () => {
    const nobody = { ...memory, user: null }
    expect(actionsFor(['MEMORY_READ', 'MEMORY_WRITE'], nobody, false)).toEqual([])
    expect(actionsFor(['MEMORY_WRITE', 'MEMORY_SHARE'], nobody, false)).toEqual(['correct', 'forget'])
    expect(actionsFor(['MEMORY_WRITE'], memory, false)).toEqual(['correct', 'forget'])
  })
  it('of a curator who can’t write are pins', () => expect(actionsFor(['MEMORY_CURATE'], memory, false)).toEqual(['pin']))
  it('can’t correct a pattern, nor take back its revision', () => expect(actionsFor(ALL, { ...memory, revised: true, pattern: { id: 'p' } }, false)).toEqual(['pin', 'forget']))
  it('can’t correct what has no text', () => expect(actionsFor(ALL, { ...memory, content: null }, false)).toEqual(['pin', 'forget']))
})

describe('the ways to end a conflict', () => {
  const plain = { pattern: null }
  const pattern = { pattern: { id: 'p' } }
  it('of two memories keep one or both', () => expect(choicesFor(plain, plain)).toEqual(['earlier', 'later', 'both']))
  it('of two patterns keep one', () => expect(choicesFor(pattern, pattern)).toEqual(['earlier', 'later']))
  it('of a memory and a pattern keep the pattern', () => expect([choicesFor(pattern, plain), choicesFor(plain, pattern)]).toEqual([['earlier'], ['later']]))
})

describe('scopes', () => {
  it('of an administrator include sharing and curating, not writing', () => {
    expect(grants(['MEMORY_ADMIN'], 'MEMORY_CURATE')).toBe(true)
    expect(grants(['MEMORY_ADMIN'], 'MEMORY_SHARE')).toBe(true)
    expect(grants(['MEMORY_ADMIN'], 'MEMORY_WRITE')).toBe(false)
    expect(mayWrite(['MEMORY_WRITE', 'MEMORY_ADMIN'], null)).toBe(true)
  })
})

describe('a memory to be added', () => {
  const draft = { content: '  Tea at four. ', type: '', namespace: ' ', user: 'ana', project: '', important: false }
  it('has the consent of the person, and no empty fields', () => expect(rememberInput(draft)).toEqual({ content: 'Tea at four.', consent: 'EXPLICIT', user: 'ana' }))
  it('has what was filled in', () =>
    expect(rememberInput({ ...draft, type: 'SEMANTIC', namespace: 'kitchen', project: 'p', important: true })).toEqual({
      content: 'Tea at four.', consent: 'EXPLICIT', user: 'ana', type: 'SEMANTIC', namespace: 'kitchen', project: 'p', important: true,
    }))
  it('is counted in words', () => expect([memoriesText(1), memoriesText(1200)]).toEqual(['1 memory', '1,200 memories']))
})
