// A modal dialog with a form. It is removed from the page when it closes.
import '../../style/acting.css'
import { errorText } from '../asynccontent'
import { ApiError } from '../../api/graphql'
import { h, iconButton } from '../dom'

export interface Dialog {
  element: HTMLDialogElement
  /** replaces what is shown below the title */
  show(...content: (Node | string | false | null)[]): void
  close(): void
}

/** Opens a dialog. When it closes, the focus returns to where it was. */
export function openDialog(title: string): Dialog {
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const body = h('div', { class: 'panel-body acting-body' })
  const element = h('dialog', { class: 'acting panel', 'aria-label': title }, h('header', { class: 'panel-head' }, h('h2', {}, title), iconButton('close', 'Close', () => element.close(), 'Esc')), body)
  element.addEventListener('close', () => {
    element.remove()
    if (before?.isConnected) before.focus({ preventScroll: true })
    else document.querySelector<HTMLElement>('canvas.scene')?.focus({ preventScroll: true })
  })
  element.addEventListener('keydown', (e) => e.stopPropagation())
  document.body.append(element)
  element.showModal()
  return {
    element,
    show: (...content) => body.replaceChildren(...content.filter((c): c is Node | string => c !== false && c !== null)),
    close: () => element.close(),
  }
}

/** A form whose button waits for the answer. An error is shown above the buttons, and its field gets the focus. */
export function form(name: string, send: () => Promise<void>, fields: Record<string, HTMLElement & { focus(): void }>, content: readonly (Node | false | null)[], cancel: () => void, danger = false): HTMLFormElement {
  const message = h('p', { class: 'bad', role: 'alert' })
  const submit = h('button', { type: 'submit', class: danger ? 'button danger' : 'button' }, name)
  const element = h('form', { class: 'acting-form' }, ...content, message, h('div', { class: 'buttons' }, submit, h('button', { type: 'button', class: 'quiet-button', onclick: cancel }, 'Cancel')))
  element.addEventListener('submit', (e) => {
    e.preventDefault()
    submit.disabled = true
    message.textContent = ''
    for (const field of Object.values(fields)) field.removeAttribute('aria-invalid')
    send().catch((error: unknown) => {
      submit.disabled = false
      message.textContent = errorText(error)
      const wrong = error instanceof ApiError ? fields[error.field.replace(/^input\./, '')] : undefined
      wrong?.setAttribute('aria-invalid', 'true')
      ;(wrong ?? submit).focus()
    })
  })
  return element
}

/** A field below its name. */
export function labelled(name: string, input: HTMLElement, note = ''): HTMLElement {
  return h('label', { class: 'acting-field' }, h('span', {}, name), input, note !== '' && h('small', {}, note))
}
