// The versions of a belief, oldest first, each with its changes.
import type { DetailMemory, Versions } from '../../api/operations'
import { displayName } from '../../api/vocabulary'
import { dayText } from '../../state/clock'
import { diffWords } from '../../state/diff'
import { h } from '../dom'
import type { Session } from '../session'

/** The version chain of a memory; a click opens a version. */
export function history(s: Session, m: DetailMemory, versions: Versions): HTMLElement {
  const rows = versions.map((v, i) => {
    const before = versions[i - 1]?.memory.content
    const text = v.memory.content
    const words = h('p', { class: 'version-text' })
    if (text === null) words.append(v.memory.unavailable?.message ?? 'Erased')
    else if (before) {
      for (const piece of diffWords(before, text)) {
        if (piece.kind === 'same') words.append(piece.text)
        else words.append(h('span', { class: 'quiet' }, piece.kind === 'gone' ? ' was ' : ' now '), h(piece.kind === 'gone' ? 'del' : 'ins', {}, piece.text))
      }
    } else words.append(text)
    const row = h(
      'li',
      { class: v.memory.id === m.id ? 'version at' : 'version' },
      h(
        'button',
        { type: 'button', 'aria-current': v.memory.id === m.id ? 'true' : null, onclick: () => s.open(v.memory.id, true) },
        h('span', { class: 'version-head' }, h('b', {}, `v${v.version}`), dayText(Date.parse(v.recordedAt)), v.supersededAt ? h('span', { class: 'muted' }, `until ${dayText(Date.parse(v.supersededAt))}`) : h('span', { class: 'tag current' }, 'Current')),
        words,
        v.reason ? h('span', { class: 'reason' }, `“${v.reason}”`) : null,
        h('span', { class: 'by muted small' }, `by ${v.memory.source || displayName(v.memory.sourceKind).toLowerCase()}`),
      ),
    )
    return row
  })
  return h('section', { class: 'history' }, h('h3', {}, `History · ${versions.length} versions`), h('ol', {}, ...rows))
}
