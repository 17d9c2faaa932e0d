// The search box and the hits with the parts of their scores.
import { ApiError } from '../api/graphql'
import { fetchSearch, type Hit, type SearchAnswer } from '../api/operations'
import type { SearchInput } from '../api/schema.gen'
import { displayName } from '../api/vocabulary'
import { searchWeights } from '../state/searchmode'
import { FILTERS, type SearchMode } from '../state/view'
import { glyph, h, icon, iconButton } from './dom'
import type { Session } from './session'
import { PARTS, MIN_SHARE, type Explanation } from './explanation'
import { highlightWords } from '../state/highlight'

const TOP_K = 30
const SEARCH_MODES: [SearchMode, string, string][] = [
  ['both', 'Both', 'by meaning and by words'],
  ['meaning', 'Meaning', 'similar meaning, whatever the words'],
  ['words', 'Words', 'same words'],
]

/** Whether the hits cover the map instead of being beside it. */
const isNarrow = (): boolean => window.innerWidth <= 1100

export class Search {
  readonly element: HTMLElement
  private readonly input: HTMLInputElement
  private readonly list = h('ul', { class: 'hits', role: 'listbox', id: 'hits', 'aria-label': 'Hits' })
  private readonly note = h('p', { class: 'search-note', role: 'status' })
  private readonly results: HTMLElement
  private readonly modeButtons: HTMLButtonElement[]
  private readonly partLegend = h('ul', { class: 'part-key', 'aria-label': 'Parts of the score' })
  private hits: Hit[] = []
  private answer: SearchAnswer | null = null
  private active = -1
  private running: AbortController | null = null
  private timer = 0
  private failed = false

  /** called when the space that the hits take has changed */
  onResize: () => void = () => {}

  constructor(private readonly s: Session) {
    this.input = h('input', {
      type: 'search', placeholder: 'Search memory', 'aria-label': 'Search memory', role: 'combobox', 'aria-controls': 'hits', 'aria-expanded': 'false',
      autocomplete: 'off', spellcheck: 'false', maxlength: 400,
    })
    this.input.addEventListener('input', () => this.s.view.set({ query: this.input.value }))
    this.input.addEventListener('keydown', (e) => this.key(e))
    this.input.addEventListener('focus', () => this.setOpen(true))
    this.modeButtons = SEARCH_MODES.map(([kind, name, meaning]) => h('button', { type: 'button', role: 'radio', title: meaning, onclick: () => this.s.view.set({ searchMode: kind }) }, name))
    this.results = h(
      'div',
      { class: 'results panel', hidden: true },
      h('div', { class: 'results-head' }, this.note, iconButton('close', 'Hide hits', () => this.setOpen(false))),
      h('div', { class: 'results-kind' }, h('div', { class: 'segmented small', role: 'radiogroup', 'aria-label': 'Search by' }, ...this.modeButtons), this.partLegend),
      this.list,
    )
    this.element = h(
      'div',
      { class: 'search', role: 'search' },
      h('label', { class: 'search-box panel' }, icon('search'), this.input, h('kbd', { 'aria-hidden': 'true' }, '/')),
      this.results,
    )
    this.element.append(iconButton('close', 'Clear search', () => this.clear()))
    this.element.lastElementChild!.classList.add('search-clear')
    s.view.on(['query', 'searchMode', ...FILTERS, 'recorded', 'valid'], (v, before) => {
      if (this.input.value !== v.query) this.input.value = v.query
      this.updateMode()
      this.runSoon(v.query !== before.query ? 180 : 400)
    })
    this.updateMode()
    s.view.on(['selected'], () => this.markRows())
    // The server is back.
    s.live.on(['connected'], ({ connected }) => connected && this.failed && this.runSoon(0))
    document.addEventListener('pointerdown', (e) => {
      if (isNarrow() && !this.element.contains(e.target as Node)) this.setOpen(false)
    })
    this.input.value = s.view.get().query
    if (this.input.value) this.runSoon(0)
    this.element.classList.toggle('filled', this.input.value !== '')
  }

