// The live feeds: what happens to memories, how far a sleep has come, and morning reports.
import { createClient } from 'graphql-ws'
import { GRAPHQL_PATH } from './graphql'
import { operation } from './operations'
import type { EventsSubscription, MorningsSubscription, ProgressSubscription } from './schema.gen'

export type MemoryEvent = EventsSubscription['memoryEvents']
export type Progress = ProgressSubscription['sleepProgress']
export type Morning = MorningsSubscription['sleepReports']

export interface Feed {
  onEvent: (event: MemoryEvent) => void
  onProgress: (progress: Progress) => void
  onMorning: (report: Morning) => void
  /** the feed runs (again): whatever happened before has to be loaded */
  onOpen: () => void
  onLost: () => void
}

/** Subscribes and stays subscribed; a lost connection is taken up again for ever. */
export function follow(feed: Feed): () => void {
  const url = new URL(GRAPHQL_PATH, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const client = createClient({
    url: url.href,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: (tries) => new Promise((done) => setTimeout(done, Math.min(500 * 2 ** tries, 15_000))),
    keepAlive: 20_000,
    on: { connected: feed.onOpen, closed: feed.onLost },
  })
  const nothing = () => {}
  const stops = [
    client.subscribe<EventsSubscription>(
      { query: operation('Events') },
      { next: (r) => r.data && feed.onEvent(r.data.memoryEvents), error: feed.onLost, complete: feed.onLost },
    ),
    // A server that does not sleep refuses these two; the page does without.
    client.subscribe<ProgressSubscription>({ query: operation('Progress') }, { next: (r) => r.data && feed.onProgress(r.data.sleepProgress), error: nothing, complete: nothing }),
    client.subscribe<MorningsSubscription>({ query: operation('Mornings') }, { next: (r) => r.data && feed.onMorning(r.data.sleepReports), error: nothing, complete: nothing }),
  ]
  return () => {
    for (const stop of stops) stop()
    void client.dispose()
  }
}
