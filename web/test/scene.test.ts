import { describe, expect, it } from 'vitest'
import { PerspectiveCamera, RGBAIntegerFormat, UnsignedIntType } from 'three'
import { TYPES } from '../src/api/vocabulary'
import { chooseEdges, EDGE_LIMIT, ribbonsFrom, RIBBON_LIMIT } from '../src/scene/edges/choose'
import { ease, Animations } from '../src/scene/animation'
import { chooseLabels, shorten } from '../src/scene/labels/labels'
import { backToFront } from '../src/scene/points/order'
import { nextInDirection, pickNode, project, type Projection } from '../src/scene/picking/pick'
import { radiusOf, scaleFor } from '../src/scene/size'
import { paddedTexels, texture } from '../src/scene/texture'
import { DARK, LIGHT, makeTheme } from '../src/scene/theme'
import { INITIAL } from '../src/state/view'
import { testWorld } from './world'

function projectionFrom(x: number, y: number, z: number): Projection {
  const camera = new PerspectiveCamera(42, 800 / 600, 1, 4000)
  camera.position.set(x, y, z)
  camera.lookAt(0, 0, 0)
  camera.updateMatrixWorld()
  const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements
  return { matrix, width: 800, height: 600, pixelsPerUnit: 300 / Math.tan((42 * Math.PI) / 360), depth: 1 }
}

const all = () => true

describe('picking', () => {
  const world = testWorld([{ place: [0, 0, 0] }, { place: [0, 0, 40] }, { place: [60, 0, 0] }, { place: [0, 0, 500] }, { place: [0, 50, 0] }])
  const projection = projectionFrom(0, 0, 260)
  const spot = (n: number) => {
    const s = { x: 0, y: 0, distance: 0 }
    expect(project(world, n, projection, s)).toBe(true)
    return s
  }
  it('finds the node at a point', () => {
    expect(spot(0)).toMatchObject({ x: 400, y: 300, distance: 260 })
    expect(pickNode(world, all, projection, spot(2).x, spot(2).y)).toBe(2)
    expect(pickNode(world, all, projection, 790, 590)).toBe(-1)
  })
  it('prefers the foremost visible node', () => {
    expect(pickNode(world, all, projection, 400, 300)).toBe(1)
    expect(pickNode(world, (n) => n !== 1, projection, 400, 300)).toBe(0)
  })
  it('ignores nodes behind the camera', () => {
    expect(project(world, 3, projection, { x: 0, y: 0, distance: 0 })).toBe(false)
    expect(pickNode(world, (n) => n === 3, projection, 400, 300)).toBe(-1)
  })
  it('allows some slack', () => {
    const at = spot(2)
    const edge = radiusOf(128 / 255, scaleFor(5), projection.pixelsPerUnit, at.distance)
    expect(pickNode(world, all, projection, at.x + edge + 3, at.y)).toBe(2)
    expect(pickNode(world, all, projection, at.x + edge + 6, at.y)).toBe(-1)
  })
  it('works on the flat map', () => expect(pickNode(world, (n) => n === 1, { ...projection, depth: 0 }, 400, 300)).toBe(1))
  it('finds the next node in a direction', () => {
    expect(nextInDirection(world, all, projection, 0, 'right')).toBe(2)
    expect(nextInDirection(world, all, projection, 0, 'up')).toBe(4)
    expect(nextInDirection(world, all, projection, 2, 'right')).toBe(-1)
    expect(nextInDirection(world, (n) => n !== 1, projection, -1, 'right')).toBe(0)
  })
})

