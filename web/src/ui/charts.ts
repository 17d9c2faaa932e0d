// Charts of SVG and elements, coloured by the style sheet. Each has its numbers as text for
// screen readers.
import { area, curveMonotoneX, line, stack } from 'd3-shape'
import { ticks } from '../state/reports'
import { h, svg } from './dom'

const LEFT = 30
const BASE = 18
const TOP = 6

/** Size of a chart: the full width of the panel, or half of it. */
export interface ChartSize {
  width: number
  height: number
}
export const FULL_WIDTH: ChartSize = { width: 372, height: 112 }
export const HALF_WIDTH: ChartSize = { width: 180, height: 92 }

export interface LinePoint {
  /** axis label; also read out */
  name: string
  value: number
  /** it is the selected one */
  current?: boolean
}

const x = (i: number, n: number, width: number): number => (n === 1 ? (LEFT + width) / 2 : LEFT + 10 + ((width - LEFT - 20) * i) / (n - 1))

function frame(label: string, top: number, format: (v: number) => string, names: [string, string], { width: W, height: H }: ChartSize, whole = false): { root: SVGElement; y: (v: number) => number } {
  const scale = ticks(top, H < 100 ? 2 : 3, whole)
  const max = scale.at(-1)!
  const y = (v: number) => TOP + (1 - v / max) * (H - TOP - BASE)
  const text = (at: [number, number], words: string, anchor: string) => {
    const el = svg('text', { x: at[0], y: at[1], 'text-anchor': anchor })
    el.textContent = words
    return el
  }
  const root = svg(
    'svg',
    { class: 'chart', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': label },
    ...scale.map((v) => svg('line', { class: 'grid', x1: LEFT, x2: W, y1: y(v), y2: y(v) })),
    ...scale.map((v) => text([LEFT - 5, y(v) + 3], format(v), 'end')),
    text([LEFT + 2, H - 4], names[0], 'start'),
    ...(names[1] !== names[0] ? [text([W, H - 4], names[1], 'end')] : []),
  )
  return { root, y }
}

const ends = (points: readonly { name: string }[]): [string, string] => [points[0]?.name ?? '', points.at(-1)?.name ?? '']

/** A line chart with a band for the normal range. */
export function lineChart(title: string, points: readonly LinePoint[], format: (v: number) => string, max: number, band?: readonly [number, number], size = FULL_WIDTH): SVGElement {
  const top = Math.max(max, ...points.map((p) => p.value))
  const { root, y } = frame(`${title}: ${points.map((p) => `${p.name} ${format(p.value)}`).join(', ')}`, top, format, ends(points), size)
  const n = points.length
  const at = (_: LinePoint, i: number) => x(i, n, size.width)
  if (band) root.append(svg('rect', { class: 'band', x: LEFT, width: size.width - LEFT, y: y(band[1]), height: y(band[0]) - y(band[1]) }))
  const fill = area<LinePoint>().x(at).y0(y(0)).y1((p) => y(p.value)).curve(curveMonotoneX)([...points])
  const path = line<LinePoint>().x(at).y((p) => y(p.value)).curve(curveMonotoneX)([...points])
  root.append(svg('path', { class: 'under', d: fill ?? '' }), svg('path', { class: 'course', d: path ?? '' }))
  points.forEach((p, i) => {
    const dot = svg('circle', { class: p.current ? 'dot at' : 'dot', cx: x(i, n, size.width), cy: y(p.value), r: p.current ? 4.5 : 3 })
    const words = svg('title')
    words.textContent = `${p.name}: ${format(p.value)}`
    dot.append(words)
    root.append(dot)
  })
  return root
}

export interface StackedRow {
  name: string
  values: Record<string, number>
  current?: boolean
  /** what a click on its bar does */
  act?: () => void
}

/** A bar chart with stacked counts. */
export function stackedBars(title: string, rows: readonly StackedRow[], keys: readonly { key: string; label: string }[], size = FULL_WIDTH): SVGElement {
  const sum = (r: StackedRow) => keys.reduce((n, k) => n + (r.values[k.key] ?? 0), 0)
  const words = rows.map((r) => `${r.name}: ${keys.map((k) => `${r.values[k.key] ?? 0} ${k.label.toLowerCase()}`).join(', ')}`).join('; ')
  const { root, y } = frame(`${title}: ${words}`, Math.max(1, ...rows.map(sum)), (v) => v.toLocaleString('en'), ends(rows), size, true)
  const width = Math.min(26, ((size.width - LEFT) / Math.max(rows.length, 1)) * 0.62)
  const firstButton = rows.findIndex((r) => r.act && sum(r) > 0)
  const series = stack<StackedRow>().keys(keys.map((k) => k.key)).value((r, key) => r.values[key] ?? 0)([...rows])
  for (const s of series) {
    s.forEach(([from, to], i) => {
      if (to <= from) return
      const row = rows[i]!
      const bar = svg('rect', { class: `layer layer-${s.key}${row.current ? ' at' : ''}`, x: x(i, rows.length, size.width) - width / 2, width, y: y(to), height: Math.max(y(from) - y(to) - 0.8, 0.8), rx: 1.5 })
      const title = svg('title')
      title.textContent = `${row.name}: ${row.values[s.key]} ${keys.find((k) => k.key === s.key)!.label.toLowerCase()}`
      bar.append(title)
      root.append(bar)
    })
  }
  rows.forEach((row, i) => {
    if (!row.act || sum(row) === 0) return
    const hit = svg('rect', { class: 'bar-button', role: 'button', tabindex: i === firstButton ? 0 : -1, 'aria-label': `${row.name}: ${sum(row)}`, x: x(i, rows.length, size.width) - width / 2 - 1, width: width + 2, y: 0, height: size.height - BASE, onclick: row.act })
    hit.addEventListener('keydown', (e) => onBarKey(e as KeyboardEvent, row.act!))
    root.append(hit)
  })
  if (firstButton >= 0) root.setAttribute('role', 'group')
  return root
}

/** Enter does what a click does; arrow keys go to the next bar. */
function onBarKey(e: KeyboardEvent, act: () => void): void {
  const own = e.currentTarget as SVGElement
  if (e.key === 'Enter' || e.key === ' ') act()
  else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
    const all = [...own.parentElement!.querySelectorAll<SVGElement>('.bar-button')]
    const next = all[all.indexOf(own) + (e.key === 'ArrowRight' ? 1 : -1)]
    if (!next) return
    own.setAttribute('tabindex', '-1')
    next.setAttribute('tabindex', '0')
    next.focus()
  } else return
  e.preventDefault()
  e.stopPropagation()
}

