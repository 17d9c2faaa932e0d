// The origin of a memory, and a check of its checksum.
import type { DetailMemory } from '../../api/operations'
import { displayName } from '../../api/vocabulary'
import { shorten } from '../../scene/labels/labels'
import { dayText, momentText } from '../../state/clock'
import { memoryChecksum, canHash } from '../../state/hashes'
import { glyph, h, icon } from '../dom'
import type { Session } from '../session'

/** Times, sources, names, derivation and checksum of a memory. */
export function provenance(s: Session, m: DetailMemory): HTMLElement {
  const rows: [string, string | null][] = [
    ['Source', [displayName(m.sourceKind), m.source].filter(Boolean).join(' · ')],
    ['Consent', displayName(m.consent)],
    ['Belief', m.subject ? [m.subject, m.predicate, m.object].filter(Boolean).join(' → ') : null],
    ['Tier', m.tier],
    ['Recorded', `${momentText(Date.parse(m.recordedAt))} UTC`],
    ['Happened', m.occurredAt === m.recordedAt ? null : `${momentText(Date.parse(m.occurredAt))} UTC`],
    ['Valid', `from ${dayText(Date.parse(m.validFrom))}${m.validTo ? ` until ${dayText(Date.parse(m.validTo))}` : ''}`],
    ['Expires', m.expiresAt ? `${momentText(Date.parse(m.expiresAt))} UTC` : null],
    ['Session', m.session],
    ['Tags', m.tags.length > 0 ? m.tags.join(', ') : null],
    ['Meta', m.meta === null || m.meta === undefined ? null : JSON.stringify(m.meta)],
    ['Id', m.id],
    ['Checksum', m.checksum],
  ]
  const list = h('dl', { class: 'provenance' })
  for (const [name, text] of rows) {
    if (!text) continue
    list.append(h('dt', {}, name), h('dd', { class: name === 'Id' || name === 'Checksum' ? 'mono' : null, title: text }, text))
  }
  const from = [...m.derivedFrom.map((d) => [d, 'derived from'] as const), ...(m.consolidatedInto ? [[m.consolidatedInto, 'merged into'] as const] : [])]
  return h(
    'section',
    {},
    h('h3', {}, 'Provenance'),
    list,
    checksumCheck(m),
    from.length > 0 &&
      h('ul', { class: 'links' }, ...from.map(([d, name]) => h('li', {}, h('button', { type: 'button', onclick: () => s.open(d.id, true) }, glyph(d.type), h('span', { class: 'name' }, shorten(d.content ?? '')), h('span', { class: 'edge-name' }, name))))),
    h('button', { type: 'button', class: 'link copy', onclick: () => void navigator.clipboard?.writeText(location.href).then(() => s.announce('Link copied')) }, icon('target'), 'Copy link to this view'),
  )
}

/** Recomputes the checksum of content, time and source in the browser. */
function checksumCheck(m: DetailMemory): HTMLElement | null {
  if (m.content === null || m.checksum === null || !canHash()) return null
  const [content, result] = [m.content, h('span', { role: 'status' })]
  const check = async () => {
    const valid = (await memoryChecksum({ ...m, content })) === m.checksum
    result.replaceChildren(valid ? icon('check') : '', valid ? ' Checksum matches.' : 'Checksum does not match!')
    result.className = valid ? 'proof good' : 'proof bad'
  }
  return h('p', { class: 'small proof-line' }, h('button', { type: 'button', class: 'link', onclick: () => void check() }, 'Verify checksum'), ' ', result)
}
