// Two memories that contradict each other, side by side, and how to resolve them.
import '../style/conflicts.css'
import { resolveConflict, type Conflict } from '../api/sleep'
import { displayName } from '../api/vocabulary'
import { dayText } from '../state/clock'
import { diffWords } from '../state/diff'
import { errorText } from './asynccontent'
import { h } from './dom'
import type { Session } from './session'

type Side = Conflict['later']

/** A pair. Its score and the day on which it was found may be unknown. */
export interface Pair {
  score: number
  at: string | null
  later: Side
  earlier: Side
}

/** The pair with its choices; without the right to resolve, without them. */
export function conflictPair(s: Session, c: Pair, resolvable: boolean, resolved: () => void): HTMLElement {
  const confirmation = h('div', { class: 'said' })
  const choice = (label: string, keep: string | null, what: string) => {
    const b = h('button', { type: 'button', class: 'quiet-button' }, label)
    b.addEventListener('click', () => confirm(c, keep, what, b, confirmation, resolved, s))
    return b
  }
  return h(
    'li',
    { class: 'pair', 'data-later': c.later.id },
    h('p', { class: 'pair-head' }, h('span', { class: 'tag contested' }, `Conflict ${c.score.toFixed(2)}${c.at ? `, found ${dayText(Date.parse(c.at))}` : ''}`)),
    h('div', { class: 'pair-sides' }, side(s, c.earlier, c.later, 'Earlier', 'gone'), side(s, c.later, c.earlier, 'Later', 'new')),
    resolvable &&
      h(
        'div',
        { class: 'buttons' },
        choice('Keep earlier', c.earlier.id, 'The later memory becomes superseded.'),
        choice('Keep later', c.later.id, 'The earlier memory becomes superseded.'),
        choice('Keep both', null, 'The conflict is dismissed; both stay as they are.'),
      ),
    confirmation,
  )
}

function side(s: Session, m: Side, other: Side, name: string, kind: 'gone' | 'new'): HTMLElement {
  const words = h('span', { class: 'pair-text' })
  if (m.content === null || other.content === null) words.append(m.content ?? m.unavailable?.message ?? 'Erased')
  else {
    const [before, after] = kind === 'gone' ? [m.content, other.content] : [other.content, m.content]
    for (const piece of diffWords(before, after)) {
      if (piece.kind === 'same') words.append(piece.text)
      else if (piece.kind === kind) words.append(h('mark', { class: kind }, piece.text))
    }
  }
  return h(
    'button',
    { type: 'button', class: 'pair-side', onclick: () => s.open(m.id, true) },
    h('span', { class: 'pair-name' }, h('b', {}, name), dayText(Date.parse(m.recordedAt))),
    words,
    h('small', {}, `${[displayName(m.sourceKind), m.source].filter(Boolean).join(' · ')} · authority ${m.authority.toFixed(2)} · confidence ${m.confidence.toFixed(2)}`),
  )
}

function confirm(c: Pair, keep: string | null, effect: string, button: HTMLButtonElement, confirmation: HTMLElement, resolved: () => void, s: Session): void {
  const reason = h('input', { type: 'text', maxlength: 400, placeholder: 'Reason (optional)', 'aria-label': 'Reason' })
  const submit = h('button', { type: 'submit', class: 'button' }, 'Confirm')
  const cancel = h('button', { type: 'button', class: 'quiet-button' }, 'Cancel')
  const form = h('form', { class: 'confirm' }, h('p', {}, effect), reason, h('div', { class: 'buttons' }, submit, cancel))
  const close = () => {
    confirmation.replaceChildren()
    button.focus()
  }
  cancel.addEventListener('click', close)
  form.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return
    e.stopPropagation()
    close()
  })
  form.addEventListener('submit', (e) => {
    e.preventDefault()
    submit.disabled = true
    void resolveConflict({ a: c.later.id, b: c.earlier.id, keep, reason: reason.value || null }).then(
      () => {
        s.announce('Conflict resolved')
        resolved()
      },
      (error: unknown) => confirmation.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(error))),
    )
  })
  confirmation.replaceChildren(form)
  reason.focus()
}
