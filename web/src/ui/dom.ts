// Builds elements. Text always becomes text: nothing here parses markup.

type Child = Node | string | null | undefined | false
type Props = Record<string, string | number | boolean | null | undefined | ((e: never) => void)>

/** An element. `on…` props are listeners, others are attributes; false and null are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag)
  apply(el, props)
  el.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false))
  return el
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Node[]): SVGElementTagNameMap[K] {
  const el = document.createElementNS('http://www.w3.org/2000/svg', tag)
  apply(el, props)
  el.append(...children)
  return el
}

function apply(el: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') el.addEventListener(key.slice(2), value as EventListener)
    else el.setAttribute(key, value === true ? '' : String(value))
  }
}

const ICONS: Record<string, string> = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.4 15.4 20 20',
  expand: 'M4 12h16M7.5 8.5 4 12l3.5 3.500M16.5 8.5 20 12l-3.500 3.500',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8 6v12M16 6v12',
  home: 'M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4',
  cube: 'M12 3.5 20 8v8l-8 4.5L4 16V8zM4 8l8 4.5L20 8M12 12.5v8',
  flat: 'M4 5h16v14H4zM4 12h16M12 5v14',
  sun: 'M12 8.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z',
  sleep: 'M12.5 4.5h7l-7 8h7M4 13.5h5l-5 6h5',
  camera: 'M4 8h3l1.6-2.4h6.8L17 8h3v11H4zM12 10.2a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6z',
  help: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM9.6 9.6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1.1.9-1.1 1.7M12 16.6v.2',
  words: 'M4 6.5h1M4 12h1M4 17.5h1M9 6.5h11M9 12h11M9 17.5h7',
  clusters: 'M7.5 4.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM16.500 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM11 13.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  boards: 'M4 19.5h16M6.5 16v-5M11 16V6M15.5 16v-7.500M20 16v-3',
  agent: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 3.500V16H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8 9h8M8 12h5',
  more: 'M5 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM12 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM19 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2z',
  save: 'M12 4v10.500M7.5 10.5 12 15l4.5-4.500M5 19.500h14',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  spring: 'M3 12h2.500l1.500-4 3 8 3-8 3 8 1.500-4H21',
  tour: 'M12 3.500a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM15.5 8.500l-2 5-5 2 2-5z',
  range: 'M8 5H5v14h3M16 5h3v14h-3M9.5 12h5',
  person: 'M12 4.500a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM5 20c.6-3.600 3.400-5.500 7-5.500s6.400 1.900 7 5.500',
  filter: 'M4 6h16M7 12h10M10 18h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  left: 'M14.5 6 8.5 12l6 6',
  right: 'M9.5 6l6 6-6 6',
  target: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12 3v4M12 17v4M3 12h4M17 12h4',
}

export function icon(name: keyof typeof ICONS | string): SVGElement {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] ?? '' }))
}

/** A button with an icon; the label is read out and shown on hover. */
export function iconButton(name: string, label: string, onclick: () => void, key?: string): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: key ? `${label} (${key})` : label, onclick }, icon(name))
}

/** A small square of a colour of the scene. */
export function swatch(color: string): HTMLElement {
  const el = h('i', { class: 'swatch' })
  el.style.background = color
  return el
}

/** The symbol of a memory type, as in the scene. */
export function glyph(type: string): SVGElement {
  const shapes: Record<string, string> = {
    EPISODIC: 'M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6z',
    SEMANTIC: 'M8 1.6 14.4 8 8 14.4 1.6 8z',
    WORKING: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 3.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
    DOCUMENT: 'M3.6 3h8.8a.6.6 0 0 1 .6.6v8.8a.6.6 0 0 1-.6.6H3.6a.6.6 0 0 1-.6-.6V3.6a.6.6 0 0 1 .6-.6z',
    PROCEDURAL: 'M8 2.2 14.2 13H1.8z',
  }
  return svg('svg', { class: `glyph type-${type.toLowerCase()}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: shapes[type] ?? '' }))
}

/** Where an element is once it has slid in: its rectangle without its own translation. */
export function placeOf(el: Element): DOMRect {
  const { x, y, width, height } = el.getBoundingClientRect()
  const { e, f } = new DOMMatrix(getComputedStyle(el).transform)
  return new DOMRect(x - e, y - f, width, height)
}
