// The dock on the left. The panels of a group are loaded when one of them is first opened.
import { NOTHING_OPEN, PANELS, PANEL_GROUPS, panelGroupOf, type Panel, type PanelGroup } from '../state/view'
import { h, iconButton } from './dom'
import type { Session } from './session'
import type { Tab } from './tab'

export const GROUP_NAMES: Record<PanelGroup, string> = { memories: 'List', clusters: 'Clusters and patterns', sleep: 'Sleep', dashboards: 'Health', agent: 'Prompt preview' }

export const PANEL_NAMES: Record<Panel, string> = {
  list: 'List', entities: 'Entities', known: 'About you', documents: 'Documents', changes: 'Changes',
  clusters: 'Clusters', patterns: 'Patterns',
  sleep: 'Sleep', mornings: 'Reports', fading: 'Forecast', conflicts: 'Conflicts', policy: 'Policy',
  health: 'Health', boards: 'Boards', quality: 'Quality', gate: 'Gate', privacy: 'Privacy', speed: 'Speed',
  prompt: 'Prompt', tasks: 'Tasks',
}

const LOADERS: Record<PanelGroup, () => Promise<{ makeTab: (panel: Panel, s: Session) => Tab }>> = {
  memories: () => import('./memories/tabs'),
  clusters: () => import('./clusters/tabs'),
  sleep: () => import('./sleep/tabs'),
  dashboards: () => import('./dashboards/tabs'),
  agent: () => import('./agent/tabs'),
}

export class Dock {
  readonly element: HTMLElement
  private readonly body = h('div', { class: 'panel-body dock-body', id: 'dock-body', role: 'tabpanel', tabindex: 0 })
  private readonly list = h('div', { class: 'dock-tabs', role: 'tablist' })
  private readonly wideButton: HTMLButtonElement
  private readonly tabs = new Map<Panel, HTMLButtonElement>()
  private readonly created = new Map<Panel, Tab>()
  /** the last open panel of each group */
  private readonly lastPanels = Object.fromEntries(Object.entries(PANEL_GROUPS).map(([group, panels]) => [group, panels[0]])) as Record<PanelGroup, Panel>
  private current: Panel | null = null
  /** the code of the open panel could not be loaded */
  private failed = false

  constructor(private readonly s: Session) {
    for (const panel of PANELS) {
      this.tabs.set(panel, h('button', { type: 'button', role: 'tab', id: `tab-${panel}`, 'aria-controls': 'dock-body', onclick: () => this.openPanel(panel) }, PANEL_NAMES[panel]))
    }
    this.list.addEventListener('keydown', (e) => this.onTabKey(e))
    this.wideButton = iconButton('expand', 'Full width', () => s.view.set({ wide: !s.view.get().wide }))
    this.element = h('aside', { class: 'dock panel', hidden: true }, h('header', { class: 'panel-head' }, this.list, this.wideButton, iconButton('close', 'Close', () => this.close(), 'Esc')), this.body)
    s.view.on(['panel', 'report', 'entity', 'cluster', 'pattern'], () => void this.show())
    // The first scene brings the server's clock, which relative times need.
    s.live.on(['world'], (_, before) => {
      if (before.world) return
      if (this.current) this.created.get(this.current)?.open()
      // The code of all panels is loaded while the server is there.
      const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000))
      idle(() => void Promise.allSettled(Object.values(LOADERS).map((load) => load())))
    })
    s.live.on(['connected'], ({ connected }) => connected && this.failed && void this.show())
    s.view.on(['wide', 'panel'], () => this.updateWidth())
    this.updateWidth()
    void this.show()
  }

  private updateWidth(): void {
    const { wide, panel } = this.s.view.get()
    document.body.classList.toggle('wide-dock', wide && panel !== null)
    this.wideButton.setAttribute('aria-pressed', String(wide))
  }

  /** Opens the last panel of a group, or closes the dock. */
  toggle(group: PanelGroup): void {
    const { panel } = this.s.view.get()
    if (panel && panelGroupOf(panel) === group) this.close()
    else {
      this.openPanel(this.lastPanels[group])
      this.tabs.get(this.lastPanels[group])!.focus()
    }
  }

  close(): void {
    this.s.view.set({ panel: null, ...NOTHING_OPEN })
  }

  openPanel(panel: Panel): void {
    this.s.view.set({ panel, ...NOTHING_OPEN })
  }

  private onTabKey(e: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key]
    const { panel } = this.s.view.get()
    if (!step || !panel) return
    e.preventDefault()
    e.stopPropagation()
    const panels: readonly Panel[] = PANEL_GROUPS[panelGroupOf(panel)]
    const next = panels[(panels.indexOf(panel) + step + panels.length) % panels.length]!
    this.openPanel(next)
    this.tabs.get(next)!.focus()
  }

  private async show(): Promise<void> {
    const { panel } = this.s.view.get()
    this.element.hidden = panel === null
    document.body.classList.toggle('docked', panel !== null)
    if (this.current !== panel && this.current) this.created.get(this.current)?.close?.()
    if (panel !== this.current && this.s.live.get().highlighted.length > 0) this.s.live.set({ highlighted: [], ghosts: [] })
    if (panel === null) {
      this.current = null
      return
    }
    const before = this.current
    this.current = panel
    this.updateTabs(panel)
    const tab = this.created.get(panel) ?? (await this.create(panel))
    if (!tab || this.s.view.get().panel !== panel) return
    if (this.body.firstElementChild !== tab.element) this.body.replaceChildren(tab.element)
    if (before !== panel) this.body.scrollTop = 0
    tab.open()
  }

  /** Updates the tabs of the panel's group. */
  private updateTabs(panel: Panel): void {
    const group = panelGroupOf(panel)
    this.lastPanels[group] = panel
    const own = PANEL_GROUPS[group].map((p) => this.tabs.get(p)!)
    if (this.list.firstElementChild !== own[0]) this.list.replaceChildren(...own)
    this.list.setAttribute('aria-label', GROUP_NAMES[group])
    this.element.setAttribute('aria-label', GROUP_NAMES[group])
    this.body.setAttribute('aria-labelledby', `tab-${panel}`)
    for (const p of PANEL_GROUPS[group]) {
      this.tabs.get(p)!.setAttribute('aria-selected', String(p === panel))
      this.tabs.get(p)!.tabIndex = p === panel ? 0 : -1
    }
  }

  private async create(panel: Panel): Promise<Tab | null> {
    this.failed = false
    this.body.replaceChildren(h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' }, h('i'), h('i'), h('i')))
    try {
      const { makeTab } = await LOADERS[panelGroupOf(panel)]()
      const tab = this.created.get(panel) ?? makeTab(panel, this.s)
      this.created.set(panel, tab)
      return tab
    } catch {
      if (this.current !== panel) return null
      this.failed = true
      // Files that are missing although the server is there are those of another version.
      const note = this.s.live.get().connected
        ? [h('p', {}, 'This panel could not be loaded.'), h('button', { type: 'button', class: 'button', onclick: () => location.reload() }, 'Reload the page')]
        : [h('p', {}, 'The server does not answer. The panel is loaded when it is back.'), h('button', { type: 'button', class: 'button', onclick: () => void this.show() }, 'Try again')]
      this.body.replaceChildren(h('div', { class: 'dock-note', role: 'alert' }, ...note))
      return null
    }
  }
}
