// "What I know about you": everything that is remembered of a user, to confirm, correct or forget.
import { grants } from '../../state/actions'
import { ApiError } from '../../api/graphql'
import { confirmClaim, confirmMemory, correctClaim, correctMemory, fetchKnown, forgetMemory, type Correction, type Fact, type Known, type KnownLine } from '../../api/facts'
import { asOfView } from '../../api/entities'
import { dayText } from '../../state/clock'
import { predicateText, valueText } from '../../state/facts'
import { topics } from '../../state/known'
import { AsyncContent, errorText } from '../asynccontent'
import { glyph, h } from '../dom'
import { factSheet } from '../factsheet'
import type { Session } from '../session'
import type { Tab } from '../tab'

const PAGE_SIZE = 100
const MAX_LINES = 1000
const RELOAD_DELAY_MS = 200

type Memory = KnownLine['memory']

export class KnownTab implements Tab {
  readonly element: HTMLElement
  private readonly user = h('select', { 'aria-label': 'User' })
  private readonly outcome = h('div', { class: 'known-outcome', role: 'status', tabindex: -1 })
  private readonly rows = h('div')
  private readonly content: AsyncContent<Known | null>
  private lines: readonly KnownLine[] = []
  private limit = PAGE_SIZE
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.user.addEventListener('change', () => s.view.set({ about: this.user.value }))
    this.element = h(
      'div',
      { class: 'known-tab' },
      h('h2', {}, 'What I know about you'),
      h('p', { class: 'muted' }, 'Every line that is remembered of a user. Confirm what is right, correct what is wrong, or have it forgotten.'),
      h('label', { class: 'known-user' }, 'User', this.user),
      this.outcome,
      this.rows,
    )
    this.content = new AsyncContent(
      this.rows,
      async (signal) => {
        const { namespaces } = s.view.get()
        const user = this.chosen()
        return user === '' ? null : fetchKnown(user, namespaces.length > 0 ? namespaces : null, asOfView(s.view.get()), this.limit, signal)
      },
      (known) => this.show(known),
      'what is known about a user',
    )
    s.view.on(['about'], () => {
      this.limit = PAGE_SIZE
      this.outcome.replaceChildren()
      if (this.opened) void this.content.load(true)
    })
    s.view.on(['recorded', 'valid', 'namespaces'], () => this.reloadSoon())
    s.live.on(['world'], () => this.reloadSoon())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  /** Reloads, unless a form is open: it would lose what was typed. */
  private reloadSoon(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.opened && !this.rows.querySelector('form, .confirm') && void this.content.load(), RELOAD_DELAY_MS)
  }

  private users(): string[] {
    const { about } = this.s.view.get()
    const known = this.s.live.get().world?.frame.user.values ?? []
    return [...new Set([...known.filter(Boolean).sort(), ...(about ? [about] : [])])]
  }

  private chosen(): string {
    return this.s.view.get().about || this.users()[0] || ''
  }

  private show(known: Known | null): Node[] {
    const users = this.users()
    const user = this.chosen()
    this.user.replaceChildren(...users.map((u) => h('option', { value: u }, u)))
    this.user.value = user
    this.user.disabled = users.length === 0
    if (!known) return [note('No memory belongs to a user yet.', 'Give remember or observe a user, for example user: "ana". What is remembered of that user is then listed here.')]
    this.lines = known.lines
    this.highlight()
    const { recorded, valid } = this.s.view.get()
    const at = valid ?? recorded
    const past = at !== null && h('div', { class: 'dock-note' }, h('p', {}, `This is what was known about ${user} as of ${dayText(at)}. Go back to now to change it.`), h('button', { type: 'button', class: 'quiet-button', onclick: () => this.s.view.set({ recorded: null, valid: null }) }, 'Back to now'))
    const actions = at === null
    if (known.lines.length === 0) return [...(past ? [past] : []), note(`Nothing is remembered of ${user}${at === null ? '' : ' at this time'}.`, 'Choose another user above, or clear the namespace filter.')]
    return [
      ...(past ? [past] : []),
      ...topics(user, known.lines).flatMap((t) => [
        h('h3', {}, t.title),
        'facts' in t ? factSheet(this.s, t.facts, (f) => (actions ? this.factActions(f) : null)) : h('ul', { class: 'known-memories' }, ...t.memories.map((m) => this.memory(m, actions))),
      ]),
      ...this.more(known),
      ...(actions && grants(this.s.live.get().scopes, 'MEMORY_ADMIN')
        ? [h('button', { type: 'button', class: 'quiet-button danger forget-all', onclick: () => void import('../acting/forgetall').then(({ forgetAllDialog }) => forgetAllDialog(this.s, { user, name: user })) }, `Forget the user ${user}…`)]
        : []),
    ]
  }

  private highlight(): void {
    this.s.live.set({ highlighted: [...new Set(this.lines.map((l) => l.memory.id))] })
  }

  private more({ lines, total }: Known): Node[] {
    if (lines.length >= total) return []
    const text = `${lines.length.toLocaleString('en')} of ${total.toLocaleString('en')} lines are shown.`
    const load = () => {
      this.limit = Math.min(this.limit + PAGE_SIZE, MAX_LINES)
      void this.content.load()
    }
    return [h('p', { class: 'muted known-more' }, text), ...(this.limit < MAX_LINES ? [h('button', { type: 'button', class: 'quiet-button', onclick: load }, 'Show more')] : [])]
  }

  // --- the lines ---

  private factActions(f: Fact): HTMLElement {
    const what = `${f.subject} ${predicateText(f)} ${valueText(f)}`.trim()
    const below = h('div', { class: 'said' })
    const confirm = this.act('Confirm', what, below, () => confirmClaim(f.id).then(() => this.done(`Confirmed: ${what}.`)))
    return h('div', { class: 'known-actions' }, h('div', { class: 'buttons' }, !f.confirmed && confirm, this.opener('Correct', what, below, () => this.correctForm(f, what, below)), this.forgetButton(f.memory, what, below)), below)
  }

  private memory(m: Memory, actions: boolean): HTMLElement {
    const text = m.content ?? m.unavailable?.message ?? ''
    const below = h('div', { class: 'said' })
    const open = h('button', { type: 'button', class: 'known-text', onclick: () => this.s.open(m.id, true) }, glyph(m.type), h('span', {}, text))
    const confirm = () => confirmMemory(m.id, text).then(() => this.done('Confirmed. It counts as used, and fades later.'))
    return h(
      'li',
      { 'data-id': m.id },
      open,
      h('p', { class: 'fact-notes' }, `learned ${dayText(Date.parse(m.recordedAt))}`),
      actions &&
        m.content !== null &&
        h('div', { class: 'known-actions' }, h('div', { class: 'buttons' }, this.act('Confirm', text, below, confirm), m.pattern === null && this.opener('Correct', text, below, () => this.rewriteForm(m, below)), this.forgetButton(m, text, below)), below),
    )
  }

  /** A button that does something at once; an error is shown below the line. */
  private act(name: string, what: string, below: HTMLElement, deed: () => Promise<void>): HTMLButtonElement {
    const b = h('button', { type: 'button', class: 'quiet-button', 'aria-label': `${name}: ${what}` }, name)
    b.addEventListener('click', () => {
      b.disabled = true
      void deed().catch((e: unknown) => {
        b.disabled = false
        below.replaceChildren(failure(e))
      })
    })
    return b
  }

  /** A button that opens a form below the line, or closes it. */
  private opener(name: string, what: string, below: HTMLElement, make: () => HTMLElement): HTMLButtonElement {
    const b = h('button', { type: 'button', class: 'quiet-button', 'aria-label': `${name}: ${what}` }, name)
    b.addEventListener('click', () => {
      below.replaceChildren(make())
      below.querySelector<HTMLElement>('label:last-of-type input, textarea')?.focus()
    })
    return b
  }

  // --- correct ---

  private correctForm(f: Fact, what: string, below: HTMLElement): HTMLElement {
    const fields = { subject: field('About', f.subject), predicate: field('Says', predicateText(f)), object: field('Value', f.object) }
    const message = h('p', { class: 'bad', role: 'alert' })
    const before: Record<keyof typeof fields, string> = { subject: f.subject, predicate: predicateText(f), object: f.object }
    const send = (change: Correction, done: string) => {
      for (const x of Object.values(fields)) x.input.removeAttribute('aria-invalid')
      correctClaim(f.id, change).then(
        () => this.done(done, { name: 'Undo', deed: () => correctClaim(f.id, restored(f)).then(() => this.done(`Restored: ${what}.`)) }),
        (e: unknown) => {
          const wrong = e instanceof ApiError ? fields[e.field as keyof typeof fields] : undefined
          message.textContent = wrong ? `${wrong.name}: ${errorText(e)}` : errorText(e)
          wrong?.input.setAttribute('aria-invalid', 'true')
          wrong?.input.focus()
        },
      )
    }
    const save = (e: Event) => {
      e.preventDefault()
      const names = Object.keys(fields) as (keyof typeof fields)[]
      const changed = names.filter((n) => fields[n].input.value !== before[n])
      if (changed.length === 0) message.textContent = 'Nothing was changed. Change a field, or choose “Not true”.'
      else send(Object.fromEntries(changed.map((n) => [n, fields[n].input.value])), `Corrected. It was: ${what}.`)
    }
    const wrong = h('button', { type: 'button', class: 'quiet-button', onclick: () => send({ wrong: true }, `No longer believed: ${what}.`) }, 'Not true')
    return h('form', { class: 'known-form', onsubmit: save }, ...Object.values(fields).map((x) => x.label), message, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'button' }, 'Save'), wrong, cancel(below)))
  }

  private rewriteForm(m: Memory, below: HTMLElement): HTMLElement {
    const text = h('textarea', { rows: 3, 'aria-label': 'New text' })
    text.value = m.content ?? ''
    const message = h('p', { class: 'bad', role: 'alert' })
    const save = (e: Event) => {
      e.preventDefault()
      correctMemory(m.id, text.value.trim()).then(
        () => this.done('Corrected. The old text is the previous version.'),
        (error: unknown) => {
          message.textContent = error instanceof ApiError && error.field === 'content' ? `Text: ${errorText(error)}` : errorText(error)
          text.focus()
        },
      )
    }
    return h('form', { class: 'known-form', onsubmit: save }, text, message, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'button' }, 'Save'), cancel(below)))
  }

  // --- forget ---

  private forgetButton(m: Pick<Memory, 'id' | 'content' | 'user'>, what: string, below: HTMLElement): HTMLButtonElement {
    const b = h('button', { type: 'button', class: 'quiet-button danger', 'aria-label': `Forget: ${what}` }, 'Forget')
    b.addEventListener('click', () => {
      b.disabled = true
      forgetMemory(m.id, true).then(
        (preview) => below.replaceChildren(this.forgetBox(m, preview.count, preview.anonymised, below)),
        (e: unknown) => below.replaceChildren(failure(e)),
      ).finally(() => {
        b.disabled = false
        below.querySelector<HTMLElement>('button')?.focus()
      })
    })
    return b
  }

  private forgetBox(m: Pick<Memory, 'id' | 'content' | 'user'>, count: number, anonymised: number, below: HTMLElement): HTMLElement {
    const others = this.lines.filter((l) => l.memory.id === m.id && l.claim?.current).length - 1
    const sure = this.act(count === 1 ? 'Forget this memory' : `Forget ${count} memories`, m.content ?? '', below, () =>
      forgetMemory(m.id, false).then((r) => this.done(`Forgotten: ${r.count} ${r.count === 1 ? 'memory' : 'memories'}. Receipt ${r.id}`)),
    )
    sure.className = 'button danger'
    return h(
      'div',
      { class: 'confirm' },
      h('p', {}, 'This erases the memory below', count > 1 ? ` and ${count - 1} derived from it.` : '.', ' It can’t be undone.'),
      h('blockquote', {}, m.content ?? ''),
      m.user === null && h('p', {}, 'It belongs to no user: everybody who reads it loses it.'),
      others > 0 && h('p', {}, `The memory says ${others === 1 ? 'one more line' : `${others} more lines`} of this page. To take back only this one, choose Correct, then Not true.`),
      anonymised > 0 && h('p', {}, `${anonymised} safety-critical ${anonymised === 1 ? 'memory is' : 'memories are'} kept without names.`),
      h('div', { class: 'buttons' }, sure, cancel(below)),
    )
  }

  /** Says what was done, with an undo if there is one, and reloads. */
  private done(text: string, undo?: { name: string; deed: () => Promise<void> }): void {
    const below = h('span')
    this.outcome.replaceChildren(h('p', {}, text), ...(undo ? [this.act(undo.name, text, below, undo.deed)] : []), below)
    this.outcome.focus({ preventScroll: true })
    void this.content.load()
  }
}

function note(text: string, advice: string): HTMLElement {
  return h('div', { class: 'dock-note' }, h('p', {}, text), h('p', {}, advice))
}

function failure(e: unknown): HTMLElement {
  return h('p', { class: 'bad', role: 'alert' }, errorText(e))
}

function cancel(below: HTMLElement): HTMLElement {
  return h('button', { type: 'button', class: 'quiet-button', onclick: () => below.replaceChildren() }, 'Cancel')
}

function field(name: string, value: string): { name: string; label: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { type: 'text', value, spellcheck: 'false', autocomplete: 'off' })
  return { name, input, label: h('label', {}, h('span', {}, name), input) }
}

/** The correction that takes a fact back to what it was. Empty parts can't be given. */
function restored(f: Fact): Correction {
  return { ...(f.subject ? { subject: f.subject } : {}), predicate: f.predicate, ...(f.object ? { object: f.object } : {}) }
}
