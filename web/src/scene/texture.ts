// Data textures for the shaders. All are as wide as cell() in node.glsl expects.
import { DataTexture, type PixelFormat, type PixelFormatGPU, type TextureDataType } from 'three'

const WIDTH = 2048

/** A texture of the data, padded to whole rows. Data that fill whole rows are not copied. */
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

/** Number of texels in whole rows that hold this many; at least one row. */
export function paddedTexels(texels: number): number {
  return Math.max(Math.ceil(texels / WIDTH), 1) * WIDTH
}

/** Replaces the texture of a uniform and disposes of the old one. */
export function replaceTexture(uniform: { value: DataTexture }, next: DataTexture): void {
  uniform.value.dispose()
  uniform.value = next
}
