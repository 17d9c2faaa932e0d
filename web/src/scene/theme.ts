// The colours of the scene, dark and light. Types differ in shape as well.
import { Color } from 'three'
import type { MemoryType } from '../api/schema.gen'
import { EDGE_KINDS, TYPES, type EdgeKind } from '../api/vocabulary'
import { EFFECTS, type EffectKind } from '../state/sleepreplay'

/** A grey, some hues, and the lighter and the darker shade of each: mixed with so much white and so much black. */
function shades(grey: string, hues: readonly string[], white: number, black: number): string[] {
  const mixed = (hue: string, to: number, part: number) =>
    '#' + [1, 3, 5].map((at) => Math.round(parseInt(hue.slice(at, at + 2), 16) * (1 - part) + to * part).toString(16).padStart(2, '0')).join('')
  return [grey, ...hues, ...hues.map((h) => mixed(h, 255, white)), ...hues.map((h) => mixed(h, 0, black))]
}

export interface Palette {
  background: [string, string]
  types: Record<MemoryType, string>
  /** memories of no category, then the muted hues of categories and their shades (state/colorby.ts) */
  hues: readonly string[]
  /** from the lowest value to the highest */
  ramp: readonly [string, string, string, string]
  edges: Record<EdgeKind, string>
  /** colour of each effect of a sleep on a memory */
  effects: Record<EffectKind, string>
  superseded: string
  accent: string
}

export const DARK: Palette = {
  background: ['#121a30', '#05070d'],
  types: { EPISODIC: '#5b9dff', SEMANTIC: '#38d39f', WORKING: '#ffcf4a', DOCUMENT: '#a3afc4', PROCEDURAL: '#b48bff' },
  hues: shades('#6f7a90', ['#64a3e3', '#8bcd99', '#d28c50', '#d7a6e3', '#1bb3ba', '#c9bc6f', '#dc7f87', '#b3b2f9', '#3ab59a', '#f3a38f'], 0.5, 0.38),
  ramp: ['#46506a', '#5584c4', '#63c2b4', '#f4e7a1'],
  edges: {
    SUPERSEDES: '#ff5566',
    DERIVED_FROM: '#c9a6ff',
    CONSOLIDATED_INTO: '#c9a6ff',
    EVIDENCE_FOR: '#7fe0d2',
    CONTRADICTS: '#ff9b52',
    SAME_SESSION: '#5b9dff',
    TEMPORAL_SEQ: '#38d39f',
    ENTITY_OVERLAP: '#aab4c8',
  },
  effects: {
    STRENGTHEN: '#ffe08a', ARCHIVE: '#ff5566', MERGE: '#7fd4ff', RECEIVE: '#7fd4ff', PROMOTE: '#7dffb0', ENGRAVE: '#ffffff', DREAM: '#d59bff', GIVE: '#c9a6ff', BORN: '#c9a6ff',
  },
  superseded: '#ff5566',
  accent: '#ffffff',
}

export const LIGHT: Palette = {
  background: ['#ffffff', '#e6eaf3'],
  types: { EPISODIC: '#1f66d6', SEMANTIC: '#0b8a5f', WORKING: '#c28a00', DOCUMENT: '#66728a', PROCEDURAL: '#7a45d6' },
  hues: shades('#98a1b3', ['#1f6cb0', '#439458', '#9d5300', '#a067ac', '#007d86', '#918112', '#a64450', '#7974c5', '#008065', '#bc634d'], 0.42, 0.45),
  ramp: ['#b9c0cd', '#7ea6d8', '#2b7f9b', '#14325e'],
  edges: {
    SUPERSEDES: '#d41f3a',
    DERIVED_FROM: '#7a45d6',
    CONSOLIDATED_INTO: '#7a45d6',
    EVIDENCE_FOR: '#0b8a84',
    CONTRADICTS: '#c45a00',
    SAME_SESSION: '#1f66d6',
    TEMPORAL_SEQ: '#0b8a5f',
    ENTITY_OVERLAP: '#66728a',
  },
  effects: {
    STRENGTHEN: '#d98c00', ARCHIVE: '#d41f3a', MERGE: '#0077b6', RECEIVE: '#0077b6', PROMOTE: '#00a152', ENGRAVE: '#0a1020', DREAM: '#9c27d8', GIVE: '#7a45d6', BORN: '#7a45d6',
  },
  superseded: '#d41f3a',
  accent: '#0a1020',
}

export interface Theme {
  light: boolean
  palette: Palette
  types: Color[]
  hues: Color[]
  ramp: Color[]
  edges: Color[]
  /** in the order of EFFECTS; the first one is unused */
  effects: Color[]
  superseded: Color
  accent: Color
}

export function makeTheme(light: boolean): Theme {
  const palette = light ? LIGHT : DARK
  // The shaders write display colours: no colour space conversion.
  const color = (hex: string) => new Color().setStyle(hex, 'srgb-linear')
  return {
    light,
    palette,
    types: TYPES.map((t) => color(palette.types[t])),
    hues: palette.hues.map(color),
    ramp: palette.ramp.map(color),
    edges: EDGE_KINDS.map((k) => color(palette.edges[k])),
    effects: EFFECTS.map((p) => color(p === 'NONE' ? palette.accent : palette.effects[p])),
    superseded: color(palette.superseded),
    accent: color(palette.accent),
  }
}
