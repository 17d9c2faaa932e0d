// The retention curve of one memory: from its birth to a while ahead, with its uses.
import { dayText } from '../state/clock'
import { DAY } from '../state/decay'
import { retentionAt } from '../state/visibility'
import type { World } from '../state/world'
import { svg } from './dom'

const W = 344
const H = 92
const PAD = 14

/** Draws the curve; `shown` is the instant of the page, `now` the server's. */
export function curve(world: World, node: number, shown: number, now: number): SVGElement {
  const f = world.frame
  const from = f.born[node]!
  const ahead = Math.max((now - from) * 0.3, 14 * DAY)
  const to = now + ahead
  const x = (t: number) => ((t - from) / (to - from)) * W
  const y = (r: number) => PAD + (1 - r) * (H - 2 * PAD)
  const line = (a: number, b: number) => {
    const points: string[] = []
    for (let k = 0; k <= 120; k++) {
      const t = a + ((b - a) * k) / 120
      points.push(`${x(t).toFixed(1)},${y(retentionAt(world, node, t)).toFixed(1)}`)
    }
    return points
  }
  const past = line(from, now)
  const future = line(now, to)
  const uses: SVGElement[] = []
  for (let u = f.useStart[node]!; u < f.useStart[node + 1]!; u++) {
    const at = Math.max(f.useDay[u]! * DAY, from)
    if (at <= to) uses.push(svg('circle', { class: 'use', cx: x(at), cy: H - 5, r: 2 }))
  }
  const left = retentionAt(world, node, shown)
  return svg(
    'svg',
    { class: 'curve', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `Retention ${Math.round(left * 100)} percent on ${dayText(shown)}` },
    svg('path', { class: 'fill', d: `M${x(from)},${y(0)}L${past.join('L')}L${x(now)},${y(0)}Z` }),
    svg('line', { class: 'base', x1: 0, x2: W, y1: y(0), y2: y(0) }),
    svg('line', { class: 'base faint', x1: 0, x2: W, y1: y(0.5), y2: y(0.5) }),
    svg('polyline', { class: 'past', points: past.join(' ') }),
    svg('polyline', { class: 'future', points: future.join(' ') }),
    ...uses,
    svg('line', { class: 'at', x1: x(shown), x2: x(shown), y1: PAD - 8, y2: y(0) }),
    svg('circle', { class: 'at-dot', cx: x(shown), cy: y(left), r: 3.6 }),
  )
}
