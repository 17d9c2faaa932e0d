// Where a chunk stands in its document: its headings and the chunks before and after it.
import { fetchChunks, fetchPlace, type Chunk } from '../../api/documents'
import type { DetailMemory } from '../../api/operations'
import { shorten } from '../../scene/labels/labels'
import { errorText } from '../asynccontent'
import { glyph, h } from '../dom'
import type { Session } from '../session'

/** The section of a chunk; null: the memory is none. It fills itself. */
export function place(s: Session, m: DetailMemory): HTMLElement | null {
  if (m.chunkIndex === null || m.chunkIndex === undefined) return null
  const body = h('div', { class: 'place' })
  void fill(s, m, body).catch((e: unknown) => body.replaceChildren(h('p', { role: 'alert' }, errorText(e))))
  return h('section', { class: 'place-section' }, h('h3', {}, 'In its document'), body)
}

async function fill(s: Session, m: DetailMemory, body: HTMLElement): Promise<void> {
  const found = await fetchPlace(m.id)
  const at = found?.chunkIndex
  if (!found?.document || at === null || at === undefined) {
    body.replaceChildren(h('p', { class: 'muted' }, 'The document is not known any more.'))
    return
  }
  const from = Math.max(0, at - 1)
  const chunks = m.status === 'ACTIVE' ? await fetchChunks(found.document.id, from, 3) : []
  const item = (c: Chunk) => {
    const here = c.id === m.id
    const text = (c.content ?? '').split('\n\n').slice(c.headings.length > 0 ? 1 : 0).join(' ')
    return h(
      'li',
      here ? { 'aria-current': 'true' } : {},
      h('button', { type: 'button', disabled: here, onclick: () => s.open(c.id, true) }, glyph('DOCUMENT'), h('span', { class: 'name' }, shorten(text)), h('span', { class: 'edge-name' }, here ? 'this' : c.chunkIndex! < at ? 'before' : 'after')),
    )
  }
  body.replaceChildren(
    h('p', { class: 'small document-path' }, found.document.path),
    h('p', { class: 'muted small' }, [`chunk ${at + 1} of ${found.document.chunks}`, `version ${found.document.version}`, found.line ? `line ${found.line}` : ''].filter(Boolean).join(' · ')),
    found.headings.length > 0 ? h('p', { class: 'small headings' }, found.headings.join(' › ')) : '',
    chunks.length > 0 ? h('ul', { class: 'links' }, ...chunks.map(item)) : h('p', { class: 'muted small' }, 'This is a text of an earlier version.'),
  )
}
