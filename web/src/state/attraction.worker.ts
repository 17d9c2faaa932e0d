// Lets the springs come to rest beside the page.
import { relax, type Pulls } from './attraction'

self.onmessage = (e: MessageEvent<{ turn: number; pulls: Pulls }>) => {
  const places = relax(e.data.pulls)
  self.postMessage({ turn: e.data.turn, places }, { transfer: [places.buffer] })
}
