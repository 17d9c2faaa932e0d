// What the parts of the page share: the state, the world, and the few verbs they use on
// each other. Parts know this and nothing of one another.
import type { MorningReport } from '../api/live'
import type { Versions } from '../api/operations'
import type { EdgeKind } from '../api/vocabulary'
import type { ExtraEdge } from '../scene/edges/edges'
import type { ServerClock } from '../state/clock'
import type { ReplayState } from '../state/sleepreplay'
import type { Store, View } from '../state/view'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import type { Explanation } from './explanation'

/** What is not part of a link. */
export interface Live {
  world: World | null
  /** nodes that the filters let through */
  filterMask: Uint8Array
  /** ids that the search found, best first */
  hits: string[]
  /** ids that the open panel points at */
  highlighted: string[]
  /** where the keyboard stands; -1: nowhere */
  cursor: number
  hovered: number
  playing: boolean
  /** how much of the span a second of playing takes */
  speed: number
  connected: boolean
  status: 'loading' | 'ready' | 'empty' | 'error'
  problem: string
  /** what the open memory was made of and folded into */
  relations: { from: string; to: string; kind: EdgeKind }[]
  /** memories that came while the past was looked at */
  newWhileInPast: number
  light: boolean
  /** the server brings another explorer than the one that runs here */
  outdated: boolean
}

export interface SleepState {
  /** report of the sleep that the server runs; null: it is awake, or does not say */
  running: string | null
  /** where the show stands; null: there is none */
  replay: (ReplayState & { report: string; replay: boolean; closed: boolean }) | null
  /** the last report that came over the feed */
  report: MorningReport | null
  /** grows with all that may have changed reports or forecasts */
  revision: number
}

/** The sleeps of the server, and the show of one. */
export interface SleepFollower {
  readonly store: Store<SleepState>
  /** Shows a past sleep again. */
  replay(id: string): Promise<void>
  /** Leaves the show; the sleep itself goes on. */
  skip(): void
  /** Lines that the show adds to the edges of a world. */
  replayEdges(world: World): ExtraEdge[]
}

export interface Session {
  view: Store<View>
  live: Store<Live>
  clock: ServerClock
  sleepFollower: SleepFollower
  /** the instant that is shown */
  moment(): Moment
  /** the nodes that are drawn */
  isDrawn(node: number): boolean
  /** the whole map */
  showWholeMap(): void
  /** opens a memory; fly moves the camera there */
  open(id: string, fly?: boolean): void
  close(): void
  /** reads something out to who cannot see it */
  announce(text: string): void
  /** steps along the chain, else along the session */
  stepVersion(direction: -1 | 1): void
  /** why the search found a memory; null: it did not */
  explain(id: string): Explanation | null
  /** what the detail panel learned of the versions */
  versions: Versions
  /** the memory that was open before this one; null: none */
  previousSelection: string | null
}
