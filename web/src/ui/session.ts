// What the parts of the page share: state, world and some actions. Parts use a session and do
// not know each other.
import type { MorningReport } from '../api/live'
import type { Versions } from '../api/operations'
import type { Scope } from '../api/schema.gen'
import type { EdgeKind } from '../api/vocabulary'
import type { ExtraEdge } from '../scene/edges/edges'
import type { ServerClock } from '../state/clock'
import type { Speed } from '../state/playback'
import type { ReplayState } from '../state/sleepreplay'
import type { Store, View } from '../state/view'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import type { Explanation } from './explanation'

/** State that is not part of a link. */
export interface Live {
  world: World | null
  /** 1 for nodes that pass the filters */
  filterMask: Uint8Array
  /** ids found by the search, best first */
  hits: string[]
  /** ids that the open panel highlights */
  highlighted: string[]
  /** ids that the open panel shows although they are not there at the instant shown */
  ghosts: string[]
  /** node of the keyboard cursor; -1: none */
  cursor: number
  hovered: number
  playing: boolean
  /** playback speed, see state/playback.ts */
  speed: Speed
  connected: boolean
  status: 'loading' | 'ready' | 'empty' | 'error'
  problem: string
  /** edges of the open memory that are not in the scene */
  relations: { from: string; to: string; kind: EdgeKind }[]
  /** number of memories that arrived while the past was shown */
  newWhileInPast: number
  light: boolean
  /** the server now has another build of the explorer */
  outdated: boolean
  /** the server does not accept the credential of this browser any more */
  signedOut: boolean
  /** what the credential of this browser may do; empty: not known yet */
  scopes: readonly Scope[]
}

/** What can be done about a message. */
export interface MessageAction {
  name: string
  act: () => void | Promise<void>
}

export interface SleepState {
  /** report id of the running sleep; null: none, or unknown */
  running: string | null
  /** state of the replay; null: there is none */
  replay: (ReplayState & { report: string; past: boolean; finished: boolean }) | null
  /** the last report received */
  report: MorningReport | null
  /** changes whenever reports or forecasts may have changed */
  revision: number
}

/** The server's sleeps, and the replay of one. */
export interface SleepFollower {
  readonly store: Store<SleepState>
  /** Replays a past sleep. */
  replay(id: string): Promise<void>
  /** Ends the replay; the sleep itself goes on. */
  skip(): void
  /** Edges that the replay adds to a world. */
  replayEdges(world: World): ExtraEdge[]
}

export interface Session {
  view: Store<View>
  live: Store<Live>
  clock: ServerClock
  sleepFollower: SleepFollower
  /** the instant that is shown */
  moment(): Moment
  /** whether a node is drawn */
  isDrawn(node: number): boolean
  /** moves the camera to the whole map */
  showWholeMap(): void
  /** opens a memory; fly moves the camera there */
  open(id: string, fly?: boolean): void
  /** moves the camera to a part of the map */
  showArea(position: readonly [number, number, number], radius: number): void
  /** opens a cluster in its panel and moves the camera there */
  openCluster(id: string): void
  close(): void
  /** shows a short message, and what can be done about it; an action that fails says so */
  notify(text: string, action?: MessageAction): void
  /** opens the form that adds a memory, if the credential may write */
  addMemory(): void
  /** announces a text to screen readers */
  announce(text: string): void
  /** steps along the versions, or along the session if there is one version */
  stepVersion(direction: -1 | 1): void
  /** why the search found a memory; null: it did not */
  explain(id: string): Explanation | null
  /** the versions of the open memory */
  versions: Versions
  /** the memory that was open before; null: none */
  previousSelection: string | null
}
