// The Arrow streams of the server, read with Apache's own library. The streams are golden files
// of viz/frame; small.json has the same content.
import { readFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'

const file = (name: string) => readFileSync(new URL(`../../viz/frame/testdata/${name}`, import.meta.url))
const scene = JSON.parse(file('small.json').toString()) as {
  At: string
  Nodes: { ID: string; Position: number[]; Type: string; Namespace: string; Project: string; Importance: number; Version: number; CreatedAt: string; ExpiresAt: string; LastUse: string; Label: string; History: { From: string; Status: string; Tier: string }[] }[]
  Edges: { From: number; To: number; Kind: string; Weight: number }[]
}
const time = (text: string): number | null => (text.startsWith('0001') ? null : Date.parse(text))

describe('memories as Arrow', () => {
  const table = tableFromIPC(file('nodes.arrow'))
  const rows = table.toArray().map((r) => (r as { toJSON(): Record<string, unknown> }).toJSON())

  it('have a column for every property', () => {
    expect(table.schema.fields.map((f) => `${f.name}: ${f.type}`)).toEqual([
      'id: Utf8', 'x: Float32', 'y: Float32', 'z: Float32', 'type: Utf8', 'status: Utf8', 'tier: Utf8', 'core: Bool', 'retention: Float32',
      'namespace: Utf8', 'project: Utf8', 'user: Utf8', 'session: Utf8', 'importance: Float32', 'decay_class: Utf8', 'decay_k: Float32', 'version: Int32', 'use_days: Int32',
      ...['recorded_at', 'created_at', 'valid_from', 'expires_at', 'last_use'].map((n) => `${n}: Timestamp<MILLISECOND, UTC>`), 'label: Utf8',
    ])
  })

  it('have the values of the scene', () => {
    expect(rows.length).toBe(scene.Nodes.length)
    scene.Nodes.forEach((n, i) => {
      const r = rows[i]!
      expect(r).toMatchObject({ id: n.ID, type: n.Type, namespace: n.Namespace, project: n.Project, version: n.Version, label: n.Label, recorded_at: Date.parse(n.History[0]!.From), created_at: time(n.CreatedAt), expires_at: time(n.ExpiresAt), last_use: time(n.LastUse) })
      // The frame quantises positions; Arrow has them as they are.
      ;['x', 'y', 'z'].forEach((axis, d) => expect(Math.abs((r[axis] as number) - n.Position[d]!)).toBeLessThan(0.002))
      expect(r['importance']).toBeCloseTo(n.Importance, 6)
    })
    // The last state of the second node applies; the third expired two days after it was
    // recorded.
    expect(rows.map((r) => [r['status'], r['tier']])).toEqual([['SUPERSEDED', 'L2'], ['ACTIVE', 'L2'], ['EXPIRED', 'L0'], ...rows.slice(3).map((r) => [r['status'], r['tier']])])
    expect(rows.every((r) => (r['retention'] as number) >= 0 && (r['retention'] as number) <= 1)).toBe(true)
    expect(rows[1]!['retention'], 'never fades').toBe(1)
  })

  it('are empty before the first memory', () => {
    const early = tableFromIPC(file('early.arrow'))
    expect([early.numRows, early.numCols]).toEqual([0, table.numCols])
  })
})

describe('edges as Arrow', () => {
  it('refer to memories by id', () => {
    const rows = tableFromIPC(file('edges.arrow')).toArray().map((r) => (r as { toJSON(): Record<string, unknown> }).toJSON())
    expect(rows).toEqual(scene.Edges.map((e) => ({ from: scene.Nodes[e.From]!.ID, to: scene.Nodes[e.To]!.ID, kind: e.Kind, weight: Math.fround(e.Weight) })))
  })
})
