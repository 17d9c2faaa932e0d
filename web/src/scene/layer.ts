import type { Object3D } from 'three'
import type { Theme } from './theme'
import type { World } from '../state/world'

/** A part of the picture. Layers know the shared node data and nothing of each other. */
export interface Layer {
  readonly object: Object3D
  setWorld(world: World): void
  setTheme(theme: Theme): void
  dispose(): void
}
