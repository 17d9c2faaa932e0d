// The prompt preview: the prompt now or at a past instant, by layer and against its budget. The
// preview does not count as use.
import { fetchPrompt, type Layer, type Prompt } from '../../api/agent'
import type { ContextFormat, ContextInput } from '../../api/schema.gen'
import { TYPES, displayName } from '../../api/vocabulary'
import { momentText } from '../../state/clock'
import { budgetShares, truncatedText } from '../../state/promptbudget'
import { DEFAULT_PROMPT, PROMPT_BUDGET, type PromptInput } from '../../state/view'
import { AsyncContent } from '../asynccontent'
import { dividedBar, legend } from '../charts'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'

const RELOAD_DELAY_MS = 350
const FORMATS: ContextFormat[] = ['MARKDOWN', 'XML', 'JSON']
const MEANING: Record<Layer['name'], string> = {
  PROCEDURAL: 'rules and instructions',
  PROJECT: 'current project and pinned memories',
  MEMORIES: 'memories that match the query',
  DOCUMENTS: 'reference material',
  CONVERSATION: 'last turns of the session',
}

export class PromptTab implements Tab {
  readonly element: HTMLElement
  private readonly query: HTMLTextAreaElement
  private readonly session: HTMLInputElement
  private readonly user: HTMLSelectElement
  private readonly project: HTMLSelectElement
  private readonly budget: HTMLInputElement
  private readonly amount = h('output', { class: 'amount' })
  private readonly formats: HTMLButtonElement[]
  private readonly answer = h('div')
  private readonly content: AsyncContent<Prompt>
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.query = h('textarea', { rows: 2, maxlength: 2000, placeholder: 'What the agent was asked, or is about to do', 'aria-label': 'Query' })
    this.session = h('input', { type: 'text', maxlength: 200, 'aria-label': 'Session', spellcheck: 'false' })
    this.user = h('select', { 'aria-label': 'User' })
    this.project = h('select', { 'aria-label': 'Project' })
    this.budget = h('input', { type: 'range', min: PROMPT_BUDGET.min, max: PROMPT_BUDGET.max, step: 50, 'aria-label': 'Token budget' })
    this.formats = FORMATS.map((f) => h('button', { type: 'button', role: 'radio', onclick: () => this.change({ format: f }) }, f === 'MARKDOWN' ? 'Markdown' : f))
    this.query.addEventListener('input', () => this.change({ query: this.query.value }))
    this.session.addEventListener('input', () => this.change({ session: this.session.value.trim() || DEFAULT_PROMPT.session }))
    this.user.addEventListener('change', () => this.change({ user: this.user.value }))
    this.project.addEventListener('change', () => this.change({ project: this.project.value }))
    this.budget.addEventListener('input', () => this.change({ budget: Number(this.budget.value) }))
    this.content = new AsyncContent(this.answer, (signal) => fetchPrompt(this.input(), signal), (p) => this.show(p), 'prompt preview')
    this.element = h(
      'div',
      { class: 'prompt-tab' },
      h('h2', {}, 'Prompt preview'),
      h('p', { class: 'muted' }, 'The prompt that an agent would get at the time shown, from the selected namespaces. A preview does not count as use.'),
      h(
        'form',
        { class: 'prompt-form', onsubmit: (e: Event) => e.preventDefault() },
        this.query,
        h('div', { class: 'prompt-fields' }, h('label', {}, 'Session', this.session), h('label', {}, 'User', this.user), h('label', {}, 'Project', this.project)),
        h('label', { class: 'budget-row' }, h('span', {}, 'Budget'), this.budget, this.amount),
        h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Format' }, ...this.formats),
      ),
      this.answer,
    )
    s.view.on(['prompt'], () => this.reloadSoon())
    s.view.on(['recorded', 'valid', 'namespaces'], () => this.reloadSoon())
    s.live.on(['world'], () => this.opened && this.updateForm())
  }

  open(): void {
    const again = !this.opened
    this.opened = true
    this.updateForm()
    if (again) void this.content.load()
  }

  close(): void {
    this.opened = false
    clearTimeout(this.timer)
    this.content.stop()
  }

  private change(change: Partial<PromptInput>): void {
    this.s.view.set({ prompt: { ...this.s.view.get().prompt, ...change } })
  }

  private reloadSoon(): void {
    if (!this.opened) return
    this.updateForm()
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.opened && void this.content.load(), RELOAD_DELAY_MS)
  }

  /** Updates the form from the view. */
  private updateForm(): void {
    const { prompt } = this.s.view.get()
    const f = this.s.live.get().world?.frame
    if (this.query.value !== prompt.query) this.query.value = prompt.query
    if (document.activeElement !== this.session) this.session.value = prompt.session
    fillSelect(this.user, prompt.user, 'any user', f?.user.values ?? [])
    fillSelect(this.project, prompt.project, 'any project', f?.project.values ?? [])
    this.budget.value = String(prompt.budget)
    this.amount.textContent = `${prompt.budget.toLocaleString('en')} tokens`
    this.formats.forEach((b, i) => b.setAttribute('aria-checked', String(FORMATS[i] === prompt.format)))
  }

  private input(): ContextInput {
    const { prompt, recorded, valid, namespaces } = this.s.view.get()
    const asOf = {
      ...(recorded !== null ? { recorded: new Date(recorded).toISOString() } : {}),
      ...(valid !== null ? { valid: new Date(valid).toISOString() } : {}),
    }
    return {
      session: prompt.session, tokenBudget: prompt.budget, format: prompt.format,
      ...(prompt.query.trim() ? { query: prompt.query.trim() } : {}),
      ...(prompt.user ? { user: prompt.user } : {}),
      ...(prompt.project ? { project: prompt.project } : {}),
      ...(namespaces.length > 0 ? { namespaces } : {}),
      ...(recorded !== null || valid !== null ? { asOf } : {}),
    }
  }

  private show(p: Prompt): Node[] {
    const { prompt, recorded } = this.s.view.get()
    this.s.live.set({ highlighted: p.layers.flatMap((l) => l.memoryIds) })
    const pieces = budgetShares(p, prompt.budget)
    const figures: [string, string, string][] = [
      ['Tokens', p.totalTokens.toLocaleString('en'), `of ${prompt.budget.toLocaleString('en')}`],
      ['Memories', new Set(p.layers.flatMap((l) => l.memoryIds)).size.toLocaleString('en'), 'highlighted on the map'],
      ['Saved', p.tokensSaved.toLocaleString('en'), 'tokens fewer than the raw memories'],
    ]
    const copy = h('button', { type: 'button', class: 'quiet-button' }, 'Copy prompt')
    copy.addEventListener('click', () => void navigator.clipboard?.writeText(p.text).then(() => this.s.announce('Prompt copied')))
    return [
      h('div', { class: 'figures' }, ...figures.map(([name, value, small]) => h('div', { class: 'figure' }, h('span', {}, name), h('b', {}, value), h('small', {}, small)))),
      h('div', { class: 'prompt-bar' }, dividedBar('Tokens by layer', pieces)),
      legend(pieces.filter((x) => x.value > 0)),
      ...(p.truncated ? [h('p', { class: 'muted small' }, truncatedText(p.totalTokens, prompt.budget))] : []),
      ...(recorded !== null ? [h('p', { class: 'muted small' }, `As of ${momentText(recorded)} UTC.`)] : []),
      ...(p.layers.length === 0 ? [h('div', { class: 'dock-note' }, h('p', {}, 'The prompt is empty: no memories match.'))] : []),
      ...p.layers.map((l, i) => this.layer(l, i === 0)),
      h('div', { class: 'buttons' }, copy),
    ]
  }

  private layer(l: Layer, open: boolean): HTMLElement {
    const { world } = this.s.live.get()
    const rows = l.memoryIds.map((id) => {
      const n = world?.indexOf(id) ?? -1
      const label = n >= 0 ? world!.frame.label(n) : ''
      return h('li', {}, h('button', { type: 'button', 'data-id': id, onclick: () => this.s.open(id, true) }, n >= 0 ? glyph(TYPES[world!.frame.type[n]!]!) : null, h('span', { class: 'name' }, label || id)))
    })
    return h(
      'details',
      { class: 'layer-box', open },
      h('summary', {}, h('i', { class: `layer-${l.name.toLowerCase()}` }), h('b', {}, displayName(l.name)), h('span', { class: 'muted' }, MEANING[l.name]), h('span', { class: 'tokens' }, l.tokens.toLocaleString('en'))),
      h('pre', { class: 'layer-text', tabindex: 0, 'aria-label': `Text of the layer ${displayName(l.name)}` }, l.text),
      rows.length > 0 && h('ul', { class: 'links' }, ...rows),
    )
  }
}

function fillSelect(select: HTMLSelectElement, value: string, none: string, words: readonly string[]): void {
  const all = ['', ...new Set([...words.filter(Boolean).sort(), ...(value ? [value] : [])])]
  if (all.length !== select.options.length || all.some((w, i) => select.options[i]!.value !== w)) {
    select.replaceChildren(...all.map((w) => h('option', { value: w }, w || none)))
  }
  select.value = value
}
