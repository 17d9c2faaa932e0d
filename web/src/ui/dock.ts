// The panel at the left for sleep and what comes of it. It is loaded when it is first opened.
import { PANELS, type Panel } from '../state/view'
import { h, iconButton } from './dom'
import type { Session } from './session'

/** One of the panels, made once. */
export interface Tab {
  element: HTMLElement
  /** it has come to the front, or its link has changed */
  open(): void
  close?(): void
}

const NAMES: Record<Panel, string> = { sleep: 'Sleep', mornings: 'Mornings', fading: 'Fading', conflicts: 'Conflicts', policy: 'Policy' }

export class Dock {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body dock-body', id: 'dock-body', role: 'tabpanel', tabindex: -1 })
  private readonly tabs: Record<Panel, HTMLButtonElement>
  private readonly made = new Map<Panel, Tab>()
  private front: Panel | null = null

  constructor(private readonly s: Session) {
    const tab = (panel: Panel) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${panel}`, 'aria-controls': 'dock-body', onclick: () => this.s.view.set({ panel, report: null }) }, NAMES[panel])
    this.tabs = { sleep: tab('sleep'), mornings: tab('mornings'), fading: tab('fading'), conflicts: tab('conflicts'), policy: tab('policy') }
    const list = h('div', { class: 'dock-tabs', role: 'tablist', 'aria-label': 'Sleep and what comes of it' }, ...PANELS.map((p) => this.tabs[p]))
    list.addEventListener('keydown', (e) => this.walk(e))
    this.element = h('aside', { class: 'dock panel', 'aria-label': 'Sleep and what comes of it', hidden: true }, h('header', { class: 'panel-head' }, list, iconButton('close', 'Close', () => this.close(), 'Esc')), this.body)
    s.view.on(['panel', 'report'], () => void this.show())
    // The first scene brings the server's clock, by which "in 3 days" is reckoned.
    s.live.on(['world'], (_, before) => !before.world && this.front && this.made.get(this.front)?.open())
    void this.show()
  }

  /** Opens the panel that was open last, or closes it. */
  toggle(): void {
    if (this.s.view.get().panel) this.close()
    else {
      this.s.view.set({ panel: this.front ?? 'sleep' })
      this.tabs[this.front ?? 'sleep'].focus()
    }
  }

  close(): void {
    this.s.view.set({ panel: null, report: null })
  }

  private walk(e: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key]
    const { panel } = this.s.view.get()
    if (!step || !panel) return
    e.preventDefault()
    e.stopPropagation()
    const next = PANELS[(PANELS.indexOf(panel) + step + PANELS.length) % PANELS.length]!
    this.s.view.set({ panel: next, report: null })
    this.tabs[next].focus()
  }

  private async show(): Promise<void> {
    const { panel } = this.s.view.get()
    this.element.hidden = panel === null
    document.body.classList.toggle('docked', panel !== null)
    for (const p of PANELS) {
      this.tabs[p].setAttribute('aria-selected', String(p === panel))
      this.tabs[p].tabIndex = p === panel ? 0 : -1
    }
    if (this.front !== panel && this.front) this.made.get(this.front)?.close?.()
    if (panel === null) return
    const before = this.front
    this.front = panel
    this.body.setAttribute('aria-labelledby', `tab-${panel}`)
    let tab = this.made.get(panel)
    if (!tab) {
      this.body.replaceChildren(h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' }, h('i'), h('i'), h('i')))
      try {
        const { makeTab } = await import('./night/tabs')
        tab = this.made.get(panel) ?? makeTab(panel, this.s)
        this.made.set(panel, tab)
      } catch {
        if (this.front !== panel) return
        const again = h('button', { type: 'button', class: 'button', onclick: () => location.reload() }, 'Reload the page')
        this.body.replaceChildren(h('div', { class: 'dock-note', role: 'alert' }, h('p', {}, 'This panel could not be loaded.'), again))
        return
      }
      if (this.s.view.get().panel !== panel) return
    }
    if (this.body.firstElementChild !== tab.element) this.body.replaceChildren(tab.element)
    if (before !== panel) this.body.scrollTop = 0
    tab.open()
  }
}