describe('edges', () => {
  const world = testWorld(
    [{}, {}, {}, {}, {}],
    [[1, 0, 'SUPERSEDES'], [2, 1, 'SUPERSEDES'], [1, 3, 'ENTITY_OVERLAP', 90], [3, 4, 'SAME_SESSION'], [2, 4, 'EVIDENCE_FOR']],
  )
  const shown = new Uint8Array(5).fill(1)
  const edges = (modes: object, focus: number, s = shown) => [...chooseEdges(world, { ...INITIAL.edges, ...modes }, focus, s).edges].sort()
  it('are not drawn without focus', () => expect(edges({}, -1)).toEqual([]))
  it('of the focus are its own and those of its version chain', () => {
    expect(edges({}, 1)).toEqual([0, 1, 2])
    expect(edges({}, 0)).toEqual([0, 1])
    expect(edges({ overlap: 'off' }, 1)).toEqual([0, 1])
  })
  it('of a kind can be drawn for all nodes that pass the filters', () => {
    expect(edges({ session: 'all' }, -1)).toEqual([3])
    expect(edges({ session: 'all' }, -1, Uint8Array.from([1, 1, 1, 1, 0]))).toEqual([])
  })
  it('report the nodes that the focus reaches', () => expect([...chooseEdges(world, INITIAL.edges, 1, shown).near].sort()).toEqual([0, 1, 2, 3]))
  it('end with SUPERSEDES edges', () => expect(chooseEdges(world, INITIAL.edges, 1, shown).edges.at(-1)).toBe(1))
  it('beyond the limit omit the weakest, and count them', () => {
    const n = EDGE_LIMIT + 10
    const many = testWorld([{}, {}], Array.from({ length: n }, (_, i) => [0, 1, 'ENTITY_OVERLAP', i < 10 ? 1 : 200]))
    const { edges: kept, omitted } = chooseEdges(many, { ...INITIAL.edges, overlap: 'all' }, -1, Uint8Array.from([1, 1]))
    expect(omitted).toBe(10)
    expect(kept.length).toBe(EDGE_LIMIT)
    expect(Math.min(...kept)).toBe(10)
  })
})

describe('edge styles', () => {
  const rows = (...kinds: number[]) => Uint32Array.from(kinds.flatMap((k) => [0, 1, k, 255]))
  const many = (kind: number) => Array.from({ length: RIBBON_LIMIT }, () => kind)
  it('are ribbons for few edges', () => expect(ribbonsFrom(rows(7, 6, 0))).toBe(0))
  it('are hairlines for many, except versions and derivations', () => {
    expect(ribbonsFrom(rows(...many(7), 6, 5, 4, 0))).toBe(RIBBON_LIMIT + 2)
    expect(ribbonsFrom(rows(...many(7), 6))).toBe(RIBBON_LIMIT + 1)
    expect(ribbonsFrom(rows(...many(1), 0))).toBe(0)
  })
})

describe('a texture', () => {
  const of = (data: Uint32Array) => texture(data, 4, RGBAIntegerFormat, UnsignedIntType, 'RGBA32UI').image
  it('has whole rows and copies data only if needed', () => {
    const whole = new Uint32Array(4 * paddedTexels(2049))
    expect(of(whole)).toMatchObject({ data: whole, width: 2048, height: 2 })
    expect(of(Uint32Array.of(1, 2, 3, 4))).toMatchObject({ width: 2048, height: 1 })
    expect([...(of(Uint32Array.of(1, 2, 3, 4)).data as Uint32Array).slice(0, 6)]).toEqual([1, 2, 3, 4, 0, 0])
    expect(paddedTexels(0)).toBe(2048)
  })
})

describe('a session', () => {
  // The server links the first memory of a session to all others, and each memory to the
  // next.
  const world = testWorld([{}, {}, {}, {}], [[0, 1, 'TEMPORAL_SEQ'], [1, 2, 'TEMPORAL_SEQ'], [0, 2, 'SAME_SESSION'], [2, 3, 'TEMPORAL_SEQ'], [0, 3, 'SAME_SESSION']])
  it('is drawn completely for any focus in it', () => {
    const shown = new Uint8Array(4).fill(1)
    for (const n of [0, 1, 2, 3]) expect([...chooseEdges(world, INITIAL.edges, n, shown).edges].sort()).toEqual([0, 1, 2, 3, 4])
  })
})

describe('the order of drawing', () => {
  const places = Float32Array.from([0, 0, 10, 0, 0, -10, 5, 0, 0, 5, 0, 0])
  const order = (axis: number[], depth: number) => {
    const o = Uint32Array.from([0, 1, 2, 3])
    backToFront(places, depth, axis, o)
    return [...o]
  }
  it('is back to front for the camera', () => {
    expect(order([0, 0, 1], 1)).toEqual([1, 2, 3, 0])
    expect(order([0, 0, -1], 1)).toEqual([0, 2, 3, 1])
    expect(order([1, 0, 0], 1)).toEqual([0, 1, 2, 3])
  })
  it('is by index on a flat map', () => expect(order([0, 0, 1], 0)).toEqual([0, 1, 2, 3]))
})

