// Decodes the binary frame of GET /viz/graph. The layout is in docs/formats/viz-frame.md.

/** Version of the layout that this page reads. */
export const FRAME_VERSION = 1

/** A frame of another layout version. */
export class FrameVersionError extends Error {
  constructor(readonly version: number) {
    super(`The server sends maps of version ${version}; this page reads version ${FRAME_VERSION}.`)
  }
}

/** The columns of a frame. Times after `born` are absolute, not relative as in the frame. */
export interface Frame {
  at: number
  /** the last change that is in the frame; decimal */
  cursor: string
  /** version of the map layout that the positions belong to; decimal */
  map: string
  total: number
  count: number
  edgeCount: number
  ids: Uint8Array
  /** x, y, z of every node */
  positions: Float32Array
  type: Uint8Array
  flags: Uint8Array
  decayClass: Uint8Array
  /** 0 to 255 */
  importance: Uint8Array
  /** × 255; 255 if the frame does not say */
  confidence: Uint8Array
  version: Uint16Array
  decayRate: Float32Array
  born: Float64Array
  created: Float64Array
  anchor: Float64Array
  validFrom: Float64Array
  expires: Float64Array
  lastUse: Float64Array
  /** first row of each node in the state columns; one entry more than nodes */
  stateStart: Uint32Array
  stateFrom: Float64Array
  stateValidTo: Float64Array
  stateStatus: Uint8Array
  stateTier: Uint8Array
  stateCore: Uint8Array
  useStart: Uint32Array
  useDay: ArrayLike<number>
  namespace: Dictionary
  project: Dictionary
  user: Dictionary
  session: Dictionary
  /** the first words of a node; empty if they have to be fetched */
  label: (node: number) => string
  labels: LabelBytes
  /** named regions of the map, largest first; null in a part: unchanged */
  regions: Region[] | null
  /** cluster of each node, an index in `clusters`; -1: none */
  cluster: Int32Array
  /** clusters, largest first; in a part the new and changed ones and those of its nodes */
  clusters: Cluster[]
  /** the tiles of a scene that is too large for one frame; null: the frame holds the whole scene */
  tiles: TileList | null
  from: Uint32Array
  to: Uint32Array
  edgeKind: Uint8Array
  /** 0 to 255 */
  edgeWeight: Uint8Array
}

/** A dictionary column: `index[i]` is an index into `values`; value 0 is the empty text. */
export interface Dictionary {
  index: Uint32Array
  values: string[]
}

/** An octree of tiles. Key 1 is the root; child keys are 8 × key + octant. Bit 0 of the octant is set for larger x, bit 1 for larger y, bit 2 for larger z. */
export interface TileList {
  /** half the edge length of the root's cube, which is centred on the origin */
  half: number
  /** number of memories in each tile */
  counts: Map<number, number>
}

export interface Region {
  position: [number, number, number]
  /** half of its memories are within this distance */
  radius: number
  /** number of memories in it, including past ones */
  count: number
  name: string
}

/** A group of memories that mean alike. */
export interface Cluster {
  id: string
  label: string
  /** number of members in the scene */
  count: number
  position: [number, number, number]
  /** half of its members are within this distance */
  radius: number
}

/** Where the first words of each node are in a buffer of UTF-8. */
export interface LabelBytes {
  bytes: Uint8Array
  start: Uint32Array
  end: Uint32Array
}

/**
 * A change to a scene; docs/formats/viz-frame.md has the rules. Edge ends index the part's own
 * nodes first, then `refs`.
 */
export interface ScenePart extends Frame {
  /** 16 bytes an id: nodes that edges refer to but that are not in the part */
  refs: Uint8Array
  removed: Uint8Array
  cutFrom: Uint32Array
  cutTo: Uint32Array
  cutKind: Uint8Array
  /** ids of removed clusters */
  removedClusters: string[]
}

interface Column {
  kind: number
  count: number
  bytes: Uint8Array
}

const SIZES = [0, 1, 2, 4, 4, 8]
const utf8 = new TextDecoder()

