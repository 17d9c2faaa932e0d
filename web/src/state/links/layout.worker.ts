// Computes the layout "Links" without blocking the page.
import { linksLayout, type LinksInput } from './layout'

self.onmessage = (e: MessageEvent<{ requestId: number; input: LinksInput }>) => {
  const positions = linksLayout(e.data.input)
  self.postMessage({ requestId: e.data.requestId, positions }, { transfer: [positions.buffer] })
}
