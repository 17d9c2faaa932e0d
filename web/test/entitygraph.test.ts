import { describe, expect, it } from 'vitest'
import { drawnRelations, hubEnds, ownersOf, placeBeside, satellitesOf, hubPlaces, mergeByName, mostTogether, pathBetween, topHubs, type Hub, type HubRelation } from '../src/state/links/entitygraph'

const entity = (name: string, mentionCount: number, id = name) => ({ id, name, type: 'PERSON' as const, mentionCount })
const hub = (key: string, members: string[]): Hub => ({ key, name: key, type: 'PERSON', ids: [key], mentions: members.length, members })
const relation = (from: string, to: string, words: string, strength = 1): HubRelation => ({ from, to, words, strength })

describe('hubs', () => {
  it('are one for each name, whatever the namespace', () => {
    const hubs = mergeByName([entity('bram', 2, '1'), entity('Bram', 7, '2'), entity('Ines', 3, '3')])
    expect([...hubs.values()].map((x) => [x.name, x.ids, x.mentions])).toEqual([['Bram', ['2', '1'], 9], ['Ines', ['3'], 3]])
  })
  it('at first are those with most mentions, without values', () => {
    const hubs = mergeByName([entity('Heron', 9), entity('61,000 crowns', 8), entity('once', 1), entity('Curlew', 9), entity('Wren', 3)])
    expect(topHubs(hubs.values()).map((x) => x.name)).toEqual(['Curlew', 'Heron', 'Wren'])
    expect(topHubs(hubs.values(), 1).map((x) => x.name)).toEqual(['Curlew'])
  })
  it('have their strongest relations, and all of them when expanded', () => {
    const all = [relation('a', 'b', 'x', 5), relation('a', 'b', 'y', 4), relation('a', 'b', 'z', 3), relation('a', 'gone', 'w', 9), relation('a', 'a', 'self', 9)]
    const shown = new Set(['a', 'b'])
    expect(drawnRelations(all, shown, new Set()).map((r) => r.words)).toEqual(['x', 'y'])
    expect(drawnRelations(all, shown, new Set(['b'])).map((r) => r.words)).toEqual(['x', 'y', 'z'])
  })
  it('come with the other ends of their strongest relations', () => {
    const all = [relation('a', 'x', '', 1), relation('y', 'a', '', 3), relation('a', 'z', '', 2), relation('b', 'a', '', 9), relation('b', 'b', '', 9)]
    expect(satellitesOf(['a', 'b'], all, 2)).toEqual(['y', 'z'])
    expect(satellitesOf(['a'], all)).toEqual(['b'])
  })
  it('are joined to those that are most often in the same memories', () => {
    const hubs = [hub('a', ['1', '2', '3']), hub('b', ['1', '2', '3']), hub('c', ['1', '2']), hub('d', ['3'])]
    expect(mostTogether(hubs, 1)).toEqual([{ from: 'a', to: 'b', count: 3 }, { from: 'a', to: 'c', count: 2 }])
  })
  it('give the layout their memories and relations', () => {
    const ends = hubEnds([hub('a', ['1', 'unknown', '2']), hub('b', [])], [relation('a', 'b', 'x'), relation('a', 'c', 'y')], 10, (id) => ({ 1: 4, 2: 5 })[id] ?? -1)
    expect(ends.map((e) => [e.from, e.to])).toEqual([[10, 4], [10, 5], [10, 11]])
  })
  it('stand beside what they are values of', () => {
    const hubs = [hub('kite', ['1', '2']), hub('ship', ['1', '2']), hub('14 m/s', ['1']), hub('alone', [])]
    const owners = ownersOf(hubs, [relation('ship', '14 m/s', 'speed', 1), relation('kite', '14 m/s', 'limit', 2), relation('kite', 'ship', 'on', 3), relation('gone', 'alone', 'x')])
    expect([...owners]).toEqual([['14 m/s', 'kite']])
    const places = [0, 1, 2, 3, 4, 5].map((k) => placeBeside([1, 2, 3], k))
    for (const [i, p] of places.entries()) for (const q of places.slice(i + 1)) expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeGreaterThan(15)
  })
  it('stand with most of their memories, and apart', () => {
    const near: [number, number, number][] = [[10, 0, 0], [11, 0, 0], [10, 1, 0], [-90, 0, 0]]
    const [a, b, none] = hubPlaces([near, near, []])
    expect(none).toBeNull()
    expect(a![0]).toBeGreaterThan(0)
    expect(Math.hypot(...a!.map((x, d) => x - b![d]!))).toBeGreaterThan(8.9)
    expect(hubPlaces([near, near, []])).toEqual([a, b, null])
  })
})

describe('a path between entities', () => {
  const hubs = [hub('a', ['1']), hub('b', ['1', '2']), hub('c', ['2']), hub('d', []), hub('e', ['9'])]
  const relations = [relation('d', 'c', 'works for'), relation('a', 'b', 'knows')]
  it('goes by relations and by shared memories', () => {
    expect(pathBetween(hubs, relations, 'a', 'd')).toEqual([
      { hub: 'a', words: '', back: false, memory: null },
      { hub: 'b', words: 'knows', back: false, memory: null },
      { hub: 'c', words: '', back: false, memory: '2' },
      { hub: 'd', words: 'works for', back: true, memory: null },
    ])
  })
  it('is the shortest, of one step from an entity to itself, and empty if there is none', () => {
    expect(pathBetween(hubs, [...relations, relation('a', 'd', 'owns')], 'a', 'd').length).toBe(2)
    expect(pathBetween(hubs, relations, 'a', 'a').length).toBe(1)
    expect(pathBetween(hubs, relations, 'a', 'e')).toEqual([])
  })
})