/** Decodes a scene or a part of one. A scene has no refs, nothing removed and no cut edges. */
export function decodeFrame(buffer: ArrayBuffer): ScenePart {
  if (buffer.byteLength < 64) throw new Error('The server sent an empty map.')
  const view = new DataView(buffer)
  if (utf8.decode(new Uint8Array(buffer, 0, 4)) !== 'SGVF') throw new Error('The server sent something that is not a map.')
  const version = view.getUint16(4, true)
  if (version !== FRAME_VERSION) throw new FrameVersionError(version)
  if (view.getUint32(20, true) !== buffer.byteLength) throw new Error('The map is incomplete.')

  const columns = readDirectory(buffer, view)
  const n = view.getUint32(8, true)
  const m = view.getUint32(12, true)
  const u8 = (name: string, rows?: number) => columnBytes(columns, name, 1, rows)
  const u16 = (name: string, rows?: number) => new Uint16Array(joinPlanes(columns, name, 2, rows))
  const u32 = (name: string, rows?: number) => new Uint32Array(joinPlanes(columns, name, 3, rows))
  const f32 = (name: string, rows?: number) => new Float32Array(joinPlanes(columns, name, 4, rows))
  const f64 = (name: string, rows?: number) => new Float64Array(joinPlanes(columns, name, 5, rows))

  const born = f64('born', n)
  const after = (name: string) => addBorn(f64(name, n), born)
  const stateStart = runStarts(u16('states', n))
  const states = stateStart[n]!
  const useStart = runStarts(u16('uses', n))
  const texts = (name: string): Dictionary => ({ index: u32(name, n), values: splitTexts(u32(name + '.e'), u8(name + '.b')) })
  const ends = u32('label', n)
  const labels = { bytes: u8('label.b'), start: Uint32Array.from(ends, (_, i) => (i === 0 ? 0 : ends[i - 1]!)), end: ends }
  const cuts = columns.get('cut.kind')?.count ?? 0
  const optional = (name: string) => (columns.has(name) ? u8(name) : new Uint8Array(0))
  const clusters = columns.has('cl.id') ? decodeClusters(columnBytes(columns, 'cl.id', 1), u32('cl'), u8('cl.b'), f32('cl.pos'), f32('cl.r'), u32('cl.n')) : []
  const cut = (name: string) => (cuts > 0 ? u32(name, cuts) : new Uint32Array(0))

  return {
    at: view.getFloat64(24, true),
    cursor: String(view.getBigUint64(32, true)),
    map: String(view.getBigUint64(56, true)),
    total: view.getUint32(16, true),
    count: n,
    edgeCount: m,
    ids: u8('id', 16 * n),
    positions: dequantise(u16('pos', 3 * n), view),
    type: u8('type', n),
    flags: u8('flags', n),
    decayClass: u8('class', n),
    importance: u8('import', n),
    confidence: columns.has('conf') ? u8('conf', n) : new Uint8Array(n).fill(255),
    version: u16('version', n),
    decayRate: f32('k', n),
    born,
    created: after('created'),
    anchor: after('anchor'),
    validFrom: after('valid'),
    expires: after('expires'),
    lastUse: after('lastuse'),
    stateStart,
    stateFrom: addBornToRuns(f64('st.from', states), born, stateStart),
    stateValidTo: addBornToRuns(f64('st.vto', states), born, stateStart),
    stateStatus: u8('st.stat', states),
    stateTier: u8('st.tier', states),
    stateCore: u8('st.core', states),
    useStart,
    useDay: u32('us.day', useStart[n]),
    namespace: texts('ns'),
    project: texts('proj'),
    user: texts('user'),
    session: texts('sess'),
    label: labelReader(labels),
    labels,
    regions: columns.has('rg') ? decodeRegions(u32('rg'), u8('rg.b'), f32('rg.pos'), f32('rg.r'), u32('rg.n')) : null,
    cluster: clusters.length > 0 ? Int32Array.from(u32('cluster', n), (k) => k - 1) : new Int32Array(n).fill(-1),
    clusters,
    from: u32('from', m),
    to: u32('to', m),
    edgeKind: u8('ekind', m),
    edgeWeight: u8('eweight', m),
    tiles: columns.has('tl') ? decodeTiles(u32('tl'), u32('tl.n'), f32('tl.half', 1)[0]!) : null,
    refs: optional('ref'),
    removed: optional('gone'),
    cutFrom: cut('cut.from'),
    cutTo: cut('cut.to'),
    cutKind: optional('cut.kind'),
    removedClusters: formatIds(optional('cl.gone')),
  }
}

