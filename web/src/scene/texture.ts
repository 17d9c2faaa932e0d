// Numbers for the shaders, row by row in a texture as wide as they expect: cell() of node.glsl.
import { DataTexture, type PixelFormat, type PixelFormatGPU, type TextureDataType } from 'three'

const WIDTH = 2048

/** A texture of the data, padded to whole rows; data that fill them are taken as they are. */
export function texture(
  data: Int32Array | Uint32Array | Float32Array | Uint8Array,
  parts: number,
  format: PixelFormat,
  type: TextureDataType,
  internal: PixelFormatGPU,
): DataTexture {
  const size = paddedTexels(data.length / parts) * parts
  let full = data
  if (data.length !== size) {
    full = new (data.constructor as new (n: number) => typeof data)(size)
    full.set(data as never)
  }
  const t = new DataTexture(full as never, WIDTH, size / parts / WIDTH, format, type)
  t.internalFormat = internal
  t.unpackAlignment = 1
  t.needsUpdate = true
  return t
}

/** How many texels hold so many: whole rows, at least one. */
export function paddedTexels(texels: number): number {
  return Math.max(Math.ceil(texels / WIDTH), 1) * WIDTH
}

/** Puts another texture in a uniform. */
export function replaceTexture(uniform: { value: DataTexture }, next: DataTexture): void {
  uniform.value.dispose()
  uniform.value = next
}
