// The retention curve of a memory, from its creation to its fading, with its uses.
import { dayText } from '../state/clock'
import { DAY } from '../state/decay'
import { FADED, fadesAt } from '../state/plasticity'
import { retentionAt } from '../state/visibility'
import type { World } from '../state/world'
import { svg } from './dom'

const W = 344
const H = 96
const PAD = 14
/** Maximum width of the forecast, relative to the past. */
const MAX_FORECAST_SHARE = 1.5

/** Draws the curve; `shown` is the instant of the page, `now` the server's time. */
export function retentionCurve(world: World, node: number, shown: number, now: number): SVGElement {
  const f = world.frame
  const from = f.born[node]!
  const fades = fadesAt(world, node, shown)
  const soon = now + Math.max((now - from) * 0.3, 14 * DAY)
  const most = now + Math.max((now - from) * MAX_FORECAST_SHARE, 60 * DAY)
  const to = fades > now ? Math.min(Math.max(soon, fades + (fades - from) * 0.06), most) : soon
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
    if (at <= to) uses.push(svg('line', { class: 'use', x1: x(at), x2: x(at), y1: H - 9, y2: H - 1 }))
  }
  const left = retentionAt(world, node, shown)
  const end = fades > from && fades <= to ? [svg('line', { class: 'fades', x1: x(fades), x2: x(fades), y1: y(FADED) - 7, y2: y(0) }), svg('circle', { class: 'fades-dot', cx: x(fades), cy: y(FADED), r: 3 })] : []
  return svg(
    'svg',
    { class: 'curve', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `Retention ${Math.round(left * 100)} % on ${dayText(shown)}${Number.isFinite(fades) ? `; below 20 % on ${dayText(fades)}` : ''}` },
    svg('path', { class: 'fill', d: `M${x(from)},${y(0)}L${past.join('L')}L${x(now)},${y(0)}Z` }),
    svg('line', { class: 'base', x1: 0, x2: W, y1: y(0), y2: y(0) }),
    svg('line', { class: 'base faint', x1: 0, x2: W, y1: y(FADED), y2: y(FADED) }),
    svg('polyline', { class: 'past', points: past.join(' ') }),
    svg('polyline', { class: 'future', points: future.join(' ') }),
    ...uses,
    ...end,
    svg('line', { class: 'at', x1: x(shown), x2: x(shown), y1: PAD - 8, y2: y(0) }),
    svg('circle', { class: 'at-dot', cx: x(shown), cy: y(left), r: 3.6 }),
  )
}
