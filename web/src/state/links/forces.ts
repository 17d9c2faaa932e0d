// A force layout in the plane: what is linked attracts each other, everything else repels each other (Fruchterman and
// Reingold 1991, with the approximation of Barnes and Hut 1986 for the repulsion). The same input gives the same places.

/** What is laid out; nodes are 0 to x.length − 1. */
export interface Graph {
  /** where each node starts */
  x: Float64Array
  y: Float64Array
  /** from and to of every link */
  ends: Uint32Array
  /** of every link, (0,1]: how much it pulls */
  weights: Float32Array
  /** of every link, where it neither pulls nor pushes; absent: LINK_LENGTH */
  lengths?: Float32Array
}

export const LINK_LENGTH = 7
const REPULSION = 34
const GRAVITY = 0.045
/** Share of its velocity that a node keeps each round. */
const KEPT = 0.6
/** A cell of the tree counts as one point if its side ÷ its distance is smaller. */
const OPENING = 0.9
/** Nodes closer than this repel each other as if they were so far apart. */
const NEAREST = 1
/** Cells of the tree are not divided further than this. */
const DEPTH = 26

/** Rounds for so many nodes: fewer for many, so that the time stays within seconds. */
function rounds(count: number): number {
  return Math.round(Math.min(240, Math.max(50, 300_000 / Math.max(count, 1))))
}

/** The places of the nodes at equilibrium: x and y of each. The input is not changed. */
export function settle({ x: startX, y: startY, ends, weights, lengths }: Graph): { x: Float64Array; y: Float64Array } {
  const [x, y] = [startX.slice(), startY.slice()]
  const count = x.length
  const [vx, vy] = [new Float64Array(count), new Float64Array(count)]
  const degree = new Uint32Array(count)
  for (const end of ends) degree[end]!++
  const tree = new Tree(count)
  const all = rounds(count)
  for (let round = 0; round < all; round++) {
    const heat = (1 - round / all) ** 1.5
    for (let e = 0; e < weights.length; e++) {
      const [a, b] = [ends[2 * e]!, ends[2 * e + 1]!]
      const dx = x[b]! + vx[b]! - x[a]! - vx[a]! || 1e-6
      const dy = y[b]! + vy[b]! - y[a]! - vy[a]!
      const far = Math.hypot(dx, dy)
      // Of many links each pulls less, and the end with fewer links moves.
      const pull = ((far - (lengths?.[e] ?? LINK_LENGTH)) / far) * heat * weights[e]! / Math.min(degree[a]!, degree[b]!)
      const share = degree[a]! / (degree[a]! + degree[b]!)
      vx[b]! -= dx * pull * share
      vy[b]! -= dy * pull * share
      vx[a]! += dx * pull * (1 - share)
      vy[a]! += dy * pull * (1 - share)
    }
    tree.build(x, y)
    for (let i = 0; i < count; i++) {
      tree.repel(i, x, y, heat * REPULSION, vx, vy)
      vx[i]! -= x[i]! * GRAVITY * heat
      vy[i]! -= y[i]! * GRAVITY * heat
    }
    for (let i = 0; i < count; i++) {
      x[i]! += vx[i]! *= KEPT
      y[i]! += vy[i]! *= KEPT
    }
  }
  return { x, y }
}

/** A quadtree of points with the number and the middle of the points of each cell. */
class Tree {
  private child = new Int32Array(0) // four of each cell: > 0: a cell, < 0: −1 − a point, 0: nothing
  private mass = new Float64Array(0)
  private middleX = new Float64Array(0)
  private middleY = new Float64Array(0)
  private cells = 0
  private left = 0
  private top = 0
  private side = 1
  private readonly open = new Int32Array(4 * DEPTH * 4)
  private readonly openSide = new Float64Array(4 * DEPTH * 4)

  constructor(private readonly count: number) {
    this.grow(Math.max(4 * count, 64))
  }

  private grow(cells: number): void {
    const bigger = <T extends Int32Array | Float64Array>(held: T, size: number): T => {
      const out = new (held.constructor as new (n: number) => T)(size)
      out.set(held as never)
      return out
    }
    this.child = bigger(this.child, 4 * cells)
    this.mass = bigger(this.mass, cells)
    this.middleX = bigger(this.middleX, cells)
    this.middleY = bigger(this.middleY, cells)
  }