describe('labels', () => {
  it('never overlap', () => {
    const world = testWorld([{ place: [0, 0, 0], label: 'The first of two long names' }, { place: [40, 1, 0], label: 'The second of two long names' }])
    const projection = projectionFrom(0, 0, 300)
    expect(chooseLabels(world, projection, (n) => 2 - n)).toEqual([0])
  })
  it('go to the heaviest node of each cell', () => {
    const world = testWorld([{ place: [0, 0, 0] }, { place: [1, 1, 0] }, { place: [90, 0, 0] }, { place: [-90, 60, 0] }])
    const weight = [1, 3, 2, 0]
    expect(chooseLabels(world, projectionFrom(0, 0, 300), (n) => weight[n]!)).toEqual([1, 2])
    expect(chooseLabels(world, projectionFrom(0, 0, 300), (n) => weight[n]!, 1)).toEqual([1])
  })
  it('are left of their point if they would be cut off on the right', () => {
    const projection = projectionFrom(0, 0, 300)
    const world = testWorld([{ place: [140, 0, 0], label: 'A name at the right edge' }, { place: [110, 1, 0], label: 'One in its way to the left' }])
    expect(chooseLabels(world, projection, (n) => 2 - n), 'the second label would overlap the first').toEqual([0])
    const free = testWorld([{ place: [140, 0, 0], label: 'A name at the right edge' }, { place: [-60, 1, 0], label: 'One far away' }])
    expect(chooseLabels(free, projection, (n) => 2 - n)).toEqual([0, 1])
    expect(chooseLabels(testWorld([{ place: [0, 0, 0], label: 'In the middle' }, { place: [-45, 1, 0], label: 'To its left' }]), { ...projection, free: { left: 0, right: 420 } }, (n) => 2 - n), 'a panel covers the right side').toEqual([0])
  })
  it('are truncated at a word', () => {
    expect(shorten('short')).toBe('short')
    expect(shorten('The release train leaves on Tuesdays at noon')).toBe('The release train leaves on…')
    expect(shorten('x'.repeat(60)).length).toBe(35)
    expect(shorten('Report on the loss of Heron 1, part 1. It fell', 38)).toBe('Report on the loss of Heron 1, part 1…')
    expect(shorten('She is allergic to shellfish, and to most of the nuts')).toBe('She is allergic to shellfish, and…')
    expect(shorten('He is allergic to all shellfish, and to nuts')).toBe('He is allergic to all shellfish…')
  })
})

describe('colours', () => {
  const luminance = (hex: string) => {
    const [r, g, b] = [1, 3, 5].map((i) => {
      const c = parseInt(hex.slice(i, i + 2), 16) / 255
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const contrast = (a: string, b: string) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p)
    return (x! + 0.05) / (y! + 0.05)
  }
  it.each([['dark', DARK], ['light', LIGHT]] as const)('have contrast with the background, %s', (_, palette) => {
    for (const type of TYPES) for (const ground of palette.background) expect(contrast(palette.types[type], ground), type).toBeGreaterThan(2.3)
    expect(new Set(Object.values(palette.types)).size).toBe(TYPES.length)
  })
  it('are passed to the shader unchanged', () => {
    const c = makeTheme(false).types[0]!
    expect([c.r, c.g, c.b].map((x) => Math.round(x * 255))).toEqual([0x5b, 0x9d, 0xff])
  })
})

describe('sizes', () => {
  it('grow with importance and shrink with the number of points', () => {
    expect(radiusOf(1, 1, 800, 260)).toBeGreaterThan(radiusOf(0.2, 1, 800, 260))
    expect(scaleFor(100)).toBeGreaterThan(scaleFor(100_000))
    expect(radiusOf(0, 0.3, 800, 4000)).toBeGreaterThanOrEqual(1.3)
  })
})

describe('animations', () => {
  it('run to their end and request frames', () => {
    let woken = 0
    const f = new Animations(() => false, () => woken++)
    const seen: number[] = []
    f.start('a', 100, (p) => seen.push(p))
    expect(woken).toBe(1)
    expect(f.advance(1000)).toBe(true)
    expect(f.advance(1050)).toBe(true)
    expect(f.advance(1200)).toBe(false)
    expect(seen).toEqual([0, 0.5, 1])
  })
  it('end at once with reduced motion', () => {
    const f = new Animations(() => true, () => {})
    const seen: number[] = []
    f.start('a', 100, (p) => seen.push(p))
    expect(seen).toEqual([1])
    expect(f.advance(1)).toBe(false)
  })
  it('ease in and out', () => {
    expect([ease(0), ease(0.5), ease(1)]).toEqual([0, 0.5, 1])
    expect(ease(0.1)).toBeLessThan(0.05)
  })
})
