// Computes the link forces in a worker.
import { attract, type AttractionInput } from './attraction'

self.onmessage = (e: MessageEvent<{ turn: number; pulls: AttractionInput }>) => {
  const places = attract(e.data.pulls)
  self.postMessage({ turn: e.data.turn, places }, { transfer: [places.buffer] })
}
