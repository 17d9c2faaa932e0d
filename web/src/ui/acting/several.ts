// Tags and pins several memories, one request for each.
import { fetchMarks, pin, setTags, unpin } from '../../api/acting'
import { ApiError } from '../../api/graphql'
import { memoriesText } from '../../state/actions'
import { tagFault, withTag } from '../../state/tags'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import { form, labelled, openDialog } from './dialog'

/** So many requests are under way at a time. */
const AT_ONCE = 4

/** Does something for each item. After an error no other item is begun; the error is thrown when those under way have ended. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const faults: unknown[] = []
  const work = async () => {
    while (next < items.length && faults.length === 0) await act(items[next++]!).catch((e: unknown) => void faults.push(e))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (faults.length > 0) throw faults[0]
}

/** Asks for a tag and adds it to every memory. */
export function tagSeveral(s: Session, ids: readonly string[]): void {
  const dialog = openDialog(`Tag ${memoriesText(ids.length)}`)
  const tag = h('input', { type: 'text', required: true, maxlength: 128, autocomplete: 'off', spellcheck: 'false' })
  const progress = h('p', { class: 'muted small', role: 'status' })
  const send = async () => {
    const name = tag.value.trim()
    const before = new Map<string, readonly string[]>()
    await each(ids, async (id) => void before.set(id, (await fetchMarks(id)).tags))
    const fault = tagFault(name, [...before.values()])
    if (fault) throw new ApiError(fault, 'INVALID_REQUEST', 'tag')
    const changed = [...before].filter(([, tags]) => !tags.includes(name))
    const done: typeof changed = []
    const takeBack = () => each(done, ([id, tags]) => setTags(id, tags))
    try {
      await each(changed, async (one) => {
        await setTags(one[0], withTag(one[1], name))
        done.push(one)
        progress.textContent = `${done.length.toLocaleString('en')} of ${memoriesText(changed.length)}`
      })
    } catch (e) {
      // All or none.
      await takeBack()
      progress.textContent = ''
      throw e
    }
    dialog.close()
    if (done.length === 0) s.notify(`All of them have the tag “${name}” already.`)
    else s.notify(`Tagged ${memoriesText(done.length)} with “${name}”.`, { name: 'Undo', act: () => takeBack().then(() => s.notify(`The tag “${name}” is removed again.`)) })
  }
  dialog.show(form('Tag', send, { tag }, [labelled('Tag', tag, 'Searches and lists can be narrowed to a tag.'), progress], () => dialog.close()))
  tag.focus()
}

/** Pins every memory. */
export async function pinSeveral(s: Session, ids: readonly string[]): Promise<void> {
  const done: string[] = []
  const takeBack = () => each(done, unpin)
  try {
    await each(ids, async (id) => {
      if ((await fetchMarks(id)).core) return
      await pin(id)
      done.push(id)
    })
    if (done.length === 0) {
      s.notify('All of them are pinned already.')
      return
    }
  } catch (e) {
    await takeBack().catch(() => {})
    s.notify(errorText(e))
    return
  }
  s.notify(`Pinned ${memoriesText(done.length)}: they are in every prompt of their users.`, { name: 'Undo', act: () => takeBack().then(() => s.notify('Unpinned.')) })
}
