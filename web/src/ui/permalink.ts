// Keeps the view in the address bar. It is updated when the view has not changed for a moment.
// The camera is included once the user has moved it.
import { fromHash, toHash } from '../state/url'
import type { Camera, View } from '../state/view'
import type { Session } from './session'

const SAVE_DELAY_MS = 200

export class Permalink {
  /** the user has moved the camera */
  cameraMoved = false
  private timer = 0

  constructor(
    private readonly s: Session,
    private readonly camera: () => Camera,
    /** called when another address was entered */
    moved: (view: View) => void,
  ) {
    s.view.on(Object.keys(s.view.get()) as (keyof View)[], () => this.save())
    window.addEventListener('hashchange', () => {
      const next = fromHash(location.hash)
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
      if (`#${hash}` !== location.hash && (hash !== '' || location.hash !== '')) history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search)
    }, SAVE_DELAY_MS)
  }
}
