// Clusters on the map and in words.
import type { Cluster, Frame, Region } from '../api/frame'
import type { World } from './world'

/** A part of the map with a name. */
export interface NamedRegion extends Region {
  /** the cluster that it is; null: a region without one */
  cluster: string | null
}

/** Only so many clusters name the map. */
const NAMED_CLUSTERS = 60

/** The named parts of the map, largest first: the clusters if there are some, otherwise the regions. */
export function namedRegions(frame: Frame): NamedRegion[] {
  if (frame.clusters.length > 0) return frame.clusters.slice(0, NAMED_CLUSTERS).map((c) => ({ position: c.position, radius: c.radius, count: c.count, name: c.label, cluster: c.id }))
  return (frame.regions ?? []).map((r) => ({ ...r, name: r.name.charAt(0).toUpperCase() + r.name.slice(1), cluster: null }))
}

/** The cluster of a memory; null: none, or the memory is not in the scene. */
export function clusterOf(world: World | null, id: string): Cluster | null {
  const node = world?.indexOf(id) ?? -1
  return (node >= 0 && world?.frame.clusters[world.frame.cluster[node]!]) || null
}

/** The cluster with an id; null: it is not in the scene. */
export function clusterById(world: World | null, id: string): Cluster | null {
  return world?.frame.clusters.find((c) => c.id === id) ?? null
}

/** A label after the word "Cluster", unless it begins with it. */
export function clusterName(label: string, sign = ''): string {
  return /^clusters?\b/i.test(label) ? label : `Cluster${sign} ${label}`
}

/** The nodes of a cluster. */
export function membersOf(world: World, id: string): number[] {
  const k = world.frame.clusters.findIndex((c) => c.id === id)
  const out: number[] = []
  if (k >= 0) world.frame.cluster.forEach((c, i) => c === k && out.push(i))
  return out
}

/** How closely the members of a cluster belong together, in words. */
export function densityText(density: number): string {
  if (density > 0.7) return 'Very close: its memories are about one matter'
  if (density > 0.45) return 'Close: most of its memories are about one matter'
  if (density > 0.2) return 'Loose: its memories are about related matters'
  return 'Very loose: its memories have little in common'
}

/** A cluster has at least so many memories when it is born; engine/cluster has the same number. */
export const MIN_CLUSTER = 5

/** A change of a cluster in a sleep. */
export interface ClusterChangeEvent {
  change: 'BORN' | 'MERGED' | 'SPLIT' | 'DIED'
  cluster: string
  from: string[]
  size: number
}

/** What happened to a cluster, as the predicate of a sentence about it. `nameOf` is null for clusters that are gone. */
export function eventText(own: string, e: ClusterChangeEvent, nameOf: (id: string) => string | null): string {
  const name = (id: string) => nameOf(id) ?? 'a cluster that is gone now'
  const others = e.from.filter((id) => id !== own).map(name).join(', ')
  const members = `${e.size.toLocaleString('en')} ${e.size === 1 ? 'memory' : 'memories'}`
  if (e.cluster !== own) return e.change === 'SPLIT' ? `was split: ${name(e.cluster)} left with ${members}` : `was merged into ${name(e.cluster)}`
  switch (e.change) {
    case 'BORN':
      return `was found, with ${members}`
    case 'MERGED':
      return `took in ${others || 'another cluster'}; ${members} then`
    case 'SPLIT':
      return `was split off from ${others || 'another cluster'}, with ${members}`
    default:
      return 'was dissolved: its memories no longer belong together'
  }
}
