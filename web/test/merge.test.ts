import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeFrame, type ScenePart } from '../src/api/frame'
import { EDGE_KINDS } from '../src/api/vocabulary'
import { merge } from '../src/state/merge'
import { makeWorld, type World } from '../src/state/world'
import { idOf, testWorld } from './world'

// Written by the Go encoder (viz/frame, TestGolden and TestGoldenPart).
const read = (name: string): ScenePart => decodeFrame(new Uint8Array(readFileSync(new URL(`../../viz/frame/testdata/${name}`, import.meta.url))).buffer)

/** The content of a world by id. */
function contentOf(world: World) {
  const f = world.frame
  const word = (t: { index: Uint32Array; values: string[] }, i: number) => t.values[t.index[i]!]
  const run = (start: Uint32Array, i: number, column: ArrayLike<number>) => Array.from({ length: start[i + 1]! - start[i]! }, (_, k) => column[start[i]! + k])
  const nodes = Array.from({ length: world.count }, (_, i) => ({
    id: world.idOf(i), place: [...f.positions.subarray(3 * i, 3 * i + 3)].map((x) => Math.round(x * 50) + 0), type: f.type[i], flags: f.flags[i], class: f.decayClass[i],
    importance: f.importance[i], version: f.version[i], k: f.decayRate[i], born: f.born[i], created: f.created[i], anchor: f.anchor[i], valid: f.validFrom[i], expires: f.expires[i], lastUse: f.lastUse[i],
    states: [f.stateFrom, f.stateValidTo, f.stateStatus, f.stateTier, f.stateCore].map((c) => run(f.stateStart, i, c)), days: run(f.useStart, i, f.useDay),
    cluster: f.clusters[f.cluster[i]!]?.id, texts: [f.namespace, f.project, f.user, f.session].map((t) => word(t, i)), label: f.label(i), previous: world.previousVersion[i]! < 0 ? null : world.idOf(world.previousVersion[i]!),
  }))
  const edges = Array.from({ length: f.edgeCount }, (_, e) => `${world.idOf(f.from[e]!)} ${EDGE_KINDS[f.edgeKind[e]!]} ${world.idOf(f.to[e]!)} ${f.edgeWeight[e]}`)
  return { nodes: nodes.sort((a, b) => a.id.localeCompare(b.id)), edges: edges.sort(), cursor: f.cursor, map: f.map, total: f.total, at: f.at, regions: f.regions, clusters: f.clusters }
}

/** A part without nodes. */
function removal(world: World): ScenePart {
  const none = new Uint32Array(0)
  return {
    ...testWorld([]).frame, total: world.frame.total, refs: new Uint8Array(0), removed: new Uint8Array(0), cutFrom: none, cutTo: none, cutKind: new Uint8Array(0), removedClusters: [],
  }
}

describe('merge', () => {
  it('yields the state that the server has', () => {
    const before = makeWorld(read('small.bin'))
    const contentBefore = contentOf(before)
    const after = merge(before, read('part.bin'))
    expect(contentOf(after)).toEqual(contentOf(makeWorld(read('later.bin'))))
    expect(contentOf(before), 'the old world is unchanged').toEqual(contentBefore)
  })

  it('records the previous index of each node', () => {
    const before = makeWorld(read('small.bin'))
    const after = merge(before, read('part.bin'))
    const previous = [...after.indicesIn(before)]
    expect(previous).toEqual(Array.from({ length: after.count }, (_, i) => before.indexOf(after.idOf(i))))
    expect(previous).toContain(-1)
    const other = makeWorld(read('small.bin'))
    expect([...after.indicesIn(other)], 'for an unrelated world').toEqual(previous)
  })

  it('numbers the clusters again when their order changes', () => {
    const cluster = (id: string, count: number) => ({ id, label: id, count, position: [0, 0, 0] as [number, number, number], radius: 1 })
    const world = testWorld([{ cluster: 0 }, { cluster: 1 }, {}])
    world.frame.clusters = [cluster('large', 9), cluster('small', 3)]
    const part: ScenePart = { ...removal(world), clusters: [cluster('small', 12), cluster('new', 10)], removedClusters: [] }
    const after = merge(world, part)
    expect(after.frame.clusters.map((c) => c.id)).toEqual(['small', 'new', 'large'])
    expect([...after.frame.cluster]).toEqual([2, 0, -1])
  })

  it('drops edges to unknown nodes', () => {
    const world = testWorld([{ label: 'kept' }, { label: 'known' }], [[0, 1, 'SAME_SESSION']])
    const ids = (...nodes: number[]) => Uint8Array.from(nodes.flatMap((n) => idOf(n).replaceAll('-', '').match(/../g)!.map((x) => parseInt(x, 16))))
    const fresh = testWorld([{}, {}, { label: 'new' }]).frame
    const none = new Uint32Array(0)
    const part: ScenePart = {
      ...testWorld([{ label: 'new' }]).frame, ids: fresh.ids.slice(32, 48), edgeCount: 2, from: Uint32Array.of(0, 0), to: Uint32Array.of(1, 2),
      edgeKind: Uint8Array.of(6, 6), edgeWeight: Uint8Array.of(255, 255), refs: ids(1, 7), removed: ids(0, 9), cutFrom: none, cutTo: none, cutKind: new Uint8Array(0), removedClusters: [],
    }
    const after = merge(world, part)
    expect(Array.from({ length: after.count }, (_, i) => after.frame.label(i))).toEqual(['known', 'new'])
    expect(after.frame.edgeCount).toBe(1)
    expect([after.frame.from[0], after.frame.to[0]]).toEqual([1, 0])
  })
})
