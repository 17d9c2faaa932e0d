import { describe, expect, it } from 'vitest'
import { labelLines, longestLine } from '../src/scene/labels/lines'

describe('a label', () => {
  it('is one line if it is short, or has no space', () => {
    expect(labelLines('Lanterns', 18)).toEqual(['Lanterns'])
    expect(labelLines('x'.repeat(40), 18)).toEqual(['x'.repeat(40)])
    expect(labelLines('', 18)).toEqual([''])
  })
  it('is broken at the space nearest to its middle', () => {
    expect(labelLines('Orchard and winter store', 18)).toEqual(['Orchard and', 'winter store'])
    expect(labelLines('A bookkeepersassociation', 18)).toEqual(['A', 'bookkeepersassociation'])
    expect(longestLine(labelLines('Orchard and winter store', 18))).toBe(12)
  })
})
