import { latestVerbs, tallyText } from '../src/state/tally'
import { describe, expect, it } from 'vitest'
import { PHASES } from '../src/api/vocabulary'
import { effectRows } from '../src/scene/effects'
import { EFFECT_SECONDS, EFFECTS, replayOfReport, SleepReplay, type SleepProgress } from '../src/state/sleepreplay'
import { idOf, testWorld } from './world'

const step = (verb: SleepProgress['steps'][number]['verb'], from: string[], to: string | null = null) => ({ verb, from, to })
const progress = (phase: SleepProgress['phase'], done: number, total: number, steps: SleepProgress['steps'] = []): SleepProgress => ({ phase, done, total, steps })

/** A sleep whose progress arrives at once. */
function instantSleep(): SleepReplay {
  const replay = new SleepReplay('r')
  for (const t of [
    progress('N1', 0, 0), progress('N1', 3, 3),
    progress('N2', 0, 4), progress('N2', 4, 4, [step('STRENGTHEN', ['a']), step('STRENGTHEN', ['b']), step('ARCHIVE', ['c']), step('ARCHIVE', ['d'])]),
    progress('N3', 0, 1), progress('N3', 1, 1, [step('MERGE', ['x', 'kept'], 'kept')]),
    progress('REM', 0, 3), progress('REM', 3, 3, [step('PROMOTE', ['a']), step('DISTIL', ['e', 'f'], 'made'), step('SPARSIFY', ['some relation'])]),
    progress('REPORT', 0, 1), progress('REPORT', 1, 1),
  ]) replay.add(t, 0)
  replay.finish(0)
  return replay
}

describe('a sleep replay', () => {
  it('shows every phase in order, even of an instant sleep', () => {
    const show = instantSleep()
    const seen: string[] = []
    let end = 0
    for (let now = 0; !show.isOver(now); now += 0.05) {
      const { phase } = show.stateAt(now)
      if (seen.at(-1) !== phase) seen.push(phase)
      end = now
    }
    expect(seen).toEqual(PHASES.map(([code]) => code))
    expect(end).toBeGreaterThan(5)
    expect(end).toBeLessThan(20)
  })

  it('counts steps as they are shown, up to all of them', () => {
    const show = instantSleep()
    expect(show.stateAt(0).tally).toEqual({})
    let before = 0
    for (let now = 0; !show.isOver(now); now += 0.1) {
      const sum = Object.values(show.stateAt(now).tally).reduce((n, c) => n + c, 0)
      expect(sum).toBeGreaterThanOrEqual(before)
      before = sum
    }
    expect(show.stateAt(1e6).tally).toEqual({ STRENGTHEN: 2, ARCHIVE: 2, MERGE: 1, PROMOTE: 1, DISTIL: 1, SPARSIFY: 1 })
  })

  it('progresses steadily to the end of each phase', () => {
    const show = instantSleep()
    const last = new Map<string, number>()
    for (let now = 0; !show.isOver(now); now += 0.03) {
      const { phase, done, total } = show.stateAt(now)
      expect(done).toBeGreaterThanOrEqual(last.get(phase) ?? 0)
      expect(done).toBeLessThanOrEqual(Math.max(total, done))
      last.set(phase, done)
    }
    expect(Object.fromEntries(last)).toEqual({ N1: 3, N2: 4, N3: 1, REM: 3, REPORT: 1 })
  })

  it('turns steps into effects in the right order', () => {
    const acts = instantSleep().effects
    const of = (id: string) => acts.filter((a) => a.id === id)
    expect(of('x')).toMatchObject([{ kind: 'MERGE', to: 'kept' }])
    expect(of('kept').map((a) => a.kind)).toEqual(['RECEIVE'])
    expect(of('kept')[0]!.at).toBeGreaterThan(of('x')[0]!.at)
    expect(of('e')).toMatchObject([{ kind: 'GIVE', to: 'made' }])
    expect(of('made')[0]!.kind).toBe('BORN')
    expect(of('made')[0]!.at).toBeGreaterThan(of('e')[0]!.at)
    expect(of('a').map((a) => a.kind)).toEqual(['STRENGTHEN', 'PROMOTE'])
    expect(of('some relation')).toEqual([])
  })

  it('does not get ahead of a slow sleep', () => {
    const show = new SleepReplay('r')
    show.add(progress('N1', 0, 10), 0)
    show.add(progress('N1', 5, 10), 100)
    expect(show.stateAt(50)).toMatchObject({ phase: 'N1', done: expect.any(Number) })
    expect(show.isOver(1e9)).toBe(false)
    show.add(progress('N2', 1, 2, [step('ARCHIVE', ['a'])]), 200)
    expect(show.effects[0]!.at).toBeGreaterThanOrEqual(200)
    show.finish(201)
    expect(show.finished).toBe(true)
    expect(show.isOver(230)).toBe(true)
  })

  it('keeps up with a sleep of very many steps', () => {
    const show = new SleepReplay('r')
    for (let i = 0; i < 200; i++) show.add(progress('N2', 1000 * (i + 1), 200_000, Array.from({ length: 1000 }, (_, k) => step('STRENGTHEN', [`${i}-${k}`]))), 0.1 * i)
    expect(show.effects.length).toBe(200_000)
    expect(show.effects.reduce((last, a) => Math.max(last, a.at), 0)).toBeLessThan(0.1 * 200 + 35)
    expect(show.stateAt(60).tally).toEqual({ STRENGTHEN: 200_000 })
  })

  it('continues if more progress follows the end', () => {
    const show = new SleepReplay('r')
    show.add(progress('N1', 0, 1), 0)
    show.finish(1)
    show.add(progress('N1', 1, 1), 2)
    expect(show.isOver(1000)).toBe(false)
  })

  it('ends with the report or the last progress, whichever comes first', () => {
    const [first, second] = [new SleepReplay('r'), new SleepReplay('r')]
    first.add(progress('N1', 1, 1), 0)
    first.finish(1)
    first.add(progress('REPORT', 1, 1), 1)
    second.add(progress('N1', 1, 1), 0)
    second.add(progress('REPORT', 1, 1), 1)
    for (const show of [first, second]) expect([show.isOver(1), show.isOver(30)]).toEqual([false, true])
  })

  it('can be made from a report', () => {
    const show = replayOfReport('r', [{ phase: 'N1', items: 2 }, { phase: 'N2', items: 1 }], [{ phase: 'N2', ...step('ARCHIVE', ['a']) }], 0)
    expect(show.effects).toMatchObject([{ id: 'a', kind: 'ARCHIVE' }])
    expect(show.finished).toBe(true)
    expect(show.stateAt(1e6)).toMatchObject({ phase: 'REPORT', tally: { ARCHIVE: 1 } })
  })
})

