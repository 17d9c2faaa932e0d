// Two patterns that conflict, and the choice between them: one to make, or one that was made.
import { resolvePattern, type DecidedConflict, type PatternSummary } from '../../api/clusters'
import { dayText } from '../../state/clock'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import { patternButton } from './rows'

/** Both patterns, each with a button that keeps it. `decided` is called after the server has ended the other one. */
export function conflictPair(s: Session, a: PatternSummary, b: PatternSummary, decided: () => void): HTMLElement {
  const confirmation = h('div', { class: 'said' })
  const side = (keep: PatternSummary, end: PatternSummary) => {
    const button = h('button', { type: 'button', class: 'quiet-button', 'aria-label': `Keep this one: ${keep.text}` }, 'Keep this one')
    button.addEventListener('click', () => confirm(keep, end, button))
    return h('div', { class: 'pattern-side' }, patternButton(s, keep), button)
  }
  const confirm = (keep: PatternSummary, end: PatternSummary, button: HTMLButtonElement) => {
    const note = h('input', { type: 'text', maxlength: 400, placeholder: 'Reason (optional)', 'aria-label': 'Reason' })
    const submit = h('button', { type: 'submit', class: 'button' }, 'Confirm')
    const cancel = h('button', { type: 'button', class: 'quiet-button' }, 'Cancel')
    const form = h('form', { class: 'confirm' }, h('p', {}, `“${end.text}” ends: it is kept in the history, and answers no longer use it.`), note, h('div', { class: 'buttons' }, submit, cancel))
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
      void resolvePattern(keep.id, end.id, note.value.trim() || null).then(
        () => {
          s.announce('Conflict resolved')
          decided()
        },
        (error: unknown) => confirmation.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(error))),
      )
    })
    confirmation.replaceChildren(form)
    note.focus()
  }
  return h('div', { class: 'pattern-pair' }, side(a, b), side(b, a), confirmation)
}

/** A conflict that was decided: when, by whom and why, the pattern that was kept, and the other one. */
export function decidedPair(s: Session, { patterns, kept, resolvedAt, resolvedBy, note }: DecidedConflict): HTMLElement {
  const side = (name: string, p: PatternSummary) => h('div', { class: 'pattern-side' }, h('p', { class: 'pattern-verdict' }, name), patternButton(s, p))
  const who = resolvedBy === null ? '' : ` by ${resolvedBy}`
  return h(
    'li',
    {},
    h('p', {}, `Decided ${dayText(Date.parse(resolvedAt!))}${who}`, note !== null && h('span', { class: 'muted' }, `: “${note}”`)),
    h('div', { class: 'pattern-pair' }, ...patterns.filter((p) => p.id === kept).map((p) => side('Kept', p)), ...patterns.filter((p) => p.id !== kept).map((p) => side('Not kept', p))),
  )
}
