/** A panel of the dock. It is created when it is first opened. */
export interface Tab {
  element: HTMLElement
  /** it has been opened, or its link has changed */
  open(): void
  close?(): void
}
