// The command palette: one field for actions, days, memories, entities and namespaces.
import '../../style/palette.css'
import { fetchEntities, type Entity } from '../../api/entities'
import { fetchSearch, type Hit } from '../../api/operations'
import { displayName } from '../../api/vocabulary'
import { dayText } from '../../state/clock'
import { dayOf, matching } from '../../state/palette'
import { NOTHING_OPEN } from '../../state/view'
import { errorText } from '../asynccontent'
import { glyph, h, icon } from '../dom'
import type { Session } from '../session'

const MAX_COMMANDS = 6
const MAX_FOUND = 6
const ASK_DELAY_MS = 150

/** Something that the page can do. */
export interface Command {
  name: string
  /** other words for it */
  words?: string
  key?: string
  act(): void
}

interface Row {
  name: string
  note: string
  key?: string
  sign: () => Node
  act(): void
}

/** Opens the palette; a second call closes it. */
export function openPalette(s: Session, commands: readonly Command[]): void {
  const last = document.querySelector<HTMLDialogElement>('dialog.palette')
  if (last?.open) return last.close()
  last?.remove() // closed, but its event has not come yet
  new Palette(s, commands)
}

class Palette {
  private readonly input = h('input', {
    type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-label': 'Command', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false', maxlength: 200,
    placeholder: 'Search actions, memories, entities, or go to a day such as 18 August',
  })
  private readonly list = h('div', { class: 'palette-list', role: 'listbox', id: 'palette-list', 'aria-label': 'Matches' })
  private readonly note = h('p', { class: 'palette-note', role: 'status' })
  private readonly dialog = h('dialog', { class: 'palette panel', 'aria-label': 'Commands' }, h('label', { class: 'palette-box' }, icon('search'), this.input, h('kbd', { 'aria-hidden': 'true' }, 'Esc')), this.list, this.note)
  private rows: Row[] = []
  private at = 0
  private running: AbortController | null = null
  private timer = 0
  private hits: Hit[] = []
  private entities: Entity[] = []

