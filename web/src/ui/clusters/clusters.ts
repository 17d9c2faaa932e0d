// Clusters: the list, and a single one with its members, terms, relatives, patterns and history.
import { fetchCluster, fetchClusters, type ClusterDetail, type ClusterEvent, type ClusterPage, type ClusterRow, type ClusterSummary } from '../../api/clusters'
import { displayName } from '../../api/vocabulary'
import { dayText } from '../../state/clock'
import { clusterById, clusterName, densityText, eventText, MIN_CLUSTER } from '../../state/clusters'
import { NOTHING_OPEN } from '../../state/view'
import { AsyncContent, errorText } from '../asynccontent'
import { dataTable, FULL_WIDTH, stackedBars } from '../charts'
import { h, icon } from '../dom'
import type { Session } from '../session'
import type { Tab } from '../tab'
import { clusterButton, clusterSwatch, memories, memoryRow, patternButton, percent, sleepButton } from './rows'

const RELOAD_DELAY_MS = 200

/** The namespace and user of a cluster, if they are not the usual ones. */
function owner(c: ClusterSummary): string {
  return [c.namespace === 'default' ? '' : c.namespace, c.user ? `user ${c.user}` : ''].filter(Boolean).join(' · ')
}

export class ClustersTab implements Tab {
  readonly element = h('div', { class: 'clusters-tab' })
  private readonly listing = h('div')
  private readonly rows = h('div')
  private readonly single = h('div')
  private readonly listContent: AsyncContent<ClusterPage>
  private readonly clusterContent: AsyncContent<{ cluster: ClusterDetail | null; events: ClusterEvent[] }>
  private shown: string | null = null
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.listing.append(h('h2', {}, 'Clusters'), h('p', { class: 'muted' }, 'Groups of memories that mean alike, largest first. A sleep finds them; by day, new memories join the nearest one.'), this.rows)
    this.listContent = new AsyncContent(this.rows, (signal) => fetchClusters(this.namespaces(), null, signal), (page) => this.list(page), 'clusters')
    this.clusterContent = new AsyncContent(this.single, (signal) => fetchCluster(s.view.get().cluster!, signal), ({ cluster, events }) => this.cluster(cluster, events), 'this cluster')
    s.view.on(['namespaces'], () => this.opened && void this.listContent.load())
    s.live.on(['world', 'light'], () => this.reloadSoon())
    s.sleepFollower.store.on(['revision'], () => this.reloadSoon())
  }

  open(): void {
    this.opened = true
    const { cluster } = this.s.view.get()
    this.element.replaceChildren(cluster ? this.single : this.listing)
    if (cluster) void this.clusterContent.load(cluster !== this.shown)
    else void this.listContent.load()
    this.shown = cluster
  }

  close(): void {
    this.opened = false
    clearTimeout(this.timer)
    this.listContent.stop()
    this.clusterContent.stop()
  }

  private reloadSoon(): void {
    clearTimeout(this.timer)
    if (this.opened) this.timer = window.setTimeout(() => this.opened && void (this.shown ? this.clusterContent : this.listContent).load(), RELOAD_DELAY_MS)
  }

  private namespaces(): string[] | null {
    const { namespaces } = this.s.view.get()
    return namespaces.length > 0 ? namespaces : null
  }

  // --- the list ---

  private list(page: ClusterPage): Node[] {
    if (page.nodes.length === 0) {
      return [
        h(
          'div',
          { class: 'dock-note' },
          h('p', {}, 'No clusters yet.'),
          h('p', {}, `A sleep groups memories that mean alike: at least ${MIN_CLUSTER} of the same namespace and user that lie close together. Start one here, or run “somnograph sleep”.`),
          sleepButton(this.s),
        ),
      ]
    }
    const list = h('ol', { class: 'cluster-list' }, ...page.nodes.map((c) => this.row(c)))
    return [list, this.older(list, page)]
  }

  private row(c: ClusterRow): HTMLElement {
    return h('li', {}, clusterButton(this.s, c, memories(c.size)), h('p', { class: 'cluster-terms' }, [owner(c), c.terms.map((t) => t.text).join(', ')].filter(Boolean).join(' · ')))
  }

  /** A button that adds the next page to the list; nothing if there is none. */
  private older(list: HTMLElement, page: ClusterPage): Node {
    let after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    if (!after) return h('span')
    const more = h('button', { type: 'button', class: 'link' }, 'Smaller clusters')
    const load = async () => {
      more.disabled = true
      try {
        const next = await fetchClusters(this.namespaces(), after)
        list.append(...next.nodes.map((c) => this.row(c)))
        after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null
        if (!after) more.remove()
      } catch (e) {
        more.textContent = `${errorText(e)} Try again`
      }
      more.disabled = false
    }
    more.addEventListener('click', () => void load())
    return more
  }

  // --- one cluster ---

  private cluster(c: ClusterDetail | null, events: ClusterEvent[]): Node[] {
    const { s } = this
    const back = h('button', { type: 'button', class: 'link back', onclick: () => s.view.set({ cluster: null }) }, icon('left'), 'All clusters')
    if (!c) {
      const gone = h('p', {}, 'This cluster is gone: a sleep dissolved it or merged it into another one.')
      return [back, h('div', { class: 'dock-note' }, gone), ...this.history(s.view.get().cluster!, events)]
    }
    s.announce(`${clusterName(c.label)}, ${memories(c.size)}`)
    const figures: [string, string][] = [['Members', c.size.toLocaleString('en')], ['Found', dayText(Date.parse(c.createdAt))], ['Changed', dayText(Date.parse(c.updatedAt))]]
    return [
      back,
      h('h2', { class: 'cluster-title' }, clusterSwatch(s, c.id), c.label),
      h('p', { class: 'muted' }, densityText(c.density), owner(c) && ` · ${owner(c)}`),
      ...(c.summary ? [h('p', { class: 'cluster-summary' }, c.summary)] : []),
      h('div', { class: 'figures' }, ...figures.map(([name, text]) => h('div', { class: 'figure' }, h('span', {}, name), h('b', { class: 'plain' }, text)))),
      h('div', { class: 'buttons cluster-buttons' }, this.onlyButton(c.id), this.centreButton(c.id)),
      ...this.activity(c),
      h('h3', {}, 'Typical terms'),
      h('div', { class: 'chips' }, ...c.terms.map((t) => h('span', { class: 'chip', title: `weight ${t.weight.toFixed(2)}` }, t.text, h('small', {}, `in ${t.count.toLocaleString('en')}`)))),
      h('h3', {}, 'Strongest members'),
      h('ul', { class: 'links' }, ...c.memberships.map((m) => memoryRow(s, m.memory, m.settled ? percent(m.strength) : 'new', m.settled ? `strength ${m.strength.toFixed(2)}: how deep inside the cluster it lies` : 'joined since the last sleep'))),
      ...this.entities(c),
      ...(c.related.length > 0 ? [h('h3', {}, 'Related clusters'), h('ul', { class: 'cluster-list' }, ...c.related.map((r) => h('li', {}, clusterButton(s, r.cluster, `${percent(r.similarity)} alike`))))] : []),
      h('h3', {}, 'Patterns'),
      c.patterns.length > 0 ? h('ul', { class: 'pattern-list' }, ...c.patterns.map((p) => h('li', {}, patternButton(s, p)))) : h('p', { class: 'muted' }, 'None were drawn from it. Patterns need many memories about one matter.'),
      ...this.history(c.id, events),
    ]
  }

  /** Shows only the cluster on the map, or all memories again. */
  private onlyButton(id: string): HTMLElement {
    const { s } = this
    const only = () => s.view.get().clusters.length === 1 && s.view.get().clusters[0] === id
    const button = h('button', { type: 'button', class: 'quiet-button' })
    const label = () => (button.textContent = only() ? 'Show all memories' : 'Show only these')
    button.addEventListener('click', () => {
      s.view.set({ clusters: only() ? [] : [id] })
      label()
    })
    label()
    return button
  }

  private centreButton(id: string): HTMLElement | null {
    const place = clusterById(this.s.live.get().world, id)
    return place && h('button', { type: 'button', class: 'quiet-button', onclick: () => this.s.showArea(place.position, place.radius) }, 'Centre on the map')
  }

  private activity(c: ClusterDetail): Node[] {
    if (c.activity.length === 0) return []
    const rows = c.activity.map((a) => ({ name: dayText(Date.parse(a.from)), values: { members: a.count } }))
    const keys = [{ key: 'members', label: 'Memories' }]
    return [h('h3', {}, 'Members over time'), stackedBars('Members by the time of their event', rows, keys, { ...FULL_WIDTH, height: 84 }), dataTable('From', rows, keys)]
  }

  private entities(c: ClusterDetail): Node[] {
    if (c.keyEntities.length === 0) return []
    const open = (id: string) => this.s.view.set({ ...NOTHING_OPEN, panel: 'entities', entity: id })
    return [h('h3', {}, 'Mentioned most'), h('div', { class: 'chips' }, ...c.keyEntities.map((e) => h('button', { type: 'button', class: 'chip', onclick: () => open(e.id) }, e.name, h('small', {}, displayName(e.type).toLowerCase()))))]
  }

  private history(own: string, events: ClusterEvent[]): Node[] {
    if (events.length === 0) return []
    const { world } = this.s.live.get()
    const nameOf = (id: string) => clusterById(world, id)?.label ?? null
    return [
      h('h3', {}, 'How it came about'),
      h('ol', { class: 'cluster-events' }, ...events.map((e) => {
        const others = [...new Set([e.cluster, ...e.from])].filter((id) => id !== own && clusterById(world, id) !== null)
        return h('li', {}, h('small', {}, dayText(Date.parse(e.at))), h('span', {}, `It ${eventText(own, e, nameOf)}.`), ...others.map((id) => h('button', { type: 'button', class: 'link', onclick: () => this.s.openCluster(id) }, `Open ${nameOf(id)!}`)))
      })),
    ]
  }
}
