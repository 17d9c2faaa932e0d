import Graph from 'graphology'
import Sigma from 'sigma'
import { COLORS, load, ready } from './page'

const { nodes, links } = await load()
const graph = new Graph({ multi: true })
for (const n of nodes) graph.addNode(n.id, { x: n.x, y: n.y, size: 1 + 4 * n.size, color: COLORS[n.type], label: n.label })
for (const l of links) graph.addEdge(l.source, l.target, { size: 0.5, color: '#445' })
const sigma = new Sigma(graph, document.getElementById('graph')!)
ready((step) => sigma.getCamera().setState({ angle: step / 20 }))
