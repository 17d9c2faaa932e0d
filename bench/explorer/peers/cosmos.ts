import { Graph } from '@cosmos.gl/graph'
import { COLORS, load, ready } from './page'

const { nodes, links } = await load()
const graph = new Graph(document.getElementById('graph') as HTMLDivElement, { enableSimulation: false, fitViewOnInit: false, spaceSize: 4096, backgroundColor: '#05070d' })
const rgb = (hex: string) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
graph.setPointPositions(Float32Array.from(nodes.flatMap((n) => [2048 + 12 * n.x, 2048 + 12 * n.y])))
graph.setPointColors(Float32Array.from(nodes.flatMap((n) => [...rgb(COLORS[n.type]!), 1])))
graph.setPointSizes(Float32Array.from(nodes, (n) => 2 + 6 * n.size))
graph.setLinks(Float32Array.from(links.flatMap((l) => [l.source, l.target])))
graph.render()
graph.fitView(0)
ready((step) => graph.setZoomLevel(0.3 + 0.01 * (step % 20), 0))