  private updateMode(): void {
    const { searchMode } = this.s.view.get()
    this.modeButtons.forEach((b, i) => b.setAttribute('aria-checked', String(SEARCH_MODES[i]![0] === searchMode)))
  }

  focus(): void {
    this.input.focus()
    this.input.select()
  }

  /** True if there was something to clear. */
  clear(): boolean {
    const cleared = this.s.view.get().query !== '' || this.element.contains(document.activeElement)
    this.s.view.set({ query: '' })
    this.input.blur()
    this.setOpen(false)
    return cleared
  }

  private runSoon(wait: number): void {
    this.element.classList.toggle('filled', this.s.view.get().query !== '')
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => void this.run(), wait)
  }

  private async run(): Promise<void> {
    this.running?.abort()
    const query = this.s.view.get().query.trim()
    if (query === '') {
      this.show(null)
      return
    }
    this.running = new AbortController()
    const { signal } = this.running
    this.element.classList.add('busy')
    try {
      const answer = await fetchSearch(this.searchInput(query), signal)
      if (signal.aborted) return
      this.show(answer)
    } catch (e) {
      if (signal.aborted) return
      this.show(null)
      this.failed = true
      this.note.textContent = e instanceof ApiError ? e.message : 'Search failed.'
      this.note.classList.add('bad')
      this.setOpen(true)
    } finally {
      if (!signal.aborted) this.element.classList.remove('busy')
    }
  }

  /** The search uses the instant and the filters of the view. */
  private searchInput(query: string): SearchInput {
    const v = this.s.view.get()
    const asOf = {
      ...(v.recorded !== null ? { recorded: new Date(v.recorded).toISOString() } : {}),
      ...(v.valid !== null ? { valid: new Date(v.valid).toISOString() } : {}),
    }
    return {
      query,
      topK: TOP_K,
      track: false,
      ...searchWeights(v.searchMode),
      ...(v.types.length > 0 ? { types: v.types } : {}),
      ...(v.statuses.length > 0 ? { statuses: v.statuses } : {}),
      ...(v.namespaces.length > 0 ? { namespaces: v.namespaces } : {}),
      ...(v.projects.length === 1 && v.projects[0] !== '' ? { project: v.projects[0]! } : {}),
      ...(v.users.length === 1 && v.users[0] !== '' ? { user: v.users[0]! } : {}),
      ...(v.recorded !== null || v.valid !== null ? { asOf } : {}),
    }
  }

  private show(answer: SearchAnswer | null): void {
    const { world, filterMask } = this.s.live.get()
    this.note.classList.remove('bad')
    this.failed = false
    // The server filters by one project and one user; the page filters several.
    this.hits = (answer?.hits ?? []).filter((hit) => {
      const node = world?.indexOf(hit.memory.id) ?? -1
      return node < 0 || filterMask[node] === 1
    })
    this.active = -1
    this.answer = answer
    const used = PARTS.filter((p) => this.hits.some((hit) => hit.parts[p] * answer!.weights[p] > MIN_SHARE))
    this.partLegend.replaceChildren(...used.map((p) => h('li', {}, h('i', { class: `part-${p}` }), p)))
    const best = Math.max(...this.hits.map((hit) => hit.score), 0.001)
    this.list.replaceChildren(...this.hits.map((hit, i) => this.row(hit, i, best, answer!)))
    if (answer) {
      const n = this.hits.length
      this.note.textContent =
        answer.noMatch ? 'No good match.' : n === 0 ? 'No matching memories at this time.' : `${n === TOP_K ? 'Best ' : ''}${n} of ${answer.consideredCount.toLocaleString('en')} candidates, ${answer.latencyMs.toFixed(1)} ms`
      if (answer.unsure && n > 0) this.note.textContent += ' · perhaps none of them answers'
      if (answer.degraded.length > 0) this.note.textContent += ` · without ${answer.degraded.join(', ').toLowerCase()}`
    } else this.note.textContent = ''
    // Without hits before and after, nothing changes in the scene.
    if (this.hits.length + this.s.live.get().hits.length > 0) this.s.live.set({ hits: this.hits.map((hit) => hit.memory.id) })
    this.setOpen(!isNarrow() || document.activeElement === this.input)
    this.markRows()
  }

  private row(hit: Hit, i: number, best: number, answer: SearchAnswer): HTMLElement {
    const m = hit.memory
    const bar = h('div', { class: 'parts' })
    for (const part of PARTS) {
      const share = hit.parts[part] * answer.weights[part]
      if (share <= MIN_SHARE) continue
      const piece = h('i', { class: `part-${part}`, title: `${part} ${hit.parts[part].toFixed(2)} × ${answer.weights[part].toFixed(2)}` })
      piece.style.width = `${(100 * share) / best}%`
      bar.append(piece)
    }
    const named = PARTS.filter((p) => hit.parts[p] * answer.weights[p] > MIN_SHARE)
      .map((p) => `${p} ${hit.parts[p].toFixed(2)}`)
      .join(', ')
    return h(
      'li',
      { role: 'option', id: `hit-${i}`, 'aria-selected': 'false', 'data-id': m.id, onclick: () => this.choose(i) },
      glyph(m.type),
      h(
        'div',
        { class: 'hit-body' },
        h('p', { class: 'hit-text' }, ...(m.content === null ? [m.unavailable?.message ?? ''] : highlightWords(m.content, this.s.view.get().query).map((x) => (x.hit ? h('mark', {}, x.text) : x.text)))),
        h(
          'div',
          { class: 'hit-foot' },
          bar,
          h('span', { class: 'score', title: named }, hit.score.toFixed(2)),
          h('span', { class: 'quiet' }, `Score from ${named}`),
          hit.label !== 'CURRENT' && h('span', { class: `tag ${hit.label.toLowerCase()}` }, displayName(hit.label)),
        ),
      ),
    )
  }

  private key(e: KeyboardEvent): void {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault()
      if (this.hits.length === 0) return
      this.setOpen(true)
      this.active = (this.active + (e.key === 'ArrowDown' ? 1 : -1) + this.hits.length) % this.hits.length
      this.markRows()
      this.list.children[this.active]?.scrollIntoView({ block: 'nearest' })
    } else if (e.key === 'Enter') {
      e.preventDefault()
      if (this.hits.length > 0) this.choose(Math.max(this.active, 0))
    } else if (e.key === 'Escape') {
      e.preventDefault()
      e.stopPropagation()
      if (this.input.value === '' || !isNarrow()) this.clear()
      else {
        this.setOpen(false)
        this.input.blur()
      }
    }
  }

  private choose(i: number): void {
    const hit = this.hits[i]
    if (!hit) return
    this.active = i
    this.s.open(hit.memory.id, true)
    this.input.blur()
    this.setOpen(!isNarrow())
  }

  private markRows(): void {
    const selected = this.s.view.get().selected
    ;[...this.list.children].forEach((li, i) => {
      li.classList.toggle('at', i === this.active)
      li.setAttribute('aria-selected', String(li.getAttribute('data-id') === selected))
    })
    if (this.active >= 0) this.input.setAttribute('aria-activedescendant', `hit-${this.active}`)
    else this.input.removeAttribute('aria-activedescendant')
  }

  /** Why a memory was found; null: it is not among the hits. */
  explain(id: string): Explanation | null {
    const i = this.hits.findIndex((hit) => hit.memory.id === id)
    return i < 0 || !this.answer || this.s.view.get().query === '' ? null : { hit: this.hits[i]!, weights: this.answer.weights, rank: i + 1, query: this.s.view.get().query }
  }

  /** The space that the hits take beside the map; none if they cover it for a moment. */
  besideMap(): DOMRect[] {
    return this.results.hidden || isNarrow() ? [] : [this.results.getBoundingClientRect()]
  }


  private setOpen(open: boolean): void {
    const show = open && this.note.textContent !== '' && this.s.view.get().query !== ''
    if (this.results.hidden === !show) return
    this.results.hidden = !show
    this.onResize()
    this.input.setAttribute('aria-expanded', String(show))
  }
}
