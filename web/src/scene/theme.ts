// The colours of the scene, dark and light. Types differ in shape as well.
import { Color } from 'three'
import type { MemoryType } from '../api/schema.gen'
import { EDGE_KINDS, TYPES, type EdgeKind } from '../api/vocabulary'
import { EFFECTS, type EffectKind } from '../state/sleepreplay'

export interface Palette {
  background: [string, string]
  types: Record<MemoryType, string>
  edges: Record<EdgeKind, string>
  /** colour of each effect of a sleep on a memory */
  effects: Record<EffectKind, string>
  superseded: string
  accent: string
}

export const DARK: Palette = {
  background: ['#121a30', '#05070d'],
  types: { EPISODIC: '#5b9dff', SEMANTIC: '#38d39f', WORKING: '#ffcf4a', DOCUMENT: '#a3afc4', PROCEDURAL: '#b48bff' },
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
    edges: EDGE_KINDS.map((k) => color(palette.edges[k])),
    effects: EFFECTS.map((p) => color(p === 'NONE' ? palette.accent : palette.effects[p])),
    superseded: color(palette.superseded),
    accent: color(palette.accent),
  }
}
