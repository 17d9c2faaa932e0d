// How the map is displayed: theme, two or three dimensions, layout, entities and areas.
import type { Session } from './session'

const THEME_KEY = 'somnograph.theme'

export const systemTheme = matchMedia('(prefers-color-scheme: light)')

/** Whether the theme is light: the one that the user has chosen; without one, or with forced colours, the system's. */
export function currentLight(): boolean {
  const chosen = localStorage.getItem(THEME_KEY)
  return chosen === null || matchMedia('(forced-colors: active)').matches ? systemTheme.matches : chosen === 'light'
}

export class Display {
  constructor(private readonly s: Session) {}

  toggleFlat(): void {
    this.s.view.set({ flat: !this.s.view.get().flat, camera: null })
  }

  toggleLayout(): void {
    const layout = this.s.view.get().layout === 'links' ? 'meaning' : 'links'
    this.s.view.set({ layout })
    this.s.announce(layout === 'links' ? 'Placed by links' : 'Placed by meaning')
  }

  toggleHubs(): void {
    const hubs = !this.s.view.get().hubs
    this.s.view.set({ hubs })
    this.s.announce(hubs ? 'Entities shown' : 'Entities hidden')
  }

  toggleAreas(): void {
    const areas = !this.s.view.get().areas
    this.s.view.set({ areas })
    this.s.announce(areas ? 'Cluster areas shown' : 'Cluster areas hidden')
  }

  toggleTheme(): void {
    const light = !this.s.live.get().light
    localStorage.setItem(THEME_KEY, light ? 'light' : 'dark')
    this.s.live.set({ light })
  }
}
