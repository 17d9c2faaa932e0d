// Loads the scene, and from then on takes what changes it. Where the server sends no
// changes, or the map was drawn anew, it is loaded again: one load at a time, and the
// longer it takes, the longer the next one waits.
import { FrameVersionError, type Frame, type Part } from '../api/frame'
import { ApiError } from '../api/graphql'
import { follow, type Connection, type Feed } from '../api/live'
import { fetchScene } from '../api/scene'
import { sameExplorer } from '../api/version'
import { merge } from '../state/merge'
import { makeWorld, type World } from '../state/world'
import type { Session } from './session'

const PAUSE = 300

export class Loader {
  private tag: string | null = null
  private loading = false
  private again = false
  private timer = 0
  private cost = 0
  private connection: Connection | null = null
  /** changes are sent; nothing has to be loaded again for them */
  private watching = false
  /** the server knows of no changes: it is older than this page, or draws no map */
  private refused = false
  /** the feed was open once */
  private met = false

  constructor(
    private readonly s: Pick<Session, 'live' | 'clock'>,
    private readonly take: (world: World) => void,
    private readonly sleeper: Pick<Feed, 'onProgress' | 'onMorning' | 'onOpen'>,
  ) {}

  /** Loads the scene and keeps it current from then on. */
  start(): void {
    void this.load()
    this.connection = follow({
      onOpen: () => {
        this.s.live.set({ connected: true })
        this.sleeper.onOpen()
        if (!this.watching) void this.load() // whatever happened while nobody listened
        if (this.met) void this.compare()
        this.met = true
      },
      onLost: () => this.s.live.set({ connected: false }),
      onProgress: (p) => this.sleeper.onProgress(p),
      onMorning: (report) => {
        this.sleeper.onMorning(report)
        if (!this.watching) this.soon()
      },
      onEvent: (event) => {
        this.s.clock.atLeast(Date.parse(event.at))
        if (!this.watching) this.soon()
      },
    })
  }

  private watch(frame: Frame): void {
    if (this.refused) return
    this.watching = true
    const again = () => {
      this.watching = false
      this.soon()
    }
    const refuse = () => {
      this.refused = true
      again()
    }
    this.connection?.watch(frame, { onPart: (part) => this.put(part), onAgain: again, onRefused: refuse })
  }

  private put(part: Part): void {
    const { world } = this.s.live.get()
    if (!world) return
    this.s.clock.atLeast(part.at)
    this.tag = null // the scene is not the one that was named any more
    this.take(merge(world, part))
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
        this.watch(loaded.frame)
      } else {
        const { world } = live.get()
        if (world && !this.watching) this.watch(world.frame)
        live.set({ status: (live.get().world?.count ?? 0) > 0 ? 'ready' : 'empty', problem: '' })
      }
    } catch (e) {
      const problem = e instanceof ApiError || e instanceof FrameVersionError ? e.message : 'The scene could not be read.'
      live.set({ status: 'error', problem: e instanceof FrameVersionError ? `${problem} Reload the page.` : problem })
      if (e instanceof FrameVersionError) live.set({ outdated: true })
    }
    this.cost = performance.now() - start
    this.loading = false
    if (this.again) {
      this.again = false
      this.soon()
    }
  }

  /** A server that was away may have come back as another one. */
  private async compare(): Promise<void> {
    if ((await sameExplorer()) === false) this.s.live.set({ outdated: true })
  }

  private soon(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      void this.load()
    }, Math.max(PAUSE, 5 * this.cost))
  }
}