describe('effect rows', () => {
  const world = testWorld([{}, {}, {}])
  const row = (rows: Float32Array, node: number) => [...rows.subarray(4 * node, 4 * node + 4)]

  it('contain kind, start, target and whether more follows', () => {
    const { rows, next } = effectRows(world, [{ id: idOf(0), kind: 'MERGE', at: 2, to: idOf(2) }, { id: 'elsewhere', kind: 'BORN', at: 0, to: null }], 0)
    expect(row(rows, 0)).toEqual([EFFECTS.indexOf('MERGE'), 2, 2, 0])
    expect(row(rows, 1)).toEqual([0, 0, 0, 0])
    expect(next).toBe(Infinity)
  })

  it('mark a following ENGRAVE effect', () => {
    const acts = (['STRENGTHEN', 'PROMOTE', 'DREAM'] as const).map((kind, at) => ({ id: idOf(0), kind, at, to: null }))
    expect(row(effectRows(world, acts, 0).rows, 0)[3]).toBe(1)
    expect(row(effectRows(world, acts, 2).rows, 0)[3]).toBe(0)
  })

  it('change when the next effect of a memory begins', () => {
    const acts = [
      { id: idOf(1), kind: 'ENGRAVE' as const, at: 5, to: null },
      { id: idOf(1), kind: 'STRENGTHEN' as const, at: 1, to: null },
    ]
    const first = effectRows(world, acts, 0)
    expect(row(first.rows, 1)).toEqual([EFFECTS.indexOf('STRENGTHEN'), 1, -1, 2])
    expect(first.next).toBe(5)
    const second = effectRows(world, acts, 5)
    expect(row(second.rows, 1)).toEqual([EFFECTS.indexOf('ENGRAVE'), 5, -1, 0])
    expect(second.next).toBe(Infinity)
  })

  it('use the constants of the shaders', async () => {
    const { readFileSync } = await import('node:fs')
    const shader = readFileSync(new URL('../src/scene/node.glsl', import.meta.url), 'utf8')
    EFFECTS.forEach((part, i) => i > 0 && expect(shader).toMatch(new RegExp(`\\b${part} = ${i}\\b`)))
    expect(shader).toContain(`EFFECT_SECONDS = ${EFFECT_SECONDS}`)
  })
})

describe('the counts of a replay', () => {
  it('have the singular of one', () => {
    expect(tallyText({ PATTERN: 1, ARCHIVE: 1, CLUSTER: 2 })).toBe('1 archived, 1 pattern found, 2 clusters found')
    expect(tallyText({ PATTERN: 1200, SPARSIFY: 1 })).toBe('1,200 patterns found, 1 relation dropped')
    expect(tallyText({ MERGE: 0 })).toBe('')
  })
  it('keep the order in which the kinds of steps began', () => {
    const first = latestVerbs([], { MERGE: 1 })
    expect(latestVerbs(first, { STRENGTHEN: 2, MERGE: 3 })).toEqual(['MERGE', 'STRENGTHEN'])
  })
})
