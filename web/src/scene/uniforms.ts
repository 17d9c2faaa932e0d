// Uniforms that all layers share.
import { Matrix4, Vector2 } from 'three'

export function sceneUniforms() {
  return {
    uView: { value: new Matrix4() },
    uProjection: { value: new Matrix4() },
    uPixelsPerUnit: { value: 1 },
    uPixelRatio: { value: 1 },
    uDrawingSize: { value: new Vector2(1, 1) },
    uFogFrom: { value: 200 },
    uFogTo: { value: 500 },
    uPulsePhase: { value: 0 },
    uFlash: { value: 0 },
    uGlowDays: { value: 0 },
    uFocus: { value: false },
    uSelected: { value: -1 },
    uHovered: { value: -1 },
    uSleepDim: { value: 0 },
  }
}

export type SceneUniforms = ReturnType<typeof sceneUniforms>
