// The help dialog: symbols and keys.
import { TYPES, displayName } from '../api/vocabulary'
import { glyph, h, iconButton } from './dom'

const KEYS: [string[], string][] = [
  [['/'], 'search'],
  [['←', '↑', '→', '↓'], 'move to the next memory on the screen'],
  [['Enter'], 'open the memory in hand, or the best hit'],
  [['[', ']'], 'previous and next version; along the session where there is one version'],
  [['Space'], 'play and pause'],
  [[',', '.'], 'step through time'],
  [['n'], 'back to now'],
  [['r'], 'only what was learned in a span of time'],
  [['f'], 'fly to the open memory'],
  [['h'], 'the whole map'],
  [['m'], 'memories as a list, and entities'],
  [['s'], 'sleep, morning reports, what fades'],
  [['d'], 'dashboards: health, quality, the gate, privacy, speed'],
  [['c'], 'what an agent would see, and its tasks'],
  [['p', 'j'], 'save a picture, save what is shown as JSON'],
  [['2'], 'flat and back'],
  [['g'], 'springs: what is joined draws near, and back'],
  [['l'], 'light and dark'],
  [['Esc'], 'close, step by step'],
  [['?'], 'this help'],
]

const BRAIN: [string, string, string][] = [
  ['L0', 'Prefrontal cortex', 'the working buffer: what is said right now'],
  ['L1', 'Hippocampus', 'the index: every memory starts here'],
  ['L2', 'Neocortex', 'the schema: what has proved to matter'],
  ['L3', 'Thalamus and basal ganglia', 'the recess: engrams, never changed again'],
  ['Salience', 'Dopamine', 'how much something stands out'],
  ['Surprise', 'Noradrenaline', 'how badly it was predicted'],
  ['REM', 'Dream replay', 'consolidation in sleep'],
  ['NREM', 'Pruning', 'what is not needed fades'],
  ['Reinforcement', 'Long-term potentiation', 'use makes a memory last'],
]

const WHAT: Record<string, string> = {
  EPISODIC: 'what happened', SEMANTIC: 'what is true', WORKING: 'active, pulsing, has a time to live', DOCUMENT: 'a chunk of reference material', PROCEDURAL: 'how to do something',
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
        h('p', { class: 'lead' }, 'Every point is a memory. Memories that mean alike stand together; the larger, the more important; the fainter, the more has faded. Scrub through time below: you see what was known then, exactly as the API answers it as of that instant.'),
        h('div', { class: 'help-columns' },
          h('section', {}, h('h3', {}, 'Signs'),
            h('ul', { class: 'help-signs' },
              ...TYPES.map((t) => h('li', {}, glyph(t), h('b', {}, displayName(t)), WHAT[t]!)),
              h('li', {}, h('i', { class: 'engram' }), h('b', {}, 'Engram'), 'a bright line inside: never changed again'),
              h('li', {}, h('i', { class: 'line line-supersedes' }), h('b', {}, 'Red arrow'), 'a belief and what replaced it'),
              h('li', {}, h('i', { class: 'line line-overlap' }), h('b', {}, 'Grey'), 'shared entities'),
              h('li', {}, h('i', { class: 'line line-session' }), h('b', {}, 'Blue'), 'same session'),
              h('li', {}, h('i', { class: 'line line-sequence' }), h('b', {}, 'Green'), 'next in the session'),
            )),
          h('section', {}, h('h3', {}, 'Keys'),
            h('dl', { class: 'help-keys' }, ...KEYS.flatMap(([keys, what]) => [h('dt', {}, ...keys.map((k) => h('kbd', {}, k))), h('dd', {}, what)]))),
        ),
        h('section', {}, h('h3', {}, 'The brain behind the words'),
          h('dl', { class: 'help-brain' }, ...BRAIN.flatMap(([word, part, what]) => [h('dt', {}, word), h('dd', {}, h('b', {}, part), ` ${what}`)]))),
        h('p', { class: 'muted small' }, 'Two clocks: “known by” is when Somnograph learned it, “true on” is when it held in the world. Use and confidence are today’s; fading at a past instant follows the days of use.'),
      ),
    )
    this.element.addEventListener('click', (e) => e.target === this.element && this.element.close())
  }

  toggle(): void {
    if (this.element.open) this.element.close()
    else this.element.showModal()
  }
}
