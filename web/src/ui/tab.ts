/** A panel of the dock. It is made once, when it is first opened. */
export interface Tab {
  element: HTMLElement
  /** it has come to the front, or its link has changed */
  open(): void
  close?(): void
}
