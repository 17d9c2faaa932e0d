// The live feed of memory events.
import { createClient } from 'graphql-ws'
import { GRAPHQL_PATH } from './graphql'
import { operation } from './operations'
import type { EventsSubscription } from './schema.gen'

export type MemoryEvent = EventsSubscription['memoryEvents']

export interface Feed {
  onEvent: (event: MemoryEvent) => void
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
  const stop = client.subscribe<EventsSubscription>(
    { query: operation('Events') },
    { next: (r) => r.data && feed.onEvent(r.data.memoryEvents), error: feed.onLost, complete: feed.onLost },
  )
  return () => {
    stop()
    void client.dispose()
  }
}
