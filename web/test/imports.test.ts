// The import graph of the sources has no cycle. Type imports, dynamic imports and workers count
// as imports.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

type Graph = ReadonlyMap<string, readonly string[]>

const root = new URL('../src', import.meta.url).pathname
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s*|\bnew URL\(\s*)'(\.[^']+)'/gm

/** The sources that a file imports, as paths below the root. Style sheets and raw files do not count. */
function importsOf(file: string, text: string, files: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  for (const [, name] of text.matchAll(IMPORT)) {
    const path = relative(root, join(root, dirname(file), name!))
    const target = [path, `${path}.ts`].find((p) => files.has(p))
    if (target) found.add(target)
    else if (!/\.(css|glsl\?raw|graphql\?raw)$/.test(path)) throw new Error(`${file} imports ${name}, which is not there`)
  }
  return [...found]
}

function importGraph(): Graph {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((f) => f.endsWith('.ts') && !f.endsWith('.d.ts')).sort()
  const known = new Set(files)
  return new Map(files.map((f) => [f, importsOf(f, readFileSync(join(root, f), 'utf8'), known)]))
}

/** The cycles of a graph: strongly connected components of more than one node (Tarjan), and nodes with an edge to themselves. */
function cyclesOf(graph: Graph): string[][] {
  const cycles: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1 || graph.get(node)!.includes(node)) cycles.push(component.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

describe('imports', () => {
  const graph = importGraph()

  it('have no cycles', () => expect(cyclesOf(graph)).toEqual([]))

  it('are all found: static, type-only, dynamic and of a worker', () => {
    expect(graph.size).toBeGreaterThan(80)
    expect(graph.get('main.ts')).toEqual(expect.arrayContaining(['ui/app.ts', 'testing.ts']))
    expect(graph.get('ui/dock.ts')).toEqual(expect.arrayContaining(['ui/session.ts', 'ui/memories/tabs.ts']))
    expect(graph.get('ui/layout.ts')).toContain('state/links/layout.worker.ts')
  })

  it('with a cycle are detected', () => {
    const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['e'], f: ['a', 'd'] }
    expect(cyclesOf(new Map(Object.entries(edges)))).toEqual([['e'], ['a', 'b', 'c']])
  })
})
