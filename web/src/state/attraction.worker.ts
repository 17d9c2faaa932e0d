// Computes the link forces in a worker.
import { attract, type AttractionInput } from './attraction'

self.onmessage = (e: MessageEvent<{ requestId: number; input: AttractionInput }>) => {
  const positions = attract(e.data.input)
  self.postMessage({ requestId: e.data.requestId, positions }, { transfer: [positions.buffer] })
}
