import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeFrame, FRAME_VERSION, FrameVersionError } from '../src/api/frame'
import { DECAY_CLASSES, EDGE_KINDS, STATUSES, TIERS, TYPES } from '../src/api/vocabulary'
import { makeWorld } from '../src/state/world'

// Written by the Go encoder (viz/frame, TestGolden); both sides read the same bytes.
const folder = new URL('../../viz/frame/testdata/', import.meta.url)
const bytes = (): ArrayBuffer => new Uint8Array(readFileSync(new URL('small.bin', folder))).buffer

interface Golden {
  At: string
  Total: number
  Nodes: GoldenNode[]
  Clusters: GoldenCluster[]
  Edges: { From: number; To: number; Kind: string; Weight: number }[]
}
interface GoldenCluster { ID: string; Label: string; Count: number; Centre: number[]; Radius: number }
interface GoldenNode {
  ID: string; Position: number[]; Type: string; Namespace: string; Project: string; User: string; Session: string
  Importance: number; DecayClass: string; K: number; Important: boolean; SafetyCritical: boolean; Version: number
  CreatedAt: string; Anchor: string; ValidFrom: string; ExpiresAt: string; LastUse: string; Label: string
  History: { From: string; Status: string; Tier: string; Core: boolean; ValidTo: string }[]
  UseDays: number[] | null
  Cluster: string
}
const golden: Golden = JSON.parse(readFileSync(new URL('small.json', folder), 'utf8'))

const ms = (text: string): number | null => (text.startsWith('0001-') ? null : Date.parse(text))
const orNull = (t: number): number | null => (Number.isFinite(t) ? t : null)

describe('decodeFrame', () => {
  const f = decodeFrame(bytes())

  it('reads what the Go encoder wrote', () => {
    expect(f.at).toBe(Date.parse(golden.At))
    expect(f.total).toBe(golden.Total)
    expect(f.count).toBe(golden.Nodes.length)
    const world = makeWorld(f)
    golden.Nodes.forEach((n, i) => {
      expect(world.idOf(i)).toBe(n.ID)
      expect(world.indexOf(n.ID)).toBe(i)
      expect(TYPES[f.type[i]!]).toBe(n.Type)
      expect(DECAY_CLASSES[f.decayClass[i]!]).toBe(n.DecayClass)
      expect(f.importance[i]! / 255).toBeCloseTo(n.Importance, 6)
      expect(f.decayRate[i]).toBeCloseTo(n.K, 7)
      expect(f.version[i]).toBe(n.Version)
      expect([(f.flags[i]! & 1) !== 0, (f.flags[i]! & 2) !== 0]).toEqual([n.Important, n.SafetyCritical])
      expect(f.label(i)).toBe(n.Label)
      expect(f.clusters[f.cluster[i]!]?.id ?? '').toBe(n.Cluster)
      for (const [key, name] of [['namespace', 'Namespace'], ['project', 'Project'], ['user', 'User'], ['session', 'Session']] as const) {
        expect(f[key].values[f[key].index[i]!]).toBe(n[name])
      }
      for (const [key, name] of [['created', 'CreatedAt'], ['anchor', 'Anchor'], ['validFrom', 'ValidFrom'], ['expires', 'ExpiresAt'], ['lastUse', 'LastUse']] as const) {
        expect(orNull(f[key][i]!), name).toBe(ms(n[name]))
      }
      n.Position.forEach((x, d) => expect(f.positions[3 * i + d]).toBeCloseTo(x, 3))
      const history = n.History
      expect(f.stateStart[i + 1]! - f.stateStart[i]!).toBe(history.length)
      history.forEach((h, k) => {
        const s = f.stateStart[i]! + k
        expect(f.stateFrom[s]).toBe(Date.parse(h.From))
        expect(STATUSES[f.stateStatus[s]!]).toBe(h.Status)
        expect(TIERS[f.stateTier[s]!]).toBe(h.Tier)
        expect(f.stateCore[s]).toBe(h.Core ? 1 : 0)
        expect(orNull(f.stateValidTo[s]!)).toBe(ms(h.ValidTo))
      })
      expect(Array.from({ length: f.useStart[i + 1]! - f.useStart[i]! }, (_, k) => f.useDay[f.useStart[i]! + k])).toEqual(n.UseDays ?? [])
    })
    expect(f.clusters).toEqual(golden.Clusters.map((c) => ({ id: c.ID, label: c.Label, count: c.Count, position: c.Centre, radius: c.Radius })))
    golden.Edges.forEach((e, i) => {
      expect([f.from[i], f.to[i], EDGE_KINDS[f.edgeKind[i]!]]).toEqual([e.From, e.To, e.Kind])
      expect(f.edgeWeight[i]! / 255).toBeCloseTo(e.Weight, 6)
    })
  })

  it('rejects another version with a readable message', () => {
    const newer = bytes()
    new DataView(newer).setUint16(4, FRAME_VERSION + 1, true)
    expect(() => decodeFrame(newer)).toThrow(FrameVersionError)
    expect(() => decodeFrame(newer)).toThrow(`version ${FRAME_VERSION + 1}`)
  })

  it('rejects truncated, foreign and corrupt data', () => {
    expect(() => decodeFrame(bytes().slice(0, 500))).toThrow()
    expect(() => decodeFrame(new ArrayBuffer(0))).toThrow()
    expect(() => decodeFrame(new TextEncoder().encode('<html>'.repeat(40)).buffer as ArrayBuffer)).toThrow('not a map')
    const damaged = bytes()
    new DataView(damaged).setUint32(64 + 16, 1 << 30, true)
    expect(() => decodeFrame(damaged)).toThrow('corrupt')
  })
})
