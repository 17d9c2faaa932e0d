// What does not work, with what a person can do about it: open circuit breakers, and background work
// that failed, for good or so far.
import { resetBreaker, settleDeadLetter, type DeadLetters } from '../../api/dashboards'
import { dayText } from '../../state/clock'
import { sentenceCase, type OpenBreaker } from '../../state/dashboards'
import { h } from '../dom'

const WORK: Record<string, string> = { EMBED: 'Embedding', ENGRAVE: 'Archiving' }

/** A button that runs something once and then reloads, or says what went wrong. */
function action(text: string, label: string, run: () => Promise<void>, reload: () => void): HTMLElement {
  const note = h('span', { class: 'muted small', role: 'status' })
  const button = h('button', { type: 'button', class: 'quiet-button', 'aria-label': label }, text)
  button.addEventListener('click', () => {
    button.disabled = true
    run().then(reload, (e: unknown) => {
      button.disabled = false
      note.textContent = e instanceof Error ? e.message : String(e)
    })
  })
  return h('span', {}, button, note)
}

/** The breakers that are not closed, each with a button that closes it. */
export function breakerList(open: OpenBreaker[], reload: () => void): Node[] {
  if (open.length === 0) return []
  return [
    h('h3', {}, 'Not called after failures'),
    h('ul', { class: 'alarms' }, ...open.map((b) => h('li', {}, `${sentenceCase(b.name)} ${b.reason} `, action('Call again', `Call ${sentenceCase(b.name)} again`, () => resetBreaker(b.name), reload)))),
  ]
}

/** The failed work, each with buttons to try again and to discard. */
export function failedWork(all: DeadLetters, reload: () => void): Node[] {
  if (all.nodes.length === 0) return []
  return [
    h('h3', {}, 'Failed work'),
    h(
      'ul',
      { class: 'alarms' },
      ...all.nodes.map((x) => {
        const what = WORK[x.work] ?? sentenceCase(x.work)
        const going = x.state === 'RETRYING' ? ' The server goes on trying.' : ''
        const name = `${what} of memory ${x.memoryId.slice(0, 8)}`
        return h(
          'li',
          {},
          `${name}, ${x.attempts} attempts until ${dayText(Date.parse(x.lastAt))}: ${x.reason}${going} `,
          action('Try again', `Try again: ${name}`, () => settleDeadLetter('RetryDeadLetter', x.memoryId), reload),
          action('Discard', `Discard: ${name}`, () => settleDeadLetter('DiscardDeadLetter', x.memoryId), reload),
        )
      }),
    ),
    ...(all.pageInfo.hasNextPage ? [h('p', { class: 'muted small' }, 'Showing the first 100.')] : []),
  ]
}
