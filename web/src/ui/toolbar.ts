// The tools at the top right: the rooms of the dock, the ways to look, and what leaves the page.
import { panelGroupOf, type PanelGroup } from '../state/view'
import { h, icon, iconButton } from './dom'
import { ROOM_NAMES, type Dock } from './dock'
import { Menu } from './menu'
import type { Session, Sleeper } from './session'

export const ROOM_KEYS: Record<PanelGroup, string> = { memories: 'm', sleep: 's', dashboards: 'd', agent: 'c' }
const SIGNS: Record<PanelGroup, string> = { memories: 'words', sleep: 'sleep', dashboards: 'boards', agent: 'agent' }

/** What the tools do; the page knows how. */
export interface Deeds {
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

export class Tools {
  readonly element: HTMLElement
  private readonly rooms: Record<PanelGroup, HTMLButtonElement>
  private readonly flatButton: HTMLButtonElement
  private readonly themeButton: HTMLButtonElement

  constructor(
    private readonly s: Session,
    dock: Dock,
    sleeper: Sleeper,
    deeds: Deeds,
  ) {
    const room = (r: PanelGroup) => {
      const b = iconButton(SIGNS[r], ROOM_NAMES[r], () => dock.toggle(r), ROOM_KEYS[r])
      b.setAttribute('aria-pressed', 'false')
      return b
    }
    this.rooms = { memories: room('memories'), sleep: room('sleep'), dashboards: room('dashboards'), agent: room('agent') }
    const wide = (b: HTMLButtonElement) => {
      b.classList.add('only-large')
      return b
    }
    const filter = iconButton('filter', 'Legend and filters', () => document.body.classList.toggle('show-filters'))
    filter.classList.add('only-narrow')
    this.flatButton = wide(iconButton('flat', 'Flat map', deeds.toggleFlat, '2'))
    this.themeButton = wide(iconButton('sun', 'Light', deeds.toggleTheme, 'l'))
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
      ...Object.values(this.rooms),
      wide(iconButton('home', 'Whole map', deeds.home, 'h')),
      this.flatButton,
      this.themeButton,
      menu.element,
      wide(iconButton('help', 'Help', deeds.help, '?')),
    )
    sleeper.store.on(['running'], (a) => this.rooms.sleep.classList.toggle('on', a.running !== null))
    s.view.on(['flat', 'panel'], () => this.follow())
    s.live.on(['light'], () => this.follow())
    this.follow()
  }

  private follow(): void {
    const { flat, panel } = this.s.view.get()
    const { light } = this.s.live.get()
    for (const room of Object.keys(this.rooms) as PanelGroup[]) this.rooms[room].setAttribute('aria-pressed', String(panel !== null && panelGroupOf(panel) === room))
    name(this.flatButton, flat ? 'cube' : 'flat', flat ? 'Three dimensions' : 'Flat map', '2')
    name(this.themeButton, light ? 'moon' : 'sun', light ? 'Dark' : 'Light', 'l')
  }
}

function name(button: HTMLButtonElement, sign: string, label: string, key: string): void {
  button.replaceChildren(icon(sign))
  button.title = `${label} (${key})`
  button.setAttribute('aria-label', label)
}
