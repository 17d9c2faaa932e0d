import type { Object3D } from 'three'
import type { Theme } from './theme'
import type { World } from '../state/world'

/** A layer of the scene. Layers share the node data and do not know each other. */
export interface Layer {
  readonly object: Object3D
  setWorld(world: World): void
  setTheme(theme: Theme): void
  dispose(): void
}
