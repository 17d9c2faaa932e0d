// Conflicting memories side by side, and how to resolve them.
import { fetchConflicts, resolveConflict, type Conflict } from '../../api/sleep'
import { displayName } from '../../api/vocabulary'
import { dayText } from '../../state/clock'
import { diffWords } from '../../state/diff'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AsyncContent, errorText } from '../asynccontent'

/** Conflicts of one request. */
const CONFLICTS_PAGE = 50

type Side = Conflict['later']

export class ConflictsTab implements Tab {
  readonly element: HTMLElement
  private readonly listing = h('div')
  private readonly content: AsyncContent<Conflict[]>
  private opened = false

  constructor(private readonly s: Session) {
    this.element = h(
      'div',
      { class: 'conflicts-tab' },
      h('h2', {}, 'Conflicts'),
      h('p', { class: 'muted' }, 'Pairs of memories that contradict each other. Until you resolve a conflict, its memories can’t become permanent, and their confidence does not change.'),
      this.listing,
    )
    this.content = new AsyncContent(
      this.listing,
      (signal) => {
        const { namespaces } = s.view.get()
        return fetchConflicts(namespaces.length > 0 ? namespaces : null, signal)
      },
      (found) => this.rows(found),
      'conflicts',
    )
    s.view.on(['namespaces'], () => this.opened && void this.content.load())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.content.load())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private rows(found: Conflict[]): Node[] {
    if (found.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, 'No conflicts. Memories that contradict each other are listed here until you resolve the conflict.'))]
    return [h('h3', {}, found.length === CONFLICTS_PAGE ? `The ${CONFLICTS_PAGE} strongest; there may be more` : `${found.length} unresolved, strongest first`), h('ol', { class: 'pair-list' }, ...found.map((c) => this.pair(c)))]
  }

  private pair(c: Conflict): HTMLElement {
    const confirmation = h('div', { class: 'said' })
    const name = `${c.score.toFixed(2)}, found ${dayText(Date.parse(c.at))}`
    const choiceButton = (label: string, keep: string | null, what: string) => {
      const b = h('button', { type: 'button', class: 'quiet-button' }, label)
      b.addEventListener('click', () => this.confirm(c, keep, what, b, confirmation))
      return b
    }
    return h(
      'li',
      { class: 'pair', 'data-later': c.later.id },
      h('p', { class: 'pair-head' }, h('span', { class: 'tag contested' }, `Conflict ${name}`)),
      h('div', { class: 'pair-sides' }, this.side(c.earlier, c.later, 'Earlier', 'gone'), this.side(c.later, c.earlier, 'Later', 'new')),
      h(
        'div',
        { class: 'buttons' },
        choiceButton('Keep earlier', c.earlier.id, 'The later memory becomes superseded.'),
        choiceButton('Keep later', c.later.id, 'The earlier memory becomes superseded.'),
        choiceButton('Keep both', null, 'The conflict is dismissed; both stay as they are.'),
      ),
      confirmation,
    )
  }

  private side(m: Side, other: Side, name: string, kind: 'gone' | 'new'): HTMLElement {
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
      { type: 'button', class: 'pair-side', onclick: () => this.s.open(m.id, true) },
      h('span', { class: 'pair-name' }, h('b', {}, name), dayText(Date.parse(m.recordedAt))),
      words,
      h('small', {}, `${[displayName(m.sourceKind), m.source].filter(Boolean).join(' · ')} · authority ${m.authority.toFixed(2)} · confidence ${m.confidence.toFixed(2)}`),
    )
  }

  private confirm(c: Conflict, keep: string | null, effect: string, button: HTMLButtonElement, confirmation: HTMLElement): void {
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
          this.s.announce('Conflict resolved')
          void this.content.load()
        },
        (error: unknown) => confirmation.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(error))),
      )
    })
    confirmation.replaceChildren(form)
    reason.focus()
  }
}
