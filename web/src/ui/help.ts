// The help dialog: symbols and keys.
import { TYPES, displayName } from '../api/vocabulary'
import { glyph, h, iconButton } from './dom'

const KEYS: [string[], string][] = [
  [['Ctrl', 'K'], 'commands, memories, entities, and days such as 18 August'],
  [['/'], 'search'],
  [['←', '↑', '→', '↓'], 'move to the next memory in that direction'],
  [['Enter'], 'open the current memory, or the best hit'],
  [['[', ']'], 'previous and next version, or memory of the session'],
  [['Space'], 'play and pause'],
  [[',', '.'], 'step through time'],
  [['t'], 'back to now (today)'],
  [['n'], 'add a memory'],
  [['r'], 'filter by time learned'],
  [['f'], 'centre the open memory'],
  [['Shift', 'drag'], 'select memories on the map, to export or forget them'],
  [['h'], 'show the whole map'],
  [['m'], 'list of memories, and entities'],
  [['k'], 'clusters and patterns'],
  [['s'], 'sleep, reports, forecast, conflicts, policies'],
  [['d'], 'dashboards: health, quality, gate, privacy, speed'],
  [['c'], 'prompt preview, and tasks'],
  [['u'], 'what is known about a user'],
  [['p', 'j'], 'save an image, export shown memories as JSON'],
  [['2'], 'toggle flat map'],
  [['g'], 'place memories by meaning or by links'],
  [['e'], 'show or hide entities and their relations'],
  [['a'], 'show or hide cluster areas'],
  [['l'], 'toggle light theme'],
  [['Esc'], 'close the topmost panel'],
  [['?'], 'this help'],
]

const NEURO_TERMS: [string, string, string][] = [
  ['L0', 'Prefrontal cortex', 'working buffer: the current conversation'],
  ['L1', 'Hippocampus', 'index: where every memory starts'],
  ['L2', 'Neocortex', 'schema: memories that proved important'],
  ['L3', 'Thalamus and basal ganglia', 'recess: engrams, which never change'],
  ['Salience', 'Dopamine', 'how much a memory stands out'],
  ['Surprise', 'Noradrenaline', 'how unexpected a memory was'],
  ['REM', 'Dream replay', 'consolidation during sleep'],
  ['NREM', 'Pruning', 'unneeded memories fade'],
  ['Reinforcement', 'Long-term potentiation', 'use makes a memory last'],
]

const TYPE_TEXT: Record<string, string> = {
  EPISODIC: 'an event', SEMANTIC: 'a fact', WORKING: 'current context; pulses, and expires', DOCUMENT: 'reference material', PROCEDURAL: 'an instruction',
}

export class Help {
  readonly element: HTMLDialogElement

  constructor() {
    this.element = h(
      'dialog',
      { class: 'help panel', 'aria-label': 'Help' },
      h('header', { class: 'panel-head' }, h('h2', {}, 'Reading the map'), iconButton('close', 'Close', () => this.element.close(), 'Esc')),
      h(
        'div',
        { class: 'panel-body help-body' },
        h('p', { class: 'lead' }, 'Every point is a memory. Memories with similar meaning are close together. Colours show clusters, which are groups that a sleep finds; “Colour by” in the legend shows types, namespaces, users, retention or age instead. Larger points are more important, fainter ones have faded. Drag the timeline to see what was known at any time, exactly as the API answers as of that time.'),
        h('div', { class: 'help-columns' },
          h('section', {}, h('h3', {}, 'Symbols'),
            h('ul', { class: 'help-signs' },
              ...TYPES.map((t) => h('li', {}, glyph(t), h('b', {}, displayName(t)), TYPE_TEXT[t]!)),
              h('li', {}, h('i', { class: 'engram' }), h('b', {}, 'Engram'), 'a bright line inside: never changes'),
              h('li', {}, h('i', { class: 'line line-supersedes' }), h('b', {}, 'Red arrow'), 'a version and its replacement'),
              h('li', {}, h('i', { class: 'line line-overlap' }), h('b', {}, 'Grey'), 'shared entities'),
              h('li', {}, h('i', { class: 'line line-session' }), h('b', {}, 'Blue'), 'same session'),
              h('li', {}, h('i', { class: 'line line-sequence' }), h('b', {}, 'Green'), 'next in the session'),
            )),
          h('section', {}, h('h3', {}, 'Keys'),
            h('dl', { class: 'help-keys' }, ...KEYS.flatMap(([keys, what]) => [h('dt', {}, ...keys.map((k) => h('kbd', {}, k))), h('dd', {}, what)]))),
        ),
        h('section', {}, h('h3', {}, 'Terms from neuroscience'),
          h('dl', { class: 'help-brain' }, ...NEURO_TERMS.flatMap(([word, part, what]) => [h('dt', {}, word), h('dd', {}, h('b', {}, part), ` ${what}`)]))),
        h('p', { class: 'muted small' }, 'Two clocks: “Known by” is the time a memory was recorded, “True on” the time it was true in the world. Use counts and confidence are always today’s; retention at a past time is computed from the days of use.'),
      ),
    )
    this.element.addEventListener('click', (e) => e.target === this.element && this.element.close())
  }

  toggle(): void {
    if (this.element.open) this.element.close()
    else this.element.showModal()
  }
}
