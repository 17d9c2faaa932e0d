// The toolbar at the top right: panels, camera and theme, and a menu with exports.
import { isSignedIn } from '../api/signin'
import { panelGroupOf, type PanelGroup } from '../state/view'
import { h, icon, iconButton } from './dom'
import { GROUP_NAMES, type Dock } from './dock'
import { Menu } from './menu'
import type { Session, SleepFollower } from './session'

export const GROUP_KEYS: Record<PanelGroup, string> = { memories: 'm', clusters: 'k', sleep: 's', dashboards: 'd', agent: 'c' }
const GROUP_ICONS: Record<PanelGroup, string> = { memories: 'words', clusters: 'clusters', sleep: 'sleep', dashboards: 'boards', agent: 'agent' }

/** The text beside an icon, where there is room for it. */
const TOOL_NAMES: Record<PanelGroup, string> = { memories: 'List', clusters: 'Clusters', sleep: 'Sleep', dashboards: 'Health', agent: 'Prompt' }

/** The actions of the toolbar. */
export interface ToolbarActions {
  showWholeMap(): void
  toggleFlat(): void
  toggleLayout(): void
  toggleHubs(): void
  toggleAreas(): void
  toggleTheme(): void
  saveImage(): void
  saveJson(): void
  saveArrow(table: 'memories' | 'edges'): void
  copyLink(): void
  tour(): void
  known(): void
  add(): void
  palette(): void
  help(): void
  signOut(): void
}

export class Toolbar {
  readonly element: HTMLElement
  private readonly groups: Record<PanelGroup, HTMLButtonElement>
  private readonly flatButton: HTMLButtonElement
  private readonly themeButton: HTMLButtonElement

  constructor(
    private readonly s: Session,
    dock: Dock,
    sleeper: SleepFollower,
    actions: ToolbarActions,
  ) {
    const group = (r: PanelGroup) => {
      const b = iconButton(GROUP_ICONS[r], GROUP_NAMES[r], () => dock.toggle(r), GROUP_KEYS[r])
      b.append(h('span', { class: 'tool-name', 'aria-hidden': 'true' }, TOOL_NAMES[r]))
      b.setAttribute('aria-pressed', 'false')
      return b
    }
    this.groups = { memories: group('memories'), clusters: group('clusters'), sleep: group('sleep'), dashboards: group('dashboards'), agent: group('agent') }
    const onlyWide = (b: HTMLButtonElement) => {
      b.classList.add('only-large')
      return b
    }
    onlyWide(this.groups.clusters)
    const filter = iconButton('filter', 'Legend and filters', () => document.body.classList.toggle('show-filters'))
    filter.classList.add('only-narrow')
    this.flatButton = onlyWide(iconButton('flat', 'Flat map', actions.toggleFlat, '2'))
    this.themeButton = onlyWide(iconButton('sun', 'Light theme', actions.toggleTheme, 'l'))
    const menu = new Menu('Save, share and more', 'more', [
      { name: 'Add a memory…', icon: 'plus', key: 'n', act: actions.add },
      { name: 'Commands…', icon: 'search', key: 'Ctrl K', act: actions.palette },
      { name: 'What I know about you', icon: 'person', key: 'u', act: actions.known },
      { name: 'Save image (PNG)', icon: 'camera', key: 'p', act: actions.saveImage },
      { name: 'Export shown memories (JSON)', icon: 'save', key: 'j', act: actions.saveJson },
      { name: 'Export all memories (Arrow)', icon: 'save', act: () => actions.saveArrow('memories') },
      { name: 'Export all edges (Arrow)', icon: 'save', act: () => actions.saveArrow('edges') },
      { name: 'Copy link to this view', icon: 'link', act: actions.copyLink },
      { name: 'Place by meaning or by links', icon: 'spring', key: 'g', act: actions.toggleLayout },
      { name: 'Show or hide entities', icon: 'person', key: 'e', act: actions.toggleHubs },
      { name: 'Show or hide cluster areas', icon: 'clusters', key: 'a', act: actions.toggleAreas },
      { name: 'Clusters and patterns', icon: 'clusters', key: 'k', act: () => dock.toggle('clusters'), narrow: true },
      { name: 'Take the tour', icon: 'tour', act: actions.tour },
      { name: 'Show whole map', icon: 'home', key: 'h', act: actions.showWholeMap, narrow: true },
      { name: 'Toggle flat map', icon: 'flat', key: '2', act: actions.toggleFlat, narrow: true },
      { name: 'Toggle light theme', icon: 'sun', key: 'l', act: actions.toggleTheme, narrow: true },
      { name: 'Help', icon: 'help', key: '?', act: actions.help, narrow: true },
      ...(isSignedIn() ? [{ name: 'Sign out', icon: 'person', act: actions.signOut }] : []),
    ])
    this.element = h(
      'nav',
      { class: 'tools panel', 'aria-label': 'Toolbar' },
      filter,
      ...Object.values(this.groups),
      onlyWide(iconButton('home', 'Whole map', actions.showWholeMap, 'h')),
      this.flatButton,
      this.themeButton,
      menu.element,
      onlyWide(iconButton('help', 'Help', actions.help, '?')),
    )
    sleeper.store.on(['running'], (a) => this.groups.sleep.classList.toggle('on', a.running !== null))
    s.view.on(['flat', 'panel'], () => this.update())
    s.live.on(['light'], () => this.update())
    this.update()
  }

  private update(): void {
    const { flat, panel } = this.s.view.get()
    const { light } = this.s.live.get()
    for (const room of Object.keys(this.groups) as PanelGroup[]) this.groups[room].setAttribute('aria-pressed', String(panel !== null && panelGroupOf(panel) === room))
    setButton(this.flatButton, flat ? 'cube' : 'flat', flat ? '3D map' : 'Flat map', '2')
    setButton(this.themeButton, light ? 'moon' : 'sun', light ? 'Dark theme' : 'Light theme', 'l')
  }
}

function setButton(button: HTMLButtonElement, sign: string, label: string, key: string): void {
  button.replaceChildren(icon(sign))
  button.title = `${label} (${key})`
  button.setAttribute('aria-label', label)
}
