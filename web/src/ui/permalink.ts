// The address of the page carries the view. It is rewritten when the view has rested for a
// moment; from the first touch on, the camera belongs to it too.
import { fromHash, toHash } from '../state/url'
import type { Camera, View } from '../state/view'
import type { Session } from './session'

const SAVE_DELAY_MS = 200

export class Permalink {
  /** someone took the camera in hand */
  cameraMoved = false
  private timer = 0

  constructor(
    private readonly s: Session,
    private readonly camera: () => Camera,
    /** another address was entered, and the view follows it */
    moved: (view: View) => void,
  ) {
    s.view.on(Object.keys(s.view.get()) as (keyof View)[], () => this.save())
    window.addEventListener('hashchange', () => {
      const next = fromHash(location.hash)
      s.view.set(next)
      moved(next)
    })
  }

  /** Writes the view into the address, a little later. */
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
