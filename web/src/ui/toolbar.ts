// The toolbar at the top right: panels, camera and theme, and a menu with exports.
import { panelGroupOf, type PanelGroup } from '../state/view'
import { h, icon, iconButton } from './dom'
import { GROUP_NAMES, type Dock } from './dock'
import { Menu } from './menu'
import type { Session, SleepFollower } from './session'

export const GROUP_KEYS: Record<PanelGroup, string> = { memories: 'm', sleep: 's', dashboards: 'd', agent: 'c' }
const GROUP_ICONS: Record<PanelGroup, string> = { memories: 'words', sleep: 'sleep', dashboards: 'boards', agent: 'agent' }

/** The actions of the toolbar. */
export interface ToolbarActions {
  home(): void
  toggleFlat(): void
  toggleSprings(): void
  toggleTheme(): void
  savePicture(): void
  saveJson(): void
  saveArrow(table: 'memories' | 'edges'): void
  copyLink(): void
  tour(): void
  help(): void
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
    deeds: ToolbarActions,
  ) {
    const group = (r: PanelGroup) => {
      const b = iconButton(GROUP_ICONS[r], GROUP_NAMES[r], () => dock.toggle(r), GROUP_KEYS[r])
      b.setAttribute('aria-pressed', 'false')
      return b
    }
    this.groups = { memories: group('memories'), sleep: group('sleep'), dashboards: group('dashboards'), agent: group('agent') }
    const onlyWide = (b: HTMLButtonElement) => {
      b.classList.add('only-large')
      return b
    }
    const filter = iconButton('filter', 'Legend and filters', () => document.body.classList.toggle('show-filters'))
    filter.classList.add('only-narrow')
    this.flatButton = onlyWide(iconButton('flat', 'Flat map', deeds.toggleFlat, '2'))
    this.themeButton = onlyWide(iconButton('sun', 'Light', deeds.toggleTheme, 'l'))
    const menu = new Menu('Save, share and more', 'more', [
      { name: 'Save a picture (PNG)', icon: 'camera', key: 'p', act: deeds.savePicture },
      { name: 'Save what is shown (JSON)', icon: 'save', key: 'j', act: deeds.saveJson },
      { name: 'Save all memories (Arrow)', icon: 'save', act: () => deeds.saveArrow('memories') },
      { name: 'Save all edges (Arrow)', icon: 'save', act: () => deeds.saveArrow('edges') },
      { name: 'Copy a link to this view', icon: 'link', act: deeds.copyLink },
      { name: 'Springs on or off', icon: 'spring', key: 'g', act: deeds.toggleSprings },
      { name: 'Look round', icon: 'tour', act: deeds.tour },
      { name: 'The whole map', icon: 'home', key: 'h', act: deeds.home, narrow: true },
      { name: 'Flat or in depth', icon: 'flat', key: '2', act: deeds.toggleFlat, narrow: true },
      { name: 'Light or dark', icon: 'sun', key: 'l', act: deeds.toggleTheme, narrow: true },
      { name: 'Signs and keys', icon: 'help', key: '?', act: deeds.help, narrow: true },
    ])
    this.element = h(
      'nav',
      { class: 'tools panel', 'aria-label': 'Tools' },
      filter,
      ...Object.values(this.groups),
      onlyWide(iconButton('home', 'Whole map', deeds.home, 'h')),
      this.flatButton,
      this.themeButton,
      menu.element,
      onlyWide(iconButton('help', 'Help', deeds.help, '?')),
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
    setButton(this.flatButton, flat ? 'cube' : 'flat', flat ? 'Three dimensions' : 'Flat map', '2')
    setButton(this.themeButton, light ? 'moon' : 'sun', light ? 'Dark' : 'Light', 'l')
  }
}

function setButton(button: HTMLButtonElement, sign: string, label: string, key: string): void {
  button.replaceChildren(icon(sign))
  button.title = `${label} (${key})`
  button.setAttribute('aria-label', label)
}
