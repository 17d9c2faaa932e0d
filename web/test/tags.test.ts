import { describe, expect, it } from 'vitest'
import { MAX_TAGS, tagFault, withTag } from '../src/state/tags'

const full = Array.from({ length: MAX_TAGS }, (_, i) => `tag ${i}`)

describe('a new tag', () => {
  it('is the last one, once', () => {
    expect(withTag(['a'], 'b')).toEqual(['a', 'b'])
    expect(withTag(['a', 'b'], 'a')).toEqual(['a', 'b'])
  })
  it('must not be empty, nor one too many for a memory', () => {
    expect(tagFault('', [[]])).toBe('Type a tag.')
    expect(tagFault('b', [['a'], []])).toBe('')
    expect(tagFault('b', [full, []])).toBe('One memory has 64 tags already, which is the most.')
    expect(tagFault('b', [full, full])).toContain('2 memories have 64 tags')
    expect(tagFault('tag 3', [full]), 'it has it').toBe('')
  })
})
