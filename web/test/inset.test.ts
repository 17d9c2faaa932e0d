// What panels leave to the map, and labels that do not collide.
import { describe, expect, it } from 'vitest'
import { insetOf, intersect, withoutCollisions, type Rect } from '../src/state/inset'

const rect = (left: number, top: number, right: number, bottom: number): Rect => ({ left, top, right, bottom })

describe('the free part of the page', () => {
  const page = { width: 1440, height: 900 }
  const bars = { top: rect(0, 14, 1440, 58), bottom: rect(14, 780, 1426, 886) }
  it('is between the bars if no panel is open', () => expect(insetOf(page, bars, [])).toEqual({ left: 0, right: 0, top: 66, bottom: 128 }))
  it('is beside the panels', () => expect(insetOf(page, bars, [rect(14, 76, 426, 700), rect(1034, 76, 1426, 700), rect(14, 76, 260, 700)])).toEqual({ left: 434, right: 414, top: 66, bottom: 128 }))
  it('ignores panels that are not there', () => expect(insetOf(page, bars, [rect(0, 0, 0, 0)])).toEqual({ left: 0, right: 0, top: 66, bottom: 128 }))
  it('is above a sheet and below one, on a phone', () => {
    const phone = { width: 390, height: 844 }
    const own = { top: rect(8, 8, 382, 100), bottom: rect(8, 724, 382, 836) }
    expect(insetOf(phone, own, [rect(8, 400, 382, 716)]).bottom).toBe(452)
    expect(insetOf(phone, own, [rect(8, 112, 382, 300)]).top).toBe(308)
  })
})

describe('labels', () => {
  const frame = rect(0, 0, 1000, 1000)
  it('give way to earlier ones and to obstacles', () =>
    expect(withoutCollisions([rect(10, 10, 100, 30), rect(90, 20, 200, 40), rect(90, 31, 200, 50), rect(500, 500, 600, 520)], [rect(550, 0, 1000, 1000)], frame)).toEqual([true, false, true, false]))
  it('that give way do not take room', () => expect(withoutCollisions([rect(0, 0, 50, 20), rect(40, 0, 90, 20), rect(60, 0, 110, 20)], [], frame)).toEqual([true, false, true]))
  it('are inside the page', () => expect(withoutCollisions([rect(-1, 0, 50, 20), rect(960, 0, 1001, 20)], [], frame)).toEqual([false, false]))
  it('may touch', () => expect(intersect(rect(0, 0, 10, 10), rect(10, 0, 20, 10))).toBe(false))
})
