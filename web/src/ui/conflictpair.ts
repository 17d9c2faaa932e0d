// Two memories that contradict each other, side by side, and how to resolve them.
import '../style/conflicts.css'
import { resolvePattern } from '../api/clusters'
import { resolveConflict, type Conflict } from '../api/sleep'
import { displayName } from '../api/vocabulary'
import { choicesFor, type Choice } from '../state/actions'
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
  const choice = (of: Choice) => {
    const [label, effect] = choiceText(of, c)
    const b = h('button', { type: 'button', class: 'quiet-button' }, label)
    b.addEventListener('click', () => confirm(c, of, effect, b, confirmation, resolved, s))
    return b
  }
  return h(
    'li',
    { class: 'pair', 'data-later': c.later.id },
    h('p', { class: 'pair-head' }, h('span', { class: 'tag contested' }, `Conflict ${c.score.toFixed(2)}${c.at ? `, found ${dayText(Date.parse(c.at))}` : ''}`)),
    h('div', { class: 'pair-sides' }, side(s, c.earlier, c.later, 'Earlier', 'gone'), side(s, c.later, c.earlier, 'Later', 'new')),
    resolvable && h('div', { class: 'buttons' }, ...choicesFor(c.earlier, c.later).map(choice)),
    confirmation,
  )
}

/** The name of a choice and what it does. */
function choiceText(of: Choice, c: Pair): [label: string, effect: string] {
  const patterns = c.earlier.pattern !== null && c.later.pattern !== null
  const end = patterns ? 'pattern ends: it is kept in the history, and answers no longer use it.' : 'memory becomes superseded.'
  switch (of) {
    case 'earlier':
      return ['Keep earlier', `The later ${end}`]
    case 'later':
      return ['Keep later', `The earlier ${end}`]
    case 'both':
      return ['Keep both', 'The conflict is dismissed; both stay as they are.']
  }
}

/** Ends the conflict. */
function resolve(c: Pair, of: Choice, reason: string | null): Promise<void> {
  const [keep, end] = of === 'earlier' ? [c.earlier, c.later] : [c.later, c.earlier]
  if (keep.pattern !== null && end.pattern !== null) return resolvePattern(keep.id, end.id, reason)
  return resolveConflict({ a: c.later.id, b: c.earlier.id, keep: of === 'both' ? null : keep.id, reason })
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

function confirm(c: Pair, of: Choice, effect: string, button: HTMLButtonElement, confirmation: HTMLElement, resolved: () => void, s: Session): void {
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
    void resolve(c, of, reason.value || null).then(
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
