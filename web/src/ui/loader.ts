// Loads the scene, again whenever something happened. One load runs at a time; the
// longer it takes, the longer the next one waits.
import { FrameVersionError } from '../api/frame'
import { ApiError } from '../api/graphql'
import { follow, type Feed } from '../api/live'
import { fetchScene } from '../api/scene'
import { makeWorld, type World } from '../state/world'
import type { Session } from './session'

const PAUSE = 300

export class Loader {
  private tag: string | null = null
  private loading = false
  private again = false
  private timer = 0
  private cost = 0

  constructor(
    private readonly s: Pick<Session, 'live' | 'clock'>,
    private readonly take: (world: World) => void,
    private readonly sleeper: Pick<Feed, 'onProgress' | 'onMorning' | 'onOpen'>,
  ) {}

  /** Loads the scene and keeps it current from then on. */
  start(): void {
    void this.load()
    follow({
      onOpen: () => {
        this.s.live.set({ connected: true })
        this.sleeper.onOpen()
        void this.load() // whatever happened while nobody listened
      },
      onLost: () => this.s.live.set({ connected: false }),
      onProgress: (p) => this.sleeper.onProgress(p),
      onMorning: (report) => {
        this.sleeper.onMorning(report)
        this.soon()
      },
      onEvent: (event) => {
        this.s.clock.atLeast(Date.parse(event.at))
        this.soon()
      },
    })
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true
      return
    }
    this.loading = true
    const { live, clock } = this.s
    const start = performance.now()
    try {
      const loaded = await fetchScene(this.tag)
      clock.tell(loaded.now)
      if (loaded.frame) {
        this.tag = loaded.tag
        this.take(makeWorld(loaded.frame))
      } else live.set({ status: (live.get().world?.count ?? 0) > 0 ? 'ready' : 'empty', problem: '' })
    } catch (e) {
      const problem = e instanceof ApiError || e instanceof FrameVersionError ? e.message : 'The scene could not be read.'
      live.set({ status: 'error', problem: e instanceof FrameVersionError ? `${problem} Reload the page.` : problem })
    }
    this.cost = performance.now() - start
    this.loading = false
    if (this.again) {
      this.again = false
      this.soon()
    }
  }

  private soon(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      void this.load()
    }, Math.max(PAUSE, 5 * this.cost))
  }
}
