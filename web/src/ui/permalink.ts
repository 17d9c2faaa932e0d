// Keeps the view in the address bar. It is updated when the view has not changed for a moment.
// The camera is included once the user has moved it. Opening and closing memories, panels and
// searches makes a new entry of the browser's history; other changes replace the current one.
import { fromHash, opensAnother, toHash } from '../state/url'
import type { Camera, View } from '../state/view'
import type { Session } from './session'

const SAVE_DELAY_MS = 200

export class Permalink {
  /** the user has moved the camera */
  cameraMoved = false
  private timer = 0
  /** the view of the current entry of the history */
  private entry: View

  constructor(
    private readonly s: Session,
    private readonly camera: () => Camera,
    /** called when another address was entered */
    moved: (view: View) => void,
  ) {
    this.entry = s.view.get()
    s.view.on(Object.keys(s.view.get()) as (keyof View)[], () => this.save())
    // popstate comes together with the address. hashchange comes later: a save between the two would
    // write the view into the entry that the browser has gone to.
    window.addEventListener('popstate', () => {
      const next = (this.entry = fromHash(location.hash))
      s.view.set(next)
      moved(next)
    })
  }

  /** Schedules an update of the address. */
  save(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => {
      if (!this.s.live.get().world) return
      const view = this.s.view.get()
      const hash = toHash({ ...view, camera: this.cameraMoved ? this.camera() : view.camera })
      if (`#${hash}` === location.hash || (hash === '' && location.hash === '')) return
      const url = hash ? `#${hash}` : location.pathname + location.search
      if (opensAnother(this.entry, view)) history.pushState(null, '', url)
      else history.replaceState(null, '', url)
      this.entry = view
    }, SAVE_DELAY_MS)
  }
}
