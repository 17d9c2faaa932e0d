// Text of labels in one line or two.

/** The text in one line if it has at most so many letters, otherwise in two, broken at the space nearest to the middle. */
export function labelLines(text: string, most: number): string[] {
  if (text.length <= most) return [text]
  let at = -1
  for (let i = text.indexOf(' '); i >= 0; i = text.indexOf(' ', i + 1)) {
    if (at < 0 || Math.abs(i - text.length / 2) < Math.abs(at - text.length / 2)) at = i
  }
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** The letters of the longest line. */
export function longestLine(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => line.length))
}

/** Shows the lines in an element. The text of the element is that of the label, with its spaces. */
export function showLines(el: HTMLElement, lines: readonly string[]): void {
  el.replaceChildren(
    ...lines.map((line, i) => {
      const row = document.createElement('span')
      row.textContent = i < lines.length - 1 ? `${line} ` : line
      return row
    }),
  )
}