  build(x: Float64Array, y: Float64Array): void {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
    for (let i = 0; i < this.count; i++) {
      left = Math.min(left, x[i]!)
      right = Math.max(right, x[i]!)
      top = Math.min(top, y[i]!)
      bottom = Math.max(bottom, y[i]!)
    }
    this.left = left
    this.top = top
    this.side = Math.max(right - left, bottom - top, 1e-3) * 1.0001
    this.cells = 0
    this.newCell()
    for (let i = 0; i < this.count; i++) this.insert(i, x, y)
    // A cell comes after the one that contains it.
    for (let c = this.cells - 1; c >= 0; c--) {
      let [mass, mx, my] = [this.mass[c]!, this.middleX[c]!, this.middleY[c]!]
      for (let q = 0; q < 4; q++) {
        const k = this.child[4 * c + q]!
        if (k === 0) continue
        const [m, px, py] = k > 0 ? [this.mass[k]!, this.middleX[k]! * this.mass[k]!, this.middleY[k]! * this.mass[k]!] : [1, x[-1 - k]!, y[-1 - k]!]
        mass += m
        mx += px
        my += py
      }
      this.mass[c] = mass
      this.middleX[c] = mx / mass
      this.middleY[c] = my / mass
    }
  }

  private newCell(): number {
    const c = this.cells++
    if (c >= this.mass.length) this.grow(2 * this.mass.length)
    this.child.fill(0, 4 * c, 4 * c + 4)
    this.mass[c] = this.middleX[c] = this.middleY[c] = 0
    return c
  }

  private insert(i: number, x: Float64Array, y: Float64Array): void {
    let [c, left, top, half] = [0, this.left, this.top, this.side / 2]
    for (let depth = 0; ; depth++) {
      const [east, south] = [x[i]! >= left + half ? 1 : 0, y[i]! >= top + half ? 1 : 0]
      const slot = 4 * c + east + 2 * south
      const k = this.child[slot]!
      if (k === 0) {
        this.child[slot] = -1 - i
        return
      }
      if (depth === DEPTH) {
        // Points in one place: they count in the cell.
        this.mass[c]! += 1
        this.middleX[c]! += x[i]!
        this.middleY[c]! += y[i]!
        return
      }
      left += east * half
      top += south * half
      half /= 2
      if (k > 0) {
        c = k
        continue
      }
      const inner = this.newCell()
      this.child[slot] = inner
      const j = -1 - k
      this.child[4 * inner + (x[j]! >= left + half ? 1 : 0) + (y[j]! >= top + half ? 2 : 0)] = k
      c = inner
    }
  }

  /** Adds to the velocity of a point what repels it. */
  repel(i: number, x: Float64Array, y: Float64Array, strength: number, vx: Float64Array, vy: Float64Array): void {
    const { child, open, openSide } = this
    let top = 0
    open[0] = 0
    openSide[0] = this.side
    let [forceX, forceY] = [0, 0]
    while (top >= 0) {
      const c = open[top]!
      const side = openSide[top--]!
      for (let q = 0; q < 4; q++) {
        const k = child[4 * c + q]!
        if (k === 0 || k === -1 - i) continue
        const dx = x[i]! - (k > 0 ? this.middleX[k]! : x[-1 - k]!)
        const dy = y[i]! - (k > 0 ? this.middleY[k]! : y[-1 - k]!)
        const far = dx * dx + dy * dy
        if (k > 0 && (side / 2) ** 2 >= OPENING * OPENING * far) {
          open[++top] = k
          openSide[top] = side / 2
          continue
        }
        // Points in one place move apart by their numbers.
        const push = (strength * (k > 0 ? this.mass[k]! : 1)) / Math.max(far, NEAREST)
        forceX += (far > 0 ? dx : Math.cos(i)) * push
        forceY += (far > 0 ? dy : Math.sin(i)) * push
      }
    }
    vx[i]! += forceX
    vy[i]! += forceY
  }
}