function decodeRegions(ends: Uint32Array, bytes: Uint8Array, positions: Float32Array, radii: Float32Array, counts: Uint32Array): Region[] {
  return splitTexts(ends, bytes).map((name, i) => ({ name, position: [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!], radius: radii[i]!, count: counts[i]! }))
}

function decodeClusters(ids: Uint8Array, ends: Uint32Array, bytes: Uint8Array, positions: Float32Array, radii: Float32Array, counts: Uint32Array): Cluster[] {
  const labels = splitTexts(ends, bytes)
  return formatIds(ids).map((id, i) => ({ id, label: labels[i]!, position: [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!], radius: radii[i]!, count: counts[i]! }))
}

function decodeTiles(keys: Uint32Array, counts: Uint32Array, half: number): TileList {
  return { half, counts: new Map(Array.from(keys, (key, i) => [key, counts[i]!])) }
}

/** Formats a 16-byte id. */
export function formatId(ids: Uint8Array, at: number): string {
  let s = ''
  for (let b = 0; b < 16; b++) s += HEX[ids[16 * at + b]!] + (b === 3 || b === 5 || b === 7 || b === 9 ? '-' : '')
  return s
}

const HEX = Array.from({ length: 256 }, (_, b) => b.toString(16).padStart(2, '0'))

function formatIds(ids: Uint8Array): string[] {
  return Array.from({ length: ids.length / 16 }, (_, i) => formatId(ids, i))
}

/** Decodes labels from the buffer on demand. */
export function labelReader(labels: LabelBytes): Frame['label'] {
  return (node) => utf8.decode(labels.bytes.subarray(labels.start[node], labels.end[node]))
}

function readDirectory(buffer: ArrayBuffer, view: DataView): Map<string, Column> {
  const columns = new Map<string, Column>()
  for (let i = 0; i < view.getUint16(6, true); i++) {
    const at = 64 + 24 * i
    const name = utf8.decode(new Uint8Array(buffer, at, 8)).replace(/\0+$/, '')
    const kind = view.getUint8(at + 8)
    const count = view.getUint32(at + 12, true)
    const offset = view.getUint32(at + 16, true)
    const size = view.getUint32(at + 20, true)
    if (offset + size > buffer.byteLength || size !== count * (SIZES[kind] ?? -1)) throw new Error(`The map is corrupt at "${name}".`)
    columns.set(name, { kind, count, bytes: new Uint8Array(buffer, offset, size) })
  }
  return columns
}

function columnBytes(columns: Map<string, Column>, name: string, kind: number, rows?: number): Uint8Array {
  const column = columns.get(name)
  if (!column || column.kind !== kind || (rows !== undefined && column.count !== rows)) throw new Error(`The map has no column "${name}".`)
  return column.bytes
}

/** Joins the byte planes of a column. */
function joinPlanes(columns: Map<string, Column>, name: string, kind: number, rows?: number): ArrayBuffer {
  const planes = columnBytes(columns, name, kind, rows)
  const size = SIZES[kind]!
  const n = planes.length / size
  const out = new Uint8Array(planes.length)
  for (let b = 0; b < size; b++) {
    const plane = b * n
    for (let i = 0, o = b; i < n; i++, o += size) out[o] = planes[plane + i]!
  }
  return out.buffer
}

function runStarts(counts: Uint16Array): Uint32Array {
  const out = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) out[i + 1] = out[i]! + counts[i]!
  return out
}

function addBorn(times: Float64Array, born: Float64Array): Float64Array {
  for (let i = 0; i < times.length; i++) times[i]! += born[i]!
  return times
}

function addBornToRuns(times: Float64Array, born: Float64Array, start: Uint32Array): Float64Array {
  for (let i = 0; i < born.length; i++) for (let j = start[i]!; j < start[i + 1]!; j++) times[j]! += born[i]!
  return times
}

function splitTexts(ends: Uint32Array, bytes: Uint8Array): string[] {
  return Array.from(ends, (end, i) => utf8.decode(bytes.subarray(i === 0 ? 0 : ends[i - 1], end)))
}

function dequantise(steps: Uint16Array, view: DataView): Float32Array {
  const step = view.getFloat32(52, true)
  const out = new Float32Array(steps.length)
  for (let i = 0; i < steps.length; i++) out[i] = view.getFloat32(40 + 4 * (i % 3), true) + steps[i]! * step
  return out
}
