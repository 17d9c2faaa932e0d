// Live subscriptions: memory events, sleep progress, morning reports and scene changes.
import { createClient } from 'graphql-ws'
import { decodeFrame, type Frame, type ScenePart } from './frame'
import { GRAPHQL_PATH } from './graphql'
import { operation } from './operations'
import { noteClose } from './signin'
import type { ChangesSubscription, ChangesSubscriptionVariables, EventsSubscription, MorningReportsSubscription, ProgressSubscription } from './schema.gen'

export type MemoryEvent = EventsSubscription['memoryEvents']
export type Progress = ProgressSubscription['sleepProgress']
export type MorningReport = MorningReportsSubscription['sleepReports']

export interface FeedHandlers {
  onEvent: (event: MemoryEvent) => void
  onProgress: (progress: Progress) => void
  onReport: (report: MorningReport) => void
  /** connected, also after a loss: what happened in between has to be loaded */
  onConnected: () => void
  onDisconnected: () => void
}

/** Handlers for the changes of a scene. */
export interface SceneChanges {
  /** a part to merge into the scene */
  onPart: (part: ScenePart) => void
  /** the scene has to be loaded again; no further changes follow */
  onReload: () => void
  /** the server does not send changes; nothing follows */
  onRefused: () => void
}

export interface Connection {
  /** subscribes to the changes after a frame; ends the previous subscription */
  followScene(frame: Frame, changes: SceneChanges): void
}

/** Subscribes to the feeds. A lost connection is retried without limit, unless the credential has ended. */
export function connect(feed: FeedHandlers): Connection {
  const url = new URL(GRAPHQL_PATH, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const client = createClient({
    url: url.href,
    retryAttempts: Infinity,
    shouldRetry: (event) => !noteClose(event),
    retryWait: (tries) => new Promise((done) => setTimeout(done, Math.min(500 * 2 ** tries, 15_000))),
    keepAlive: 20_000,
    on: { connected: feed.onConnected, closed: (event) => {
      noteClose(event)
      feed.onDisconnected()
    } },
  })
  const nothing = () => {}
  client.subscribe<EventsSubscription>(
    { query: operation('Events') },
    { next: (r) => r.data && feed.onEvent(r.data.memoryEvents), error: feed.onDisconnected, complete: feed.onDisconnected },
  )
  // A server without sleep refuses these two subscriptions; the page works without them.
  client.subscribe<ProgressSubscription>({ query: operation('Progress') }, { next: (r) => r.data && feed.onProgress(r.data.sleepProgress), error: nothing, complete: nothing })
  client.subscribe<MorningReportsSubscription>({ query: operation('MorningReports') }, { next: (r) => r.data && feed.onReport(r.data.sleepReports), error: nothing, complete: nothing })
  let stop = nothing
  return {
    followScene(frame, changes) {
      stop()
      let over = false
      const end = (what: () => void) => {
        if (!over) what()
        over = true
      }
      // The client reads the variables again on every reconnect, so the subscription
      // resumes at the last part.
      const variables: ChangesSubscriptionVariables = { after: frame.cursor, map: frame.map }
      const cancel = client.subscribe<ChangesSubscription>(
        { query: operation('Changes'), variables: variables as unknown as Record<string, unknown> },
        {
          next: (r) => {
            if (over) return
            const text = r.data?.vizChanges.part
            if (r.errors || !r.data) return end(changes.onRefused)
            if (!text) return end(changes.onReload)
            const part = decodeFrame(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)
            variables.after = part.cursor
            changes.onPart(part)
          },
          error: () => end(changes.onRefused),
          complete: () => end(changes.onReload), // the server ended the subscription without a message
        },
      )
      stop = () => {
        over = true
        cancel()
      }
    },
  }
}
