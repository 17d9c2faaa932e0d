import { describe, expect, it } from 'vitest'
import type { Cluster } from '../src/api/frame'
import { categories, clusterHues, coloring, colorings, COLORS, HUES, valueHues } from '../src/state/colorby'
import { clusterName, clusterOf, densityText, eventText, membersOf, namedRegions } from '../src/state/clusters'
import { filterMask } from '../src/state/filters'
import { INITIAL } from '../src/state/view'
import { idOf, testWorld } from './world'

const cluster = (id: string, more: Partial<Cluster> = {}): Cluster => ({ id, label: `About ${id}`, count: 10, position: [0, 0, 0], radius: 5, ...more })
const world = () => {
  const w = testWorld([{ cluster: 0, user: 'ines' }, { cluster: 1 }, { cluster: 0, namespace: 'ops' }, {}])
  w.frame.clusters = [cluster('a'), cluster('b')]
  return w
}

describe('the name of a cluster', () => {
  it('has the word once', () =>
    expect([clusterName('Winch and weather'), clusterName('Winch', ':'), clusterName('Cluster and nodes'), clusterName('Clusterfuzz')]).toEqual(['Cluster Winch and weather', 'Cluster: Winch', 'Cluster and nodes', 'Cluster Clusterfuzz']))
})

describe('the colour', () => {
  it('is by cluster if there are clusters, otherwise by type', () => {
    const without = testWorld([{}])
    expect([coloring(null, world().frame), coloring(null, without.frame), coloring(null, null)]).toEqual(['cluster', 'type', 'type'])
    expect([coloring('age', world().frame), coloring('cluster', without.frame)]).toEqual(['age', 'type'])
    expect(colorings(without.frame)).not.toContain('cluster')
  })

  it('of a cluster depends on its id, not on its place in the list', () => {
    const apart = Array.from({ length: 8 }, (_, i) => cluster(idOf(i + 1), { position: [100 * i, 0, 0], count: i }))
    const hues = clusterHues(apart)
    expect([...clusterHues([...apart].reverse())].reverse()).toEqual([...hues])
    expect(Math.min(...hues)).toBeGreaterThan(0)
    expect(Math.max(...hues)).toBeLessThanOrEqual(COLORS)
  })

  it('differs between a cluster and its nearest neighbours', () => {
    const row = Array.from({ length: 40 }, (_, i) => cluster(idOf(i + 1), { position: [10 * i, 0, 0] }))
    const hues = clusterHues(row)
    for (let i = 1; i < row.length; i++) expect((hues[i]! - 1) % HUES, `${i}`).not.toBe((hues[i - 1]! - 1) % HUES)
  })

  it('repeats among at most thirty clusters only if none is left', () => {
    const far = Array.from({ length: 24 }, (_, i) => cluster(idOf(i + 1), { position: [1000 * i, 0, 0] }))
    expect(new Set(clusterHues(far)).size).toBe(far.length)
  })

  it('of ten values differs, and that of no value is grey', () => {
    const hues = valueHues({ values: ['', ...'abcdefghij'], index: new Uint32Array(0) })
    expect(hues[0]).toBe(0)
    expect(new Set(hues.subarray(1)).size).toBe(10)
  })

  it('of each memory follows what it is coloured by', () => {
    const w = world()
    const by = categories(w, 'cluster')
    expect([by[0] === by[2], by[0] === by[1], by[3]]).toEqual([true, false, 0])
    expect(categories(w, 'type')).toBe(w.frame.type)
    const users = categories(w, 'user')
    expect([users[0]! > 0, users[1], users[2]]).toEqual([true, 0, 0])
    expect([...categories(w, 'retention')]).toEqual([0, 0, 0, 0])
    expect(categories(w, 'confidence')).toBe(w.frame.confidence)
  })
})

describe('clusters', () => {
  it('name the map if there are some', () => {
    const w = world()
    w.frame.regions = [{ name: 'ferry · crew', position: [1, 2, 3], radius: 4, count: 5 }]
    expect(namedRegions(w.frame).map((r) => [r.name, r.cluster])).toEqual([['About a', 'a'], ['About b', 'b']])
    w.frame.clusters = []
    expect(namedRegions(w.frame).map((r) => [r.name, r.cluster, r.count])).toEqual([['Ferry · crew', null, 5]])
    w.frame.regions = null
    expect(namedRegions(w.frame)).toEqual([])
  })

  it('have members', () => {
    const w = world()
    expect(membersOf(w, 'a')).toEqual([0, 2])
    expect(membersOf(w, 'x')).toEqual([])
    expect([clusterOf(w, idOf(1))?.id, clusterOf(w, idOf(3)), clusterOf(w, idOf(9)), clusterOf(null, idOf(0))]).toEqual(['b', null, null, null])
  })

  it('filter the memories; clusters that are gone hide nothing', () => {
    const shown = (clusters: string[]) => [...filterMask(world(), { ...INITIAL, clusters }, 0)].flatMap((on, i) => (on ? [i] : []))
    expect(shown(['a'])).toEqual([0, 2])
    expect(shown(['b', 'none'])).toEqual([1, 3])
    expect(shown(['gone'])).toEqual([0, 1, 2, 3])
    expect(shown(['gone', 'b'])).toEqual([1])
  })

  it('are described by their density', () => {
    const texts = [0.9, 0.5, 0.3, 0.1].map(densityText)
    expect(new Set(texts).size).toBe(4)
    expect(texts[0]).toContain('one matter')
  })

  it('have a history in words', () => {
    const say = (change: 'BORN' | 'MERGED' | 'SPLIT' | 'DIED', cluster: string, from: string[], size = 7) => eventText('a', { change, cluster, from, size }, (id) => (id === 'b' ? 'Kettle' : null))
    expect(say('BORN', 'a', [], 1)).toBe('was found, with 1 memory')
    expect(say('MERGED', 'a', ['a', 'b'])).toBe('took in Kettle; 7 memories then')
    expect(say('MERGED', 'b', ['a'])).toBe('was merged into Kettle')
    expect(say('SPLIT', 'a', ['x'])).toBe('was split off from a cluster that is gone now, with 7 memories')
    expect(say('SPLIT', 'b', ['a'])).toBe('was split: Kettle left with 7 memories')
    expect(say('DIED', 'a', [])).toContain('dissolved')
  })
})
