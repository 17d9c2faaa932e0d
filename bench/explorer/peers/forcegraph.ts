import ForceGraph3D from '3d-force-graph'
import { COLORS, load, ready } from './page'

const { nodes, links } = await load()
// Positions are given: no layout is computed.
const graph = new ForceGraph3D(document.getElementById('graph')!, { controlType: 'orbit' })
  .enableNodeDrag(false)
  .cooldownTicks(0)
  .warmupTicks(0)
  .nodeColor((n) => COLORS[(n as { type: string }).type]!)
  .nodeVal((n) => (n as { size: number }).size)
  .graphData({ nodes: nodes.map((n) => ({ ...n, fx: n.x, fy: n.y, fz: n.z })), links: links.map((l) => ({ ...l })) })
graph.cameraPosition({ x: 108, y: 90, z: 264 }, { x: 0, y: 0, z: 0 })
ready((step) => graph.cameraPosition({ x: 300 * Math.sin(step / 20), y: 90, z: 264 * Math.cos(step / 20) }, { x: 0, y: 0, z: 0 }))
