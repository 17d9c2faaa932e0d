// Common code of the pages of other viewers: load the scene, and report when it is drawn.
export interface Scene {
  nodes: { id: number; x: number; y: number; z: number; type: string; project: string; label: string; size: number }[]
  links: { source: number; target: number; kind: string }[]
}

declare global {
  interface Window {
    __ready?: boolean
    __move: (step: number) => void
  }
}

export const COLORS: Record<string, string> = { EPISODIC: '#5b9dff', SEMANTIC: '#38d39f', WORKING: '#ffcf4a', DOCUMENT: '#a3afc4', PROCEDURAL: '#b48bff' }

export async function load(): Promise<Scene> {
  return (await (await fetch('/data.json')).json()) as Scene
}

/** The picture was drawn once: two frames after this. `move` turns or zooms the camera a little. */
export function ready(move: (step: number) => void): void {
  window.__move = move
  requestAnimationFrame(() => requestAnimationFrame(() => (window.__ready = true)))
}