  constructor(
    private readonly s: Session,
    private readonly commands: readonly Command[],
  ) {
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
    this.dialog.addEventListener('close', () => {
      this.running?.abort()
      clearTimeout(this.timer)
      this.dialog.remove()
      if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true })
    })
    this.dialog.addEventListener('click', (e) => e.target === this.dialog && this.dialog.close())
    this.input.addEventListener('input', () => this.typed())
    this.input.addEventListener('keydown', (e) => this.onKey(e))
    document.body.append(this.dialog)
    this.dialog.showModal()
    this.update()
  }

  private typed(): void {
    this.at = 0
    this.hits = []
    this.entities = []
    this.update()
    clearTimeout(this.timer)
    this.running?.abort()
    if (this.input.value.trim() !== '') this.timer = window.setTimeout(() => void this.ask(this.input.value.trim()), ASK_DELAY_MS)
  }

  /** Asks for memories and entities; either may fail or be unknown to the server. */
  private async ask(query: string): Promise<void> {
    const { signal } = (this.running = new AbortController())
    const { namespaces } = this.s.view.get()
    const within = namespaces.length > 0 ? { namespaces } : {}
    const [found, entities] = await Promise.allSettled([
      fetchSearch({ query, topK: MAX_FOUND, track: false, ...within }, signal),
      fetchEntities({ name: query, first: MAX_FOUND, ...within }, signal),
    ])
    if (signal.aborted) return
    this.hits = found.status === 'fulfilled' ? (found.value?.hits ?? []) : []
    this.entities = entities.status === 'fulfilled' ? entities.value.nodes : []
    this.update(found.status === 'rejected' ? errorText(found.reason) : '')
  }

  private update(problem = ''): void {
    const typed = this.input.value.trim()
    const groups: [string, Row[]][] = [
      ['Time', this.dayRows(typed)],
      ['Actions', matching(typed, this.commands, typed === '' ? this.commands.length : MAX_COMMANDS).map((c) => ({ name: c.name, note: '', ...(c.key ? { key: c.key } : {}), sign: () => icon('right'), act: c.act }))],
      ['Entities', distinct(this.entities).map((e) => ({ name: e.name, note: `${displayName(e.type)}, ${e.mentionCount} mentions`, sign: () => icon('link'), act: () => this.s.view.set({ ...NOTHING_OPEN, panel: 'entities', entity: e.id }) }))],
      ['Namespaces', typed === '' ? [] : this.namespaceRows(typed)],
      ['Memories', this.hits.map((hit) => ({ name: hit.memory.content ?? hit.memory.unavailable?.message ?? '', note: '', sign: () => glyph(hit.memory.type), act: () => this.s.open(hit.memory.id, true) }))],
    ]
    this.rows = groups.flatMap(([, rows]) => rows)
    this.at = Math.min(this.at, Math.max(this.rows.length - 1, 0))
    let i = 0
    this.list.replaceChildren(
      ...groups
        .filter(([, rows]) => rows.length > 0)
        .map(([name, rows]) => h('div', { role: 'group', 'aria-label': name }, h('h3', { 'aria-hidden': 'true' }, name), ...rows.map((row) => this.option(row, i++)))),
    )
    this.note.textContent = problem || (this.rows.length === 0 && typed !== '' ? 'Nothing matches.' : '')
    this.mark()
  }

  private option(row: Row, i: number): HTMLElement {
    const el = h('div', { role: 'option', id: `palette-${i}`, class: 'palette-row' }, row.sign(), h('span', { class: 'name' }, row.name), row.note !== '' && h('small', {}, row.note), row.key && h('kbd', { 'aria-hidden': 'true' }, row.key))
    el.addEventListener('pointermove', () => {
      if (this.at === i) return
      this.at = i
      this.mark()
    })
    el.addEventListener('click', () => this.run(i))
    return el
  }

  private dayRows(typed: string): Row[] {
    const now = this.s.clock.now()
    const day = dayOf(typed, now)
    if (day === null) return []
    const { clock } = this.s.view.get()
    const act = () => this.s.view.set(clock === 'recorded' ? { recorded: day } : { valid: day })
    return [{ name: `Go to ${dayText(day)}`, note: clock === 'recorded' ? 'what was known by then' : 'what was true then', sign: () => icon('range'), act }]
  }

  private namespaceRows(typed: string): Row[] {
    const names = (this.s.live.get().world?.frame.namespace.values ?? []).filter(Boolean).map((name) => ({ name, words: 'namespace' }))
    return matching(typed, names, MAX_FOUND).map(({ name }) => ({ name, note: 'show only this namespace', sign: () => icon('filter'), act: () => this.s.view.set({ namespaces: [name] }) }))
  }

  private mark(): void {
    const options = [...this.list.querySelectorAll<HTMLElement>('[role=option]')]
    options.forEach((el, i) => el.setAttribute('aria-selected', String(i === this.at)))
    const current = options[this.at]
    current?.scrollIntoView({ block: 'nearest' })
    if (current) this.input.setAttribute('aria-activedescendant', current.id)
    else this.input.removeAttribute('aria-activedescendant')
  }

  private onKey(e: KeyboardEvent): void {
    const n = this.rows.length
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (step && n > 0) this.at = (this.at + step + n) % n
    else if (e.key === 'Enter' && n > 0) this.run(this.at)
    else return
    e.preventDefault()
    this.mark()
  }

  private run(i: number): void {
    const row = this.rows[i]
    this.dialog.close()
    row?.act()
  }
}

/** Entities of one name are listed once, the most often mentioned one. */
function distinct(entities: readonly Entity[]): Entity[] {
  const best = new Map<string, Entity>()
  for (const e of entities) {
    const held = best.get(e.name)
    if (!held || e.mentionCount > held.mentionCount) best.set(e.name, e)
  }
  return [...best.values()]
}