/** A list of labels, bars and numbers. */
export function barList(rows: readonly { key: string; label: string; meaning?: string; value: number; text?: string }[]): HTMLElement {
  const most = Math.max(...rows.map((r) => r.value), 1e-9)
  return h(
    'dl',
    { class: 'bars-list' },
    ...rows.flatMap((r) => {
      const fill = h('i', { class: `layer-${r.key}` })
      fill.style.width = `${(100 * r.value) / most}%`
      return [
        h('dt', { class: r.value === 0 ? 'none' : null, title: r.meaning ?? null }, r.label),
        h('dd', { class: r.value === 0 ? 'none' : null, title: r.meaning ?? null }, h('span', { class: 'bar' }, fill), h('b', {}, r.text ?? r.value.toLocaleString('en'))),
      ]
    }),
  )
}

/** A bar divided into shares. */
export function dividedBar(title: string, pieces: readonly { key: string; label: string; value: number; share: number }[]): HTMLElement {
  const bar = h('div', { class: 'divided', role: 'img', 'aria-label': `${title}: ${pieces.map((p) => `${p.value} ${p.label}`).join(', ')}` })
  for (const p of pieces) {
    if (p.share <= 0) continue
    const piece = h('i', { class: `layer-${p.key}`, title: `${p.value.toLocaleString('en')} ${p.label}` })
    piece.style.width = `${100 * p.share}%`
    bar.append(piece)
  }
  return bar
}

export function legend(keys: readonly { key: string; label: string; value?: number }[]): HTMLElement {
  return h(
    'ul',
    { class: 'legend' },
    ...keys.map((k) => h('li', {}, h('i', { class: `layer-${k.key}` }), k.label, k.value !== undefined && h('b', {}, k.value.toLocaleString('en')))),
  )
}

/** The numbers of a chart as a table. */
export function dataTable(first: string, rows: readonly StackedRow[], keys: readonly { key: string; label: string }[]): HTMLElement {
  const some = rows.filter((r) => keys.some((k) => (r.values[k.key] ?? 0) > 0))
  return h(
    'details',
    { class: 'numbers' },
    h('summary', {}, 'In numbers'),
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, first), ...keys.map((k) => h('th', { scope: 'col' }, k.label)))),
      h('tbody', {}, ...some.map((r) => h('tr', {}, h('th', { scope: 'row' }, r.name), ...keys.map((k) => h('td', {}, (r.values[k.key] ?? 0).toLocaleString('en')))))),
    ),
  )
}

/** A line without axes, with dashed lines at the limits that are in sight. Its values are the text beside it. */
export function sparkline(values: readonly number[], limits: readonly number[], size: ChartSize = { width: 120, height: 28 }): SVGElement {
  const low = Math.min(0, ...values)
  const high = Math.max(...values, ...limits.filter((l) => l <= 2 * Math.max(...values)), low + 1e-9)
  const y = (v: number) => 2 + (1 - (v - low) / (high - low)) * (size.height - 4)
  const at = (_: number, i: number) => (values.length === 1 ? size.width / 2 : (i * size.width) / (values.length - 1))
  const path = line<number>().x(at).y(y)([...values])
  return svg(
    'svg',
    { class: 'spark', viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true' },
    ...limits.filter((l) => l >= low && l <= high).map((l) => svg('line', { class: 'limit', x1: 0, x2: size.width, y1: y(l), y2: y(l) })),
    svg('path', { class: 'course', d: path ?? '' }),
  )
}
