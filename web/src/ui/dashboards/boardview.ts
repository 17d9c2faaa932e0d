// A board as an element: its title, what it says, its chart, its numbers, and the CSV.
import { csv, rangeText } from '../../state/boards'
import { plainTable } from './parts'
import { h } from '../dom'
import { download } from '../image'
import type { Session } from '../session'
import type { Board } from './boardlist'

/** Rows that are shown; the CSV has all of them. */
const SHOWN_ROWS = 60

export function boardElement(s: Session, b: Board): HTMLElement {
  const save = () => {
    download(new Blob(['\ufeff', csv(b.head, b.rows)], { type: 'text/csv' }), `somnograph ${b.title.toLowerCase()} ${rangeText(s.view.get().learned)}.csv`)
    s.announce(`${b.title} saved as CSV`)
  }
  const empty = b.content.length === 0
  return h(
    'section',
    { class: 'board-tile', 'aria-label': b.title },
    h('header', {}, h('h3', {}, b.title), !empty && h('button', { type: 'button', class: 'quiet-button', 'aria-label': `${b.title} as CSV`, onclick: save }, 'CSV')),
    h('p', { class: 'muted small' }, b.about),
    ...(empty ? [h('p', { class: 'board-nothing' }, b.nothing)] : b.content),
    !empty && b.rows.length > 0 && h('details', { class: 'numbers' }, h('summary', {}, 'In numbers'), plainTable(b.title, b.head, b.rows.slice(0, SHOWN_ROWS).map((r) => r.map((v) => (typeof v === 'number' ? v.toLocaleString('en') : v))))),
  )
}
