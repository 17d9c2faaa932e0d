// Shared by the dashboards: figures, and grade icons that differ in shape as well as colour.
import { h, svg } from '../dom'

export type Grade = 'good' | 'warn' | 'bad'

const SHAPES: Record<Grade, string> = {
  good: 'M2.5 8.5 6.2 12 13.5 4.5',
  warn: 'M8 2.2 14.4 13.4H1.6zM8 6.2v3.4M8 11.4v.2',
  bad: 'M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2L1.8 10.8V5.2zM5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8',
}

/** A tick, a triangle or an octagon. */
export function gradeIcon(grade: Grade): SVGElement {
  const name = { good: 'Good', warn: 'Warning', bad: 'Critical' }[grade]
  return svg('svg', { class: `mark-sign ${grade}`, viewBox: '0 0 16 16', role: 'img', 'aria-label': name }, svg('path', { d: SHAPES[grade] }))
}

/** Key figures: name, value, note, and whether it is good (omitted: neutral). */
export function figures(list: readonly (readonly [name: string, value: string, small: string, good?: boolean])[]): HTMLElement {
  return h(
    'div',
    { class: 'figures' },
    ...list.map(([name, value, small, good]) => h('div', { class: good === undefined ? 'figure' : good ? 'figure good' : 'figure low' }, h('span', {}, name), h('b', {}, value), h('small', {}, small))),
  )
}

/** A table of texts with a caption for screen readers. It scrolls sideways where there is no room. */
export function plainTable(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  return h(
    'div',
    { class: 'plain-table', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {}, h('thead', {}, h('tr', {}, ...heads.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...rows.map((r) => h('tr', {}, ...r.map((t) => h('td', {}, t)))))),
  )
}
