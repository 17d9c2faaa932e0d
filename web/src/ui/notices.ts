// Notices: loading, empty, errors, new memories, and short messages.
import { signInAddress } from '../api/signin'
import { TYPES } from '../api/vocabulary'
import { mayWrite } from '../state/actions'
import type { World } from '../state/world'
import { connectTabs } from './connect'
import { h, svg } from './dom'
import { errorText } from './asynccontent'
import type { MessageAction, Session } from './session'

const TOAST_MS = 6000
const MESSAGE_MS = 10_000

export class Notices {
  readonly element = h('div', { class: 'notice-wrap' })
  readonly toast = h('div', { class: 'toast panel', hidden: true, role: 'status' })
  private timer = 0
  /** the message has an action, which a new memory must not take away */
  private offering = false

  constructor(
    private readonly s: Session,
    private readonly retry: () => void,
  ) {
    s.live.on(['status', 'problem', 'outdated', 'signedOut', 'scopes'], () => this.update())
    this.update()
  }

  /** Shows memories that have just arrived. */
  showNewMemories(world: World, ids: string[]): void {
    const node = world.indexOf(ids[0]!)
    const text = ids.length === 1 ? world.frame.label(node) || 'New memory' : `${ids.length} new memories`
    this.s.announce(`New: ${text}`)
    if (this.offering) return
    this.toast.replaceChildren(
      h('span', { class: `pip type-${TYPES[world.frame.type[node]!]!.toLowerCase()}` }),
      h('button', { type: 'button', onclick: () => this.s.open(ids[0]!, true) }, text),
    )
    this.toast.hidden = false
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.hide(), TOAST_MS)
  }

  /** Shows a short message, with one action if there is one. */
  showMessage(text: string, action?: MessageAction, ms = MESSAGE_MS): void {
    const button = action && h('button', { type: 'button', class: 'link' }, action.name)
    button?.addEventListener('click', () => {
      this.hide()
      Promise.resolve(action!.act()).catch((e: unknown) => this.showMessage(errorText(e)))
    })
    this.toast.replaceChildren(h('span', {}, text), ...(button ? [button] : []))
    this.toast.hidden = false
    this.offering = button !== undefined
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.hide(), ms)
  }

  private hide(): void {
    this.toast.hidden = true
    this.offering = false
  }

  private update(): void {
    const { status, problem, world, outdated, signedOut } = this.s.live.get()
    if (signedOut) return this.element.replaceChildren(signedOutNotice(world !== null))
    const again = (name: string) => h('button', { type: 'button', class: name, onclick: () => this.retry() }, 'Try again')
    const notice = {
      ready: () => null,
      loading: () => h('div', { class: 'breath', 'aria-label': 'Loading' }, brandMark()),
      empty: () => this.emptyStore(),
      error: () =>
        world
          ? h('div', { class: 'strip panel', role: 'alert' }, problem, ' Showing what was loaded before.', again('link'))
          : h('div', { class: 'notice panel', role: 'alert' }, h('h2', {}, 'The memories could not be loaded'), h('p', {}, problem), again('button')),
    }[status]()
    this.element.replaceChildren(...(notice ? [notice] : []), ...(outdated ? [this.outdatedNotice()] : []))
  }

  /** An empty store: a field that writes the first memory, and how a program does it. */
  private emptyStore(): HTMLElement {
    const writes = mayWrite(this.s.live.get().scopes, null)
    return h(
      'div',
      { class: 'notice panel' },
      brandMark(),
      h('h2', {}, 'No memories yet'),
      writes && h('p', {}, 'Write the first one here:'),
      writes && this.firstMemory(),
      h('p', {}, `${writes ? 'Or connect' : 'Connect'} an agent or a program. What it remembers appears here at once:`),
      connectTabs(),
      h(
        'div',
        { class: 'buttons' },
        writes && h('button', { type: 'button', class: 'quiet-button', onclick: () => this.s.view.set({ panel: 'documents' }) }, 'Store files…'),
        h('a', { class: 'quiet-button', href: 'graphiql' }, 'API console'),
      ),
      h('p', { class: 'muted small' }, 'To look around in half a year of memories first, start the server with ', h('code', {}, 'somnograph serve --demo'), ' on an empty directory.'),
    )
  }

  private firstMemory(): HTMLElement {
    const input = h('input', { type: 'text', required: true, 'aria-label': 'Memory', placeholder: 'Releases go out on Tuesdays', autocomplete: 'off' })
    const problem = h('p', { class: 'bad small', role: 'alert' })
    const send = async () => {
      const [{ remember }, { rememberInput }] = await Promise.all([import('../api/acting'), import('../state/actions')])
      await remember(rememberInput({ content: input.value, type: '', namespace: '', user: '', project: '', important: false }))
    }
    const submit = (e: Event) => {
      e.preventDefault()
      problem.textContent = ''
      void send().catch((error: unknown) => (problem.textContent = errorText(error)))
    }
    const more = h('button', { type: 'button', class: 'quiet-button', onclick: () => this.s.addMemory() }, 'More fields…')
    return h('form', { class: 'first-memory', onsubmit: submit }, input, problem, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'button' }, 'Remember'), more))
  }

  /** Page and server must be of the same version. The view survives the reload because it is in the link. */
  private outdatedNotice(): HTMLElement {
    return h(
      'div',
      { class: 'strip panel renewal', role: 'status' },
      'The server now runs another version than this page. Some features may not work until you reload.',
      h('button', { type: 'button', class: 'link', onclick: () => location.reload() }, 'Reload the page'),
      h('button', { type: 'button', class: 'link', onclick: () => this.s.live.set({ outdated: false }) }, 'Not now'),
    )
  }
}

/** The sign-in has ended. What was loaded stays visible, so that nothing typed is lost. */
function signedOutNotice(loaded: boolean): HTMLElement {
  const again = (name: string) => h('a', { class: name, href: signInAddress(), onclick: (e: Event) => ((e.currentTarget as HTMLAnchorElement).href = signInAddress()) }, 'Sign in again')
  return loaded
    ? h('div', { class: 'strip panel', role: 'alert' }, 'Your sign-in has ended. Showing what was loaded before.', again('link'))
    : h('div', { class: 'notice panel', role: 'alert' }, h('h2', {}, 'Your sign-in has ended'), again('button'))
}

/** The logo: three memories on a wave. */
export function brandMark(): SVGElement {
  return svg(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('path', { d: 'M5 21.5c4.2 0 4.800-12 10.500-12s6 12 11.500 12' }),
    svg('circle', { class: 'type-semantic', cx: 5.8, cy: 21.5, r: 3 }),
    svg('circle', { class: 'type-episodic', cx: 15.6, cy: 9.6, r: 3.8 }),
    svg('circle', { class: 'type-procedural', cx: 26.2, cy: 21.5, r: 3 }),
  )
}
